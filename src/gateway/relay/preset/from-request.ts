import type * as z from "zod/mini";
import { presetMembers, PresetVersionBody } from "#contract/presets.ts";
import { invalid, invalidMembers } from "../../domain/refusal.ts";
import { isObject, readText, type JsonObject } from "../../providers/answer.ts";
import { given } from "../../providers/messages.ts";
import { takeTurns } from "../../turns.ts";
import { withTools } from "../chat/older-functions.ts";
import { textOf } from "../messages/blocks.ts";
import { toChat } from "../messages/to-chat.ts";
import { only, sameInResponses } from "./forms.ts";

/** What a preset keeps of a chat request. @throws Refusal invalid_request */
export function fromChat(request: Readonly<JsonObject>): PresetVersionBody {
  const { messages } = request;
  const said = (Array.isArray(messages) ? messages.filter(isObject) : []).filter(
    ({ role }) => role === "system" || role === "developer",
  );
  return keptOf(request, withTools(request), said.map(({ content }) => textOf(content)).join("\n\n"));
}

/** The same of a request in Anthropic's form. @param owner whose work it is @throws Refusal invalid_request */
export async function fromMessage(request: Readonly<JsonObject>, owner: string): Promise<PresetVersionBody> {
  const { body, untranslatable } = await toChat({ ...request, messages: [] }, takeTurns(owner));
  if (untranslatable !== null)
    throw invalid("", `A preset cannot hold ${untranslatable}: save the request without them`);
  const { fallbacks } = request;
  const models = Array.isArray(fallbacks) ? fallbacks.filter(isObject).map(({ model }) => model) : undefined;
  const config = {
    ...body,
    ...given({
      models: request["models"] ?? models,
      provider: request["provider"],
      max_tokens: request["max_tokens"],
      stop: request["stop_sequences"],
    }),
  };
  return keptOf(request, config, textOf(request["system"]));
}

/** The same of a request in the form of Responses. @throws Refusal invalid_request */
export function fromResponse(request: Readonly<JsonObject>): PresetVersionBody {
  const { text, tools, tool_choice: choice, max_output_tokens: most, instructions } = request;
  const { format, verbosity } = isObject(text) ? text : {};
  const config = given({
    ...only(request, sameInResponses),
    max_tokens: most,
    reasoning: request["reasoning"],
    tools: Array.isArray(tools) ? tools.map(nestedTool) : undefined,
    tool_choice: nestedChoice(choice),
    response_format: nestedFormat(format),
    verbosity,
  });
  return keptOf(request, config, readText(instructions) ?? "");
}

function nestedTool(tool: unknown): unknown {
  if (!isObject(tool)) return tool;
  const { type, ...called } = tool;
  if ((type !== "function" && type !== "custom") || isObject(tool[type])) return tool;
  return { type, [type]: called };
}

function nestedChoice(choice: unknown): unknown {
  if (!isObject(choice) || choice["type"] !== "allowed_tools") return nestedTool(choice);
  const { mode, tools } = choice;
  return {
    type: "allowed_tools",
    allowed_tools: { mode, tools: Array.isArray(tools) ? tools.map(nestedTool) : tools },
  };
}

function nestedFormat(format: unknown): unknown {
  if (!isObject(format) || format["type"] !== "json_schema" || isObject(format["json_schema"])) return format;
  const { type, ...schema } = format;
  return { type, json_schema: schema };
}

/** The members of a preset's settings are members of the request itself. */
function asInRequest(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  return issue.path[0] === "config" ? { ...issue, path: issue.path.slice(1) } : issue;
}

/** The members among these that a preset can hold, checked. */
function keptOf(
  { preset }: Readonly<JsonObject>,
  members: Readonly<JsonObject>,
  systemPrompt: string,
): PresetVersionBody {
  if (preset !== undefined && preset !== null) {
    throw invalid("preset", "cannot be given here: a preset cannot hold another one");
  }
  // 0 is the same as none, in requests.
  const { max_tokens: older, max_completion_tokens: newer, ...rest } = only(members, Object.keys(presetMembers));
  const maximum = given({ max_tokens: older || undefined, max_completion_tokens: newer || undefined });
  const checked = PresetVersionBody.safeParse({ config: { ...rest, ...maximum }, system_prompt: systemPrompt });
  if (!checked.success) throw invalidMembers(checked.error.issues.map(asInRequest));
  return checked.data;
}
