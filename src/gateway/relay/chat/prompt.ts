import { isObject } from "../../providers/answer.ts";
import { type CountBounds, countInTurns } from "../../providers/local/lexical.ts";
import { isImagePart } from "../../providers/messages.ts";
import type { Turn } from "../../turns.ts";
import type { ChatRequest } from "./request.ts";

/** The size of a prompt. */
export interface Prompt {
  /** the gateway's own count, for vendors that report none */
  readonly tokens: number;
  readonly images: number;
}

/**
 * Counts all text of the request that a vendor reads, and its images. Only a part of an oversized prompt is counted.
 */
export async function promptOf(
  { messages, body }: Pick<ChatRequest, "messages" | "body">,
  turn: Turn,
  { most = Number.POSITIVE_INFINITY, signal }: CountBounds,
): Promise<Prompt> {
  const texts: string[] = [];
  let images = 0;
  for (const message of messages) {
    const { content, tool_calls } = message;
    if (tool_calls !== undefined) texts.push(written(tool_calls));
    if (Array.isArray(message["images"])) images += message["images"].length;
    if (typeof content === "string") texts.push(content);
    if (!Array.isArray(content)) continue;
    for (const part of content) {
      if (!isObject(part)) continue;
      const image = isImagePart(part);
      // Some vendors take an image in parts of other types, too.
      if (image || /image/.test(String(part["type"]))) images += 1;
      if (typeof part["text"] === "string") texts.push(part["text"]);
      else if (!image) texts.push(written(part));
    }
  }
  if (body["tools"] !== undefined) texts.push(written(body["tools"]));
  if (body["response_format"] !== undefined) texts.push(written(body["response_format"]));
  let tokens = 4 * messages.length;
  let read = 0;
  for (const text of texts) {
    if (tokens > most) break;
    if (text !== "") tokens += await countInTurns(text, turn, { most: most - tokens, signal });
    read += text.length;
  }
  const all = texts.reduce((sum, text) => sum + text.length, 0);
  if (read < all) tokens = Math.ceil((tokens * all) / Math.max(1, read));
  return { tokens, images };
}

/** Base64 audio and files do not count as text. */
function written(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    typeof each === "string" && each.length > longestText ? `${each.length} characters` : each,
  );
}

const longestText = 65_536;
