import { isObject, objectsOf, readText, typeName, type JsonObject } from "./answer.ts";
import { isTooDeep } from "../read-json.ts";
import { cannotCarry } from "./call.ts";
import { readCall } from "./tools.ts";

/** The chat parameters that every dialect takes, in members of its own. */
export const commonParameters = [
  "max_tokens",
  "max_completion_tokens",
  "temperature",
  "top_p",
  "top_k",
  "stop",
  "response_format",
  "tools",
  "tool_choice",
  "reasoning",
  "reasoning_effort",
] as const;

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

/** @throws CallFailed for a call of a tool that is no function */
export function readMessages(body: Readonly<JsonObject>): Message[] {
  const list = Array.isArray(body["messages"]) ? body["messages"].filter(isObject) : [];
  return list.map((raw) => ({
    role: roles.get(readText(raw["role"]) ?? "") ?? readText(raw["role"]) ?? "user",
    // What a model refused with is what it said.
    content: raw["content"] ?? readText(raw["refusal"]),
    toolCalls: readToolCalls(raw["tool_calls"]),
    toolCallId: readText(raw["tool_call_id"]),
    raw,
  }));
}

const roles: ReadonlyMap<string, string> = new Map(Object.entries({ developer: "system", function: "tool" }));

/** @throws CallFailed for calls of a kind that other dialects have no words for */
function readToolCalls(calls: unknown): ToolCall[] {
  if (!Array.isArray(calls)) return [];
  return calls.filter(isObject).flatMap((raw) => {
    const { kind, name, text } = readCall(raw);
    if (kind === "other") throw cannotCarry(`it has no calls of type ${typeName(raw["type"])}`);
    if (kind === "function" && !isObject(raw["function"])) return [];
    const given = kind === "custom" ? JSON.stringify({ input: text }) : text;
    return [{ id: readText(raw["id"]) ?? "", name, arguments: given === "" ? "{}" : given, raw }];
  });
}

/** A content's parts without empty ones; plain text is one part, and so is what a model refused with. */
export function contentParts(content: unknown): JsonObject[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  if (!Array.isArray(content)) return [];
  return content
    .filter(isObject)
    .map((part) => (part["type"] === "refusal" ? { type: "text", text: part["refusal"] } : part))
    .filter(({ type, text }) => type !== "text" || text !== "");
}

/** What a model thought before an earlier answer, as a text; empty: nothing that can be read. */
export function plainThought(message: JsonObject): string {
  const { reasoning, reasoning_content: content, reasoning_details: details } = message;
  const texts = objectsOf(details).flatMap(({ text }) => readText(text) || []);
  return readText(reasoning) ?? readText(content) ?? texts.join("\n\n");
}

/** The text of a content, its parts joined. */
export function contentText(content: unknown): string {
  return contentParts(content)
    .flatMap((part) => readText(part["text"]) ?? [])
    .join("");
}

/** Whether a part shows an image, whatever else it holds. */
export function isImagePart(part: JsonObject): boolean {
  return part["type"] === "image_url" || (part["image_url"] !== undefined && part["image_url"] !== null);
}

/** The address of an `image_url` part, which is an object or the bare address. */
export function imageAddress(part: JsonObject): string {
  const image = part["image_url"];
  return (isObject(image) ? readText(image["url"]) : readText(image)) ?? "";
}

/** The part of a `data:` address before its bytes: a media type and a few parameters. */
const longestDataHead = 1_000;

/** What a `data:` address holds (RFC 2397, base64 only); null for any other address. */
export function readDataUrl(url: string): { mediaType: string; base64: string } | null {
  const head = url.slice(0, longestDataHead);
  const match = /^data:([\w.+-]+\/[\w.+-]+)(?:;[\w.+-]+=[^;,]*)*;base64,/i.exec(head);
  return match ? { mediaType: match[1]?.toLowerCase() ?? "", base64: url.slice(match[0].length) } : null;
}

/** A tool call's arguments as an object. @throws CallFailed */
export function argumentsObject(call: ToolCall): JsonObject {
  try {
    const value: unknown = JSON.parse(call.arguments === "" ? "{}" : call.arguments);
    if (isObject(value) && !isTooDeep(value)) return value;
  } catch {
    // told below
  }
  throw cannotCarry(`the arguments of the tool call ${call.name} are not a JSON object`);
}

/** @param made what the dialect's models answer with @throws CallFailed where other kinds of output are asked for */
export function refuseOutputs({ modalities, audio }: Readonly<JsonObject>, made: readonly string[]): void {
  const asked = Array.isArray(modalities) ? modalities : isObject(audio) ? ["audio"] : [];
  const other = asked.find((each) => !made.includes(String(each)));
  if (other !== undefined)
    throw cannotCarry(`its chat models answer with ${made.join(" and ")}, not with ${typeName(other)}`);
}

/** Members with a value: absent ones must not be sent as null. */
export function given(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== null));
}

/** Vendors' names for the maximum number of answer tokens, the public API's own two first. */
export const maximumMembers = [
  "max_tokens",
  "max_completion_tokens",
  "max_output_tokens",
  "max_new_tokens",
  "max_gen_tokens",
  "max_tokens_to_sample",
  "n_predict",
  "num_predict",
] as const;

/**
 * The most tokens that a caller allows: the largest of several, since a vendor may use any of them. Null: none is
 * given.
 */
export function largestMaximum(body: Readonly<JsonObject>): number | null {
  const given = maximumMembers.map((name) => body[name]).filter((one) => Number.isSafeInteger(one)) as number[];
  const most = Math.max(0, ...given);
  return most > 0 ? most : null;
}

export function stopSequences(stop: unknown): unknown {
  return typeof stop === "string" ? [stop] : stop;
}
