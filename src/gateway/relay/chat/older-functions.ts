import { isObject } from "../../providers/answer.ts";
import type { ChatObject } from "../../providers/provider.ts";

/** Members of a request, a message or an answer. */
type Members = Readonly<Record<string, unknown>>;

/**
 * Tools had an older form: `functions` and `function_call` in a request, `function_call` in a message, and messages
 * with the role `function`. Most vendors know only today's form, so they are sent that, and callers who use the older
 * form are answered in it: https://platform.openai.com/docs/api-reference/chat/create
 */
export function asksInOlderForm({ functions, tools }: Members): boolean {
  return isFilled(functions) && !isFilled(tools);
}

/** A request in today's form; its messages are not read here. */
export function withTools(body: Members): Members {
  const { functions, function_call: choice, ...rest } = body;
  if (!isFilled(functions)) return body;
  const { tools, tool_choice: chosen } = rest;
  return {
    ...rest,
    tools: [...(isFilled(tools) ? tools : []), ...functions.map((each) => ({ type: "function", function: each }))],
    ...(choice === undefined || choice === null || chosen !== undefined ? {} : { tool_choice: toolChoice(choice) }),
  };
}

function toolChoice(choice: unknown): unknown {
  return isObject(choice) ? { type: "function", function: choice } : choice;
}

/** Messages in today's form. The older one has no ids: a function's result belongs to its latest call. */
export function withToolCalls<T extends Members>(messages: readonly T[]): readonly T[] {
  if (!messages.some(({ role, function_call: call }) => role === "function" || isObject(call))) return messages;
  const ids = new Map<unknown, string>();
  return messages.map((message, index) => {
    const { function_call: call, tool_calls: calls, ...rest } = message;
    if (isObject(call)) {
      const id = `call_${index}`;
      ids.set(call["name"], id);
      const made = { id, type: "function", function: call };
      return { ...rest, tool_calls: [...(isFilled(calls) ? calls : []), made] } as unknown as T;
    }
    const id = message["role"] === "function" ? ids.get(message["name"]) : undefined;
    if (id === undefined) return message;
    const { name: _, ...answer } = message;
    return { ...answer, role: "tool", tool_call_id: id } as unknown as T;
  });
}

/** A result or chunk in the older form, which has room for the first of several calls. */
export function withFunctionCall(object: ChatObject): ChatObject {
  return { ...object, choices: object.choices.map(inOlderForm) };
}

function inOlderForm({ message, delta, finish_reason: reason, ...choice }: Members) {
  return {
    ...choice,
    ...(isObject(message) ? { message: called(message) } : {}),
    ...(isObject(delta) ? { delta: called(delta) } : {}),
    finish_reason: reason === "tool_calls" ? "function_call" : reason,
  };
}

function called({ tool_calls: calls, ...said }: Members): Members {
  const pieces = isFilled(calls) ? calls.filter(isObject) : [];
  // A whole answer's calls have no index; a chunk may hold several pieces of the same one.
  const own = pieces.filter(({ index }, position) => (index ?? position) === 0).map((piece) => piece["function"]);
  const parts = own.filter(isObject);
  if (parts.length === 0) {
    const others = pieces.filter((piece) => !isObject(piece["function"]));
    return others.length === 0 ? said : { ...said, tool_calls: others };
  }
  const name = parts.map((part) => part["name"]).find((each) => typeof each === "string");
  const text = parts.map((part) => part["arguments"]).filter((each) => typeof each === "string");
  return { ...said, function_call: { ...(name === undefined ? {} : { name }), arguments: text.join("") } };
}

function isFilled(list: unknown): list is readonly unknown[] {
  return Array.isArray(list) && list.length > 0;
}
