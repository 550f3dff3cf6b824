import { isObject, readOpenAiUsage, readText } from "../../providers/answer.ts";
import { numbersIn } from "./number-list.ts";
import type { EncodingFormat, Usage } from "../../providers/provider.ts";

/** An answer whose vectors are passed on as the original bytes. */
export interface PassedThrough {
  /** the JSON of `data` */
  readonly data: Buffer;
  readonly usage: Usage | null;
  /** the vendor's own name of the model that answered; null: the answer does not say */
  readonly model: string | null;
  /** where each vector's JSON begins and ends in `data` */
  readonly spans: readonly (readonly [number, number])[];
  /** how many numbers each vector has; the same for all */
  readonly dimensions: number;
}

const largestEnvelope = 4_096;
const embeddingMember = Buffer.from('"embedding":');
const dataMember = Buffer.from('"data"');

/**
 * Splits an embeddings answer without parsing its vectors: everything around them is parsed as JSON, and the vectors
 * are scanned once for bytes that cannot be in a list of numbers. Null when the answer does not look as expected; then
 * it has to be parsed, which finds out what is wrong.
 * @param isClean whether the text around the vectors may be passed on. A vendor can spell anything it wants in a
 * vector, in base64 or as numbers, but no vector repeats by accident what the vendor was sent
 */
export function passThrough(
  body: Buffer,
  count: number,
  format: EncodingFormat,
  isClean: (text: string) => boolean,
): PassedThrough | null {
  const member = body.indexOf(dataMember);
  if (member === -1 || member > largestEnvelope) return null;
  let from = member + dataMember.length;
  while (body[from] === 0x20 || body[from] === 0x0a || body[from] === 0x3a) from++;
  const end = body.lastIndexOf("]") + 1;
  if (body[from] !== 0x5b || end <= from || body.length - end > largestEnvelope) return null;

  const before = parse(`${body.toString("utf8", 0, member)}"_":0}`);
  const after = parse(`{"_":0${body.toString("utf8", end)}`);
  if (!isObject(before) || !isObject(after)) return null;
  const data = body.subarray(from, end);
  const spans = spansOf(data, format);
  if (spans.length !== count || !isListOf(count, data, spans, isClean)) return null;
  const dimensions = dimensionsOf(data, spans, format);
  if (dimensions === null) return null;
  const usage = readOpenAiUsage(after["usage"] ?? before["usage"]);
  return { data, usage, model: readText(after["model"] ?? before["model"]), spans, dimensions };
}

/** Where the vectors are; those in a format other than `format` are omitted. */
function spansOf(data: Buffer, format: EncodingFormat): [number, number][] {
  const [opening, closing] = format === "base64" ? ([0x22, '"'] as const) : ([0x5b, "]"] as const);
  const spans: [number, number][] = [];
  for (let at = data.indexOf(embeddingMember); at !== -1;) {
    let value = at + embeddingMember.length;
    while (data[value] === 0x20) value++;
    const end = data[value] === opening ? data.indexOf(closing, value + 1) + 1 : 0;
    if (end > 0) spans.push([value, end]);
    at = data.indexOf(embeddingMember, Math.max(value, end));
  }
  return spans;
}

/** Whether the list, apart from its vectors, consists of embedding objects in the order of the inputs. */
function isListOf(
  count: number,
  data: Buffer,
  spans: readonly (readonly [number, number])[],
  isClean: (text: string) => boolean,
): boolean {
  let skeleton = "";
  let from = 0;
  for (const [start, end] of spans) {
    skeleton += `${data.toString("utf8", from, start)}0`;
    from = end;
  }
  skeleton += data.toString("utf8", from);
  if (!isClean(skeleton)) return false;
  const list = parse(skeleton);
  return (
    Array.isArray(list) &&
    list.length === count &&
    list.every((item, index) => isObject(item) && item["object"] === "embedding" && item["index"] === index)
  );
}

/** How many numbers each vector has; null when they differ, or when one contains something else. */
function dimensionsOf(
  data: Buffer,
  spans: readonly (readonly [number, number])[],
  format: EncodingFormat,
): number | null {
  let dimensions: number | null = null;
  for (const [start, end] of spans) {
    const own = format === "base64" ? floatsIn(data, start + 1, end - 1) : numbersIn(data.subarray(start + 1, end - 1));
    if (own === null || (dimensions !== null && own !== dimensions)) return null;
    dimensions = own;
  }
  return dimensions;
}

/** Base64 of float32; the decoder skips invalid characters, so the length reveals them. */
function floatsIn(data: Buffer, from: number, to: number): number | null {
  const text = data.toString("latin1", from, to);
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  const bytes = Buffer.from(text, "base64");
  if (bytes.length === 0 || bytes.length % 4 !== 0 || bytes.length !== (text.length / 4) * 3 - padding) return null;
  // A number is not finite where all bits of its exponent are set (IEEE 754).
  for (let at = 2; at < bytes.length; at += 4) {
    if (((bytes[at + 1] ?? 0) & 0x7f) === 0x7f && ((bytes[at] ?? 0) & 0x80) !== 0) return null;
  }
  return bytes.length / 4;
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}
