import { isObject, readText, type JsonObject } from "../answer.ts";
import { UniqueCallIds } from "../call-ids.ts";
import { cannotCarry } from "../call.ts";
import { argumentsObject, contentParts, imageAddress, type Message, readDataUrl } from "../messages.ts";
import { gapIn } from "../reasoning.ts";

/** System messages as Anthropic's `system`; undefined without any. */
export function toSystem(messages: readonly Message[]): JsonObject[] | undefined {
  const system = messages.filter(({ role }) => role === "system").flatMap(({ content }) => blocks(content));
  return system.length > 0 ? system : undefined;
}

/** A message in Anthropic's form. */
interface SentMessage extends JsonObject {
  role: string;
  content: JsonObject[];
}

/** Everything else. Answers to one turn's tool calls go together into one user message, as Anthropic wants it. */
export function toMessages(messages: readonly Message[]): SentMessage[] {
  const made: SentMessage[] = [];
  const ids = new UniqueCallIds(callIds);
  for (const message of messages.filter(({ role }) => role !== "system")) {
    const role = message.role === "assistant" ? "assistant" : "user";
    const content = message.role === "tool" ? [toolResult(message, ids)] : messageBlocks(message, ids);
    // Anthropic refuses messages without content.
    if (content.length === 0) continue;
    const last = made.at(-1);
    if (last?.role === role) last.content.push(...content);
    else made.push({ role, content });
  }
  return withoutTrailingBlank(made);
}

/** Anthropic refuses a prefill that ends with white space, and texts without anything in them. */
function withoutTrailingBlank(made: SentMessage[]): SentMessage[] {
  const last = made.at(-1);
  if (last?.role !== "assistant") return made;
  const textOf = ({ text }: JsonObject) => (typeof text === "string" ? text.trimEnd() : null);
  const content = last.content.slice(0, last.content.findLastIndex((block) => textOf(block) !== "") + 1);
  const ending = content.pop();
  if (ending === undefined) return withoutTrailingBlank(made.slice(0, -1));
  const text = textOf(ending);
  return [...made.slice(0, -1), { ...last, content: [...content, text === null ? ending : { ...ending, text }] }];
}

/** Whether the conversation ends with tools' results, and the turn that called them has no thoughts. */
export function lacksThoughts(messages: readonly SentMessage[]): boolean {
  const [called, results] = messages.slice(-2);
  if (results?.content.every(({ type }) => type !== "tool_result") ?? true) return false;
  const first = called?.content[0]?.["type"];
  return first !== "thinking" && first !== "redacted_thinking";
}

/** Anthropic refuses ids with other characters, such as those of Moonshot, `functions.now:0`. */
const callIds = /^[a-zA-Z0-9_-]+$/;

function messageBlocks({ content, toolCalls, raw }: Message, ids: UniqueCallIds): JsonObject[] {
  const unique = ids.ofCalls(toolCalls.map(({ id }) => id));
  const thoughts = thoughtsIn(raw["reasoning_details"]);
  const gap = gapIn(thoughts);
  return [
    ...thoughts.slice(0, gap).map(thinking),
    ...blocks(content),
    ...thoughts.slice(gap).map(thinking),
    ...toolCalls.map((call, at) => ({
      type: "tool_use",
      id: unique[at],
      name: call.name,
      input: argumentsObject(call),
    })),
  ];
}

/** Thinking that Anthropic signed is returned unchanged: without it a tool's answer is refused. */
function thoughtsIn(details: unknown): JsonObject[] {
  return inOnePiece(Array.isArray(details) ? details.filter(isObject) : []).filter(
    ({ format, type, signature }) =>
      format === "anthropic-claude-v1" && (type === "reasoning.encrypted" || readText(signature) !== null),
  );
}

const thinking = ({ type, data, text, signature }: JsonObject): JsonObject =>
  type === "reasoning.encrypted"
    ? { type: "redacted_thinking", data }
    : { type: "thinking", thinking: text ?? "", signature };

/** Details of a stream, which have a thought in pieces and its signature at the end, as those of a whole answer. */
function inOnePiece(details: readonly JsonObject[]): JsonObject[] {
  const whole: JsonObject[] = [];
  for (const detail of details) {
    const last = whole.at(-1);
    const continues =
      last !== undefined &&
      typeof detail["index"] === "number" &&
      ["type", "format", "index"].every((member) => detail[member] === last[member]) &&
      detail["type"] === "reasoning.text" &&
      readText(last["signature"]) === null;
    if (!continues) whole.push({ ...detail });
    else {
      last["text"] = `${readText(last["text"]) ?? ""}${readText(detail["text"]) ?? ""}`;
      last["signature"] = detail["signature"];
    }
  }
  return whole;
}

/** Anthropic refuses texts that are empty, or blank. */
function blocks(content: unknown): JsonObject[] {
  const parts = contentParts(content).filter(({ type, text }) => type !== "text" || readText(text)?.trim() !== "");
  return parts.map(block);
}

function block(part: JsonObject): JsonObject {
  const cached = part["cache_control"] === undefined ? {} : { cache_control: part["cache_control"] };
  switch (part["type"]) {
    case "text":
      return { type: "text", text: part["text"], ...cached };
    case "image_url":
      return { type: "image", source: source(imageAddress(part)), ...cached };
    case "file":
      return { ...fileBlock(isObject(part["file"]) ? part["file"] : {}), ...cached };
    default:
      throw cannotCarry(`Anthropic has no words for a content part of type ${String(part["type"])}`);
  }
}

/** https://docs.anthropic.com/en/docs/build-with-claude/pdf-support: documents are PDF or plain text. @throws CallFailed */
function fileBlock({ file_data: data, filename }: JsonObject): JsonObject {
  const url = readText(data);
  if (url === null) throw cannotCarry("Anthropic takes files by their content or their address, in file_data");
  const inline = readDataUrl(url);
  if (inline?.mediaType.startsWith("image/") === true) return { type: "image", source: source(url) };
  const text = inline?.mediaType.startsWith("text/") === true ? Buffer.from(inline.base64, "base64").toString() : null;
  const held = text === null ? source(url) : { type: "text", media_type: "text/plain", data: text };
  return { type: "document", source: held, ...(typeof filename === "string" ? { title: filename } : {}) };
}

function source(url: string): JsonObject {
  const inline = readDataUrl(url);
  return inline ? { type: "base64", media_type: inline.mediaType, data: inline.base64 } : { type: "url", url };
}

function toolResult({ toolCallId, content }: Message, ids: UniqueCallIds): JsonObject {
  return {
    type: "tool_result",
    tool_use_id: ids.ofResult(toolCallId ?? ""),
    content: typeof content === "string" ? content : blocks(content),
  };
}
