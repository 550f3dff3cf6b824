import { isObject, readOpenAiUsage } from "../providers/answer.ts";
import type { EncodingFormat, Usage } from "../providers/provider.ts";

/** An answer whose vectors are passed on as the bytes that they came in. */
export interface PassedThrough {
  /** the JSON of `data` */
  readonly data: Buffer;
  readonly usage: Usage | null;
  /** where in `data` each vector's JSON begins and ends */
  readonly spans: readonly (readonly [number, number])[];
}

const largestEnvelope = 4_096;
const embeddingMember = Buffer.from('"embedding":');
const dataMember = Buffer.from('"data"');

/**
 * Takes an embeddings answer apart without parsing its vectors: what stands before and after the list `data` is parsed
 * as JSON, the list is only counted. Null when the answer does not look as expected; then it has to be parsed.
 */
export function passThrough(body: Buffer, count: number, format: EncodingFormat): PassedThrough | null {
  const member = body.indexOf(dataMember);
  if (member === -1 || member > largestEnvelope) return null;
  let from = member + dataMember.length;
  while (body[from] === 0x20 || body[from] === 0x0a || body[from] === 0x3a) from++;
  const end = body.lastIndexOf("]") + 1;
  if (body[from] !== 0x5b || end <= from || body.length - end > largestEnvelope) return null;

  const before = parse(`${body.toString("utf8", 0, member)}"_":0}`);
  const after = parse(`{"_":0${body.toString("utf8", end)}`);
  if (before === null || after === null) return null;
  const data = body.subarray(from, end);
  const spans = spansOf(data, format);
  // Another list behind the last vector would mean that `data` ended before the last `]`.
  const behind = spans.at(-1)?.[1] ?? 0;
  if (spans.length !== count || data.indexOf("[", behind) !== -1) return null;
  if (count > 1 && !inOrder(data, count)) return null;
  return { data, usage: readOpenAiUsage(after["usage"] ?? before["usage"]), spans };
}

/** Where the vectors are; those in another form than `format` are left out. */
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

const indexMember = Buffer.from('"index":');

function inOrder(data: Buffer, count: number): boolean {
  let expected = 0;
  for (let at = data.indexOf(indexMember); at !== -1; at = data.indexOf(indexMember, at + 1)) {
    const text = data.toString("latin1", at + indexMember.length, at + indexMember.length + 12);
    if (Number.parseInt(text, 10) !== expected) return false;
    expected += 1;
  }
  return expected === count;
}

function parse(json: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(json);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
