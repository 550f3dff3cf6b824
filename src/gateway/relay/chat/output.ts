import { countTokens } from "../../providers/local/lexical.ts";

/** Counting megabytes of text takes long: only the beginning is counted, and the rest is extrapolated. */
const countedAtOnce = 262_144;

/** What a vendor wrote. A long one is known by its beginning: joined, it would hold the thread. */
export interface Output {
  /** the whole text where it has at most 262,144 characters, else its beginning */
  readonly text: string;
  /** characters of the whole text */
  readonly length: number;
  /** of the whole text as UTF-8 */
  readonly bytes: number;
}

export const noOutput: Output = { text: "", length: 0, bytes: 0 };

export function outputOf(texts: readonly string[]): Output {
  const sum = (sizeOf: (text: string) => number) => texts.reduce((total, text) => total + sizeOf(text), 0);
  return outputInPieces(
    texts,
    sum(({ length }) => length),
    sum((text) => Buffer.byteLength(text)),
  );
}

/** @param length of all pieces together, characters @param bytes of all of them, as UTF-8 */
export function outputInPieces(pieces: readonly string[], length: number, bytes: number): Output {
  const beginning: string[] = [];
  let held = 0;
  for (const piece of pieces) {
    if (held >= countedAtOnce) break;
    beginning.push(piece);
    held += piece.length;
  }
  return { text: beginning.join("").slice(0, countedAtOnce), length, bytes };
}

/** The gateway's count of its tokens. */
export function countOutput({ text, length }: Output): number {
  if (length === 0) return 0;
  return text.length === length ? countTokens(text) : Math.ceil((countTokens(text) * length) / text.length);
}
