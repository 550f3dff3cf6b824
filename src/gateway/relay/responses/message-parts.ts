import type { JsonObject } from "../../providers/answer.ts";
import type { LongText } from "./long-text.ts";
import type { Item, StreamEvent } from "./stream-events.ts";

/** The text of a message, or why the model refuses; numbered within its item. */
export interface Part {
  readonly index: number;
  /** characters of its annotations */
  cited: number;
  readonly type: "output_text" | "refusal";
  readonly text: LongText;
  readonly annotations: JsonObject[];
}

/** A message that is being written. */
export interface Message extends Item {
  /** those that are written */
  readonly content: JsonObject[];
  /** characters of those */
  size: number;
  part: Part | null;
}

/** Characters of a part or an annotation besides its texts. */
export const roomOfPart = 256;

export const partAt = ({ id, index }: Item, part: Part) => ({
  item_id: id,
  output_index: index,
  content_index: part.index,
});

export function partOf({ type, annotations }: Part, text: string): JsonObject {
  if (type === "refusal") return { type, refusal: text };
  return { type, text, annotations, logprobs: [] };
}

export function* closePart(message: Message): Generator<StreamEvent, void, void> {
  const { part } = message;
  if (part === null) return;
  message.part = null;
  const text = part.text.whole();
  const size = text.length + part.cited;
  const at = partAt(message, part);
  const said = part.type === "refusal" ? { refusal: text } : { text, logprobs: [] };
  yield { type: `response.${part.type}.done`, members: { ...at, ...said }, size: text.length };
  const whole = partOf(part, text);
  message.content.push(whole);
  message.size += size + roomOfPart;
  yield { type: "response.content_part.done", members: { ...at, part: whole }, size };
}
