import { isObject, readText, type JsonObject } from "./answer.ts";
import { cannotCarry } from "./call.ts";

/** A message of a chat request in the public form, as far as other dialects need it. */
export interface Message {
  readonly role: string;
  readonly content: unknown;
  readonly toolCalls: readonly ToolCall[];
  /** of a tool's answer: the call that it answers */
  readonly toolCallId: string | null;
  readonly raw: JsonObject;
}

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON text, as the model wrote it */
  readonly arguments: string;
  readonly raw: JsonObject;
}

export function readMessages(body: Readonly<JsonObject>): Message[] {
  const list = Array.isArray(body["messages"]) ? body["messages"].filter(isObject) : [];
  return list.map((raw) => ({
    role: raw["role"] === "developer" ? "system" : (readText(raw["role"]) ?? "user"),
    content: raw["content"] ?? null,
    toolCalls: readToolCalls(raw["tool_calls"]),
    toolCallId: readText(raw["tool_call_id"]),
    raw,
  }));
}

function readToolCalls(calls: unknown): ToolCall[] {
  if (!Array.isArray(calls)) return [];
  return calls.filter(isObject).flatMap((raw) => {
    const called = raw["function"];
    if (!isObject(called)) return [];
    return [
      {
        id: readText(raw["id"]) ?? "",
        name: readText(called["name"]) ?? "",
        arguments: readText(called["arguments"]) ?? "{}",
        raw,
      },
    ];
  });
}

/** A content's parts; plain text is one part. */
export function contentParts(content: unknown): JsonObject[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  return Array.isArray(content) ? content.filter(isObject) : [];
}

/** The text of a content, its parts joined. */
export function contentText(content: unknown): string {
  return contentParts(content)
    .flatMap((part) => readText(part["text"]) ?? [])
    .join("");
}

/** The address of an `image_url` part, which is an object or the bare address. */
export function imageAddress(part: JsonObject): string {
  const image = part["image_url"];
  return (isObject(image) ? readText(image["url"]) : readText(image)) ?? "";
}

/** What a `data:` address holds (RFC 2397, base64 only); null for any other address. */
export function readDataUrl(url: string): { mediaType: string; base64: string } | null {
  const match = /^data:([\w.+-]+\/[\w.+-]+)(?:;[\w.+-]+=[^;,]*)*;base64,/i.exec(url);
  return match ? { mediaType: match[1]?.toLowerCase() ?? "", base64: url.slice(match[0].length) } : null;
}

/** A tool call's arguments as an object. @throws CallFailed */
export function argumentsObject(call: ToolCall): JsonObject {
  try {
    const value: unknown = JSON.parse(call.arguments === "" ? "{}" : call.arguments);
    if (isObject(value)) return value;
  } catch {
    // told below
  }
  throw cannotCarry(`the arguments of the tool call ${call.name} are not a JSON object`);
}

/** The functions among a request's tools. */
export function readFunctions(body: Readonly<JsonObject>): JsonObject[] {
  const tools = Array.isArray(body["tools"]) ? body["tools"].filter(isObject) : [];
  return tools.flatMap((tool) => (tool["type"] === "function" && isObject(tool["function"]) ? [tool["function"]] : []));
}

/** `tool_choice` in one form: a mode, or the name of the one function that must be called. */
export function readToolChoice(choice: unknown): { mode: string } | { name: string } | null {
  if (typeof choice === "string") return { mode: choice };
  const called = isObject(choice) ? choice["function"] : null;
  const name = isObject(called) ? readText(called["name"]) : null;
  return name === null ? null : { name };
}

/** Members with a value: what was not given must not be sent as null. */
export function given(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== null));
}

/** The most tokens that the caller wants, by either name. */
export function wantedTokens(body: Readonly<JsonObject>): unknown {
  return body["max_completion_tokens"] ?? body["max_tokens"];
}

export function stopSequences(stop: unknown): unknown {
  return typeof stop === "string" ? [stop] : stop;
}
