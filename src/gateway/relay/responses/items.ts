import { isObject, typeName, type JsonObject } from "../../providers/answer.ts";

/** The items of an input; plain text is one message. */
export function itemsOf(input: unknown): JsonObject[] {
  if (typeof input === "string") return [{ type: "message", role: "user", content: input }];
  return Array.isArray(input) ? input.filter(isObject) : [];
}

/** An item's type; a message may leave it out. */
export const itemType = ({ type }: JsonObject): string =>
  type === undefined || type === null ? "message" : typeName(type);

/** A content's parts; plain text is one part. */
export function partsOf(content: unknown): JsonObject[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "input_text", text: content }];
  return Array.isArray(content) ? content.filter(isObject) : [];
}

/** A part of an item, with its place in the request. */
export interface LocatedPart {
  readonly part: JsonObject;
  readonly path: string;
}

/** The parts of messages, and of what tools answered. */
export function* locatedParts({ input }: Readonly<JsonObject>): Generator<LocatedPart, void, void> {
  if (!Array.isArray(input)) return;
  for (const [index, item] of input.entries()) {
    if (!isObject(item)) continue;
    yield* located(item["content"], `input.${index}.content`);
    yield* located(item["output"], `input.${index}.output`);
  }
}

function* located(content: unknown, path: string): Generator<LocatedPart, void, void> {
  if (!Array.isArray(content)) return;
  for (const [at, part] of content.entries()) if (isObject(part)) yield { part, path: `${path}.${at}` };
}

/** Parts that are nothing but their text. */
export const textParts: ReadonlySet<unknown> = new Set([
  "input_text",
  "output_text",
  "text",
  "refusal",
  "reasoning_text",
  "summary_text",
]);

/** Items that are nothing but what they say. */
export const plainItems: ReadonlySet<string> = new Set([
  "message",
  "reasoning",
  "function_call",
  "function_call_output",
  "custom_tool_call",
  "custom_tool_call_output",
  "tool_search_call",
  "tool_search_output",
  "additional_tools",
  "configuration_update",
  "local_shell_call",
  "local_shell_call_output",
  "shell_call",
  "shell_call_output",
  "apply_patch_call",
  "apply_patch_call_output",
]);

/** Tools that the caller runs. */
const callersTools: ReadonlySet<unknown> = new Set(["function", "custom", "local_shell", "apply_patch"]);

/** A tool, with its place in the request. */
interface LocatedTool {
  readonly tool: JsonObject;
  readonly path: string;
}

/** All tools of a request: those that it offers, those that an item brings, and what is in a namespace. */
export function* locatedTools({ tools, input }: Readonly<JsonObject>): Generator<LocatedTool, void, void> {
  yield* toolsWithin(tools, "tools");
  if (!Array.isArray(input)) return;
  for (const [index, item] of input.entries()) {
    if (isObject(item)) yield* toolsWithin(item["tools"], `input.${index}.tools`);
  }
}

function* toolsWithin(tools: unknown, path: string): Generator<LocatedTool, void, void> {
  if (!Array.isArray(tools)) return;
  for (const [index, tool] of tools.entries()) {
    if (!isObject(tool)) continue;
    const toolPath = `${path}.${index}`;
    yield { tool, path: toolPath };
    yield* toolsWithin(tool["tools"], `${toolPath}.tools`);
  }
}

/** Whether the caller itself looks for tools that the model searches. */
export const isSearchByCaller = ({ execution }: JsonObject): boolean => execution === "client";

/** The tools that the provider runs; a namespace is none, but holds some. */
export function hostedTools(body: Readonly<JsonObject>): JsonObject[] {
  return [...locatedTools(body)]
    .map(({ tool }) => tool)
    .filter(
      ({ type, ...tool }) =>
        type !== "namespace" && !callersTools.has(type) && !(type === "tool_search" && isSearchByCaller(tool)),
    );
}

/** The member of a tool, or of a call, that names a container by its id; null: none does. */
export function containerMember({ container_id: id, environment }: JsonObject): "container_id" | "environment" | null {
  if (isGiven(id)) return "container_id";
  if (!isObject(environment)) return null;
  return environment["type"] === "container_reference" || isGiven(environment["container_id"]) ? "environment" : null;
}

export const isGiven = (value: unknown) => value !== undefined && value !== null && value !== "";
