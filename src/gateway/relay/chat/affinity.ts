import { createHash } from "node:crypto";
import { isObject } from "../../providers/answer.ts";
import type { ChatRequest } from "./request.ts";

/** Shorter prompts are in no vendor's cache: https://platform.openai.com/docs/guides/prompt-caching */
const leastCached = 1_024;
/** Characters of each message that are compared: two conversations that begin alike this long may go to one provider. */
const compared = 16_384;
/** Messages before the first of the user, such as the system's. */
const mostBefore = 8;

/**
 * What the calls of one conversation have in common: their session, the cache key that they give the vendor, or else,
 * from the length on that vendors cache, their messages up to the first of the user. Null: nothing.
 */
export function affinityOf({ sessionId, cacheKey, messages }: ChatRequest, promptTokens: number): string | null {
  if (sessionId !== null) return `session ${sessionId}`;
  if (cacheKey !== null) return `cache ${cacheKey.slice(0, compared)}`;
  if (promptTokens < leastCached) return null;
  const first = messages.findIndex(({ role }) => role === "user");
  if (first === -1) return null;
  const hash = createHash("sha256");
  for (const { role, content } of messages.slice(Math.max(0, first - mostBefore), first + 1)) {
    hash.update(`\0${String(role)}\0${textOf(content).slice(0, compared)}`);
  }
  return `beginning ${hash.digest("base64url")}`;
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  let text = "";
  for (const part of content) {
    if (text.length >= compared) break;
    if (isObject(part) && typeof part["text"] === "string") text += part["text"].slice(0, compared);
  }
  return text;
}
