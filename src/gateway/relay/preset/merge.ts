import { isObject, type JsonObject } from "../../providers/answer.ts";
import { maximumMembers } from "../../providers/messages.ts";
import { identityOf, membersIn, type PresetContent, type RequestForm } from "./forms.ts";

/**
 * Members that stand for the same setting: a request that has one of them has the preset's others replaced too.
 * `functions` is the older form of `tools`.
 */
const alike: readonly (readonly string[])[] = [
  maximumMembers,
  ["reasoning", "reasoning_effort"],
  ["models", "fallbacks"],
  ["tools", "functions"],
  ["tool_choice", "function_call"],
];
/** Settings of tools, which providers refuse without any. */
const ofTools = ["tool_choice", "parallel_tool_calls"];

/**
 * A request completed by a preset: a member of the request takes the place of the preset's, whole, and tools are put
 * together. A system prompt of the request's own takes the place of the preset's.
 * @param request without what names the preset
 */
export function completedBy(form: RequestForm, content: PresetContent, request: Readonly<JsonObject>): JsonObject {
  const offered = membersIn[form](content);
  const has = (name: string) => name in request;
  const lacking = Object.entries(offered).filter(
    ([name]) => !has(name) && !alike.some((names) => names.includes(name) && names.some(has)),
  );
  const made: JsonObject = { ...request, ...Object.fromEntries(lacking) };
  if (Array.isArray(request["tools"]) && Array.isArray(offered["tools"])) {
    made["tools"] = together(offered["tools"], request["tools"]);
  }
  if (!isFilled(made["tools"]) && !isFilled(made["functions"])) {
    for (const name of ofTools) if (!has(name)) delete made[name];
  }
  if (!hasOwnSystemPrompt(form, request)) {
    if (form === "chat" && content.systemPrompt !== null) {
      const messages = Array.isArray(made["messages"]) ? (made["messages"] as unknown[]) : [];
      made["messages"] = [{ role: "system", content: content.systemPrompt }, ...messages];
    }
  } else if (form === "messages" && !has("system")) delete made["system"];
  else if (form === "responses" && !has("instructions")) delete made["instructions"];
  return made;
}

/** The preset's in their order, each replaced by the request's own if that has it, and then what only the request has. */
function together(preset: readonly unknown[], request: readonly unknown[]): unknown[] {
  const own = new Map(request.map((tool) => [identityOf(tool), tool]));
  own.delete(null);
  const known = new Set(preset.map(identityOf));
  known.delete(null);
  return [
    ...preset.map((tool) => own.get(identityOf(tool)) ?? tool),
    ...request.filter((tool) => !known.has(identityOf(tool))),
  ];
}

const conversations: ReadonlySet<RequestForm> = new Set(["chat", "messages", "responses"]);
const systemRoles = new Set<unknown>(["system", "developer"]);

function hasOwnSystemPrompt(form: RequestForm, request: Readonly<JsonObject>): boolean {
  if (!conversations.has(form)) return false;
  const said = form === "responses" ? request["input"] : request["messages"];
  return Array.isArray(said) && said.some((one: unknown) => isObject(one) && systemRoles.has(one["role"]));
}

const isFilled = (list: unknown) => Array.isArray(list) && list.length > 0;
