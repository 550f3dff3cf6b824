import type { JsonObject } from "../../providers/answer.ts";
import type { ReadCall } from "../../providers/tools.ts";
import type { FormedCall } from "../caller-form.ts";
import type { LongText } from "./long-text.ts";
import type { Item, StreamEvent } from "./stream-events.ts";
import { type CalledTool, inputOf, objectIn, offeredTools } from "./tools.ts";

export const callTypes = {
  function: "function_call",
  custom: "custom_tool_call",
  tool_search: "tool_search_call",
} as const;

/** The tool that a provider calls by the name of its function, and whether the call has its text as it is. */
export interface AnsweredCall extends CalledTool {
  readonly isText: boolean;
}

export function toolCalled(run: FormedCall, { kind, name }: ReadCall): AnsweredCall {
  const known = offeredTools(run.request.passed?.json ?? {}).called.get(name);
  const isText = kind === "custom";
  const tool = known ?? { kind: "function", name, namespace: null };
  return { ...tool, kind: isText ? "custom" : tool.kind, isText };
}

interface CallState {
  readonly status: string;
  readonly callId: string;
  /** its arguments, or its input */
  readonly text: string;
}

/** The members of a call's item, apart from its type and id. */
export function callMembers({ kind, name, namespace, isText }: AnsweredCall, state: CallState): JsonObject {
  const { status, callId, text } = state;
  const shared = { status, call_id: callId };
  if (kind === "tool_search") return { ...shared, execution: "client", arguments: objectIn(text) ?? {} };
  const named = { ...shared, name, ...(namespace === null ? {} : { namespace }) };
  return kind === "custom" ? { ...named, input: isText ? text : inputOf(text) } : { ...named, arguments: text };
}

/** A call that is being written. */
export interface Call extends Item {
  readonly callId: string;
  readonly tool: AnsweredCall;
  readonly text: LongText;
}

export function calledItem({ id, callId, tool }: Call, status: string, text: string): JsonObject {
  return { id, type: callTypes[tool.kind], ...callMembers(tool, { status, callId, text }) };
}

/** The events of what is written of a call; a search has none. */
const textOf = { function: "function_call_arguments", custom: "custom_tool_call_input", tool_search: "" } as const;

/** A piece of a call. A text within a function's arguments is read once they are whole. */
export function* callDelta({ id, index, tool }: Call, delta: string): Generator<StreamEvent, void, void> {
  if (tool.kind !== "function" && !tool.isText) return;
  const members = { item_id: id, output_index: index, delta };
  yield { type: `response.${textOf[tool.kind]}.delta`, members, size: delta.length };
}

/** What is said of a call at its end, before its item. */
export function* callEnd({ id, index, tool, text }: Call, item: JsonObject): Generator<StreamEvent, void, void> {
  const { kind, name, isText } = tool;
  const size = text.length + name.length;
  const at = { item_id: id, output_index: index };
  if (kind === "custom") {
    const { input } = item;
    if (!isText) yield { type: `response.${textOf[kind]}.delta`, members: { ...at, delta: input }, size };
    yield { type: `response.${textOf[kind]}.done`, members: { ...at, input }, size };
  } else if (kind === "function") {
    yield { type: `response.${textOf[kind]}.done`, members: { ...at, arguments: item["arguments"], name }, size };
  }
}
