import { isObject, readText, type JsonObject } from "../../providers/answer.ts";

/**
 * Clients of this dialect send back of a thought what OpenAI's own thoughts have: its `encrypted_content`. So that is where
 * the signature of another vendor's thought travels, with its text and format: without them Anthropic refuses the next
 * turn of a loop of tools.
 */
const mark = "gatehouse-thought.";

const own = /^(?:openai|azure-openai|xai)-responses-/;
/** Characters of a thought that are carried; a longer one is in the item's own `content`. */
const mostText = 100_000;
const mostCarried = 1_000_000;

/** What carries a thought of `reasoning_details`; null: it has nothing that makes it valid for its vendor. */
export function carriedThought({ type, text, signature, data, format }: JsonObject): string | null {
  const isSigned = typeof signature === "string" && signature !== "";
  const isSealed = type === "reasoning.encrypted" && typeof data === "string" && !own.test(readText(format) ?? "");
  if (!isSigned && !isSealed) return null;
  const said = typeof text === "string" && text.length <= mostText ? { text } : {};
  const detail = isSealed ? { type, data, format } : { type: "reasoning.text", ...said, signature, format };
  return mark + Buffer.from(JSON.stringify(detail)).toString("base64url");
}

export function isCarried(content: unknown): content is string {
  return typeof content === "string" && content.startsWith(mark);
}

/** The thought again, as an entry of `reasoning_details`. @returns null where the caller changed it */
export function thoughtCarriedBy(content: string): JsonObject | null {
  if (content.length > mostCarried) return null;
  try {
    const detail: unknown = JSON.parse(Buffer.from(content.slice(mark.length), "base64url").toString());
    return isObject(detail) ? detail : null;
  } catch {
    return null;
  }
}
