/**
 * Clients of this dialect send back of a thought what OpenAI's own thoughts have: its `encrypted_content`. So that is where
 * the signature of another vendor's thought travels, with its text and format: without them Anthropic refuses the next
 * turn of a loop of tools. A caller can write such a text itself: it is trusted no more than any other member.
 */
const mark = "gatehouse-thought.";

const own = /^(?:openai|azure-openai|xai)-responses-/;
/** Characters of a thought that are carried; a longer one is in the item's own `content`. */
const mostText = 100_000;
const mostCarried = 1_000_000;

/** An entry of `reasoning_details`. */
type Detail = Readonly<Record<string, unknown>>;

/** What carries a thought of `reasoning_details`; null: it has nothing that makes it valid for its vendor. */
export function carriedThought({ type, text, signature, data, format }: Detail): string | null {
  const isSigned = typeof signature === "string" && signature !== "";
  const isOwn = typeof format === "string" && own.test(format);
  const isSealed = type === "reasoning.encrypted" && typeof data === "string" && !isOwn;
  if (!isSigned && !isSealed) return null;
  const said = typeof text === "string" && text.length <= mostText ? { text } : {};
  const detail = isSealed ? { type, data, format } : { type: "reasoning.text", ...said, signature, format };
  return written(detail);
}

const written = (detail: Detail) => mark + Buffer.from(JSON.stringify(detail)).toString("base64url");

export function isCarried(content: unknown): content is string {
  return typeof content === "string" && content.startsWith(mark);
}

/** The thought again, as an entry of `reasoning_details`. @returns null where the caller changed it */
export function thoughtCarriedBy(content: string): Readonly<Record<string, string>> | null {
  if (content.length > mostCarried) return null;
  try {
    const detail: unknown = JSON.parse(Buffer.from(content.slice(mark.length), "base64url").toString());
    if (typeof detail !== "object" || detail === null) return null;
    const { type, text, signature, data, format } = detail as Detail;
    const own = type === "reasoning.encrypted" ? { data } : { text, signature };
    const members = Object.entries({ type, ...own, format }).filter(([, value]) => value !== undefined);
    const isThought = type === "reasoning.encrypted" || type === "reasoning.text";
    if (!isThought || members.some(([, value]) => typeof value !== "string")) return null;
    return Object.fromEntries(members) as Record<string, string>;
  } catch {
    return null;
  }
}

/** What carries a thought with its text as `read` has it; the same where that is as it was, or where it is no thought. */
export function readCarried(content: string, read: (text: string, isSigned: boolean) => string): string {
  const detail = isCarried(content) ? thoughtCarriedBy(content) : null;
  if (detail?.["text"] === undefined) return content;
  const text = read(detail["text"], (detail["signature"] ?? "") !== "");
  return text === detail["text"] ? content : written({ ...detail, text });
}
