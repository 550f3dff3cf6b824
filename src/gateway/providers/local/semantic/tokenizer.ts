import { normalize } from "../normalize.ts";

/** Pieces of text with their log probabilities; a number, or lost where the file has none. */
export type Vocabulary = readonly (readonly [piece: string, score: number | null])[];

export interface Tokens {
  readonly ids: readonly number[];
  /** for each character, under the model's own vocabulary */
  readonly logProbability: number;
  /** the share of its characters that the vocabulary does not have, 0 to 1 */
  readonly unknown: number;
}

/** Ids below it are control symbols, which no text has. */
const reserved = 6;
const unknownId = 0;
/** How much less likely than the rarest piece an unknown character is (SentencePiece, `kUnkPenalty`). */
const unknownPenalty = 10;
const space = "▁";

/**
 * SentencePiece's unigram model: the most likely way to put a text together from pieces, found by Viterbi's algorithm.
 * Kudo, "Subword Regularization", ACL 2018, §3.2. Takes time in proportion to the text, whatever the text is.
 */
export function createTokenizer(vocabulary: Vocabulary): (text: string) => Tokens {
  const { step, pieceAt } = trieOf(vocabulary);
  const scores = scoresOf(vocabulary);
  const unknownScore = scores.reduce((least, score) => Math.min(least, score), 0) - unknownPenalty;

  return (text) => {
    const symbols = symbolsOf(text);
    const { length } = symbols;
    const best = new Float64Array(length + 1).fill(Number.NEGATIVE_INFINITY);
    const last = new Int32Array(length + 1);
    const from = new Int32Array(length + 1);
    best[0] = 0;
    const offer = (start: number, end: number, id: number, score: number) => {
      const sum = (best[start] ?? 0) + score;
      if (sum <= (best[end] ?? 0)) return;
      best[end] = sum;
      last[end] = id;
      from[end] = start;
    };
    for (let start = 0; start < length; start += 1) {
      // Within a character of two code units.
      if (best[start] === Number.NEGATIVE_INFINITY) continue;
      const width = (symbols.codePointAt(start) ?? 0) > 0xffff ? 2 : 1;
      let known = false;
      let node = step(0, symbols.charCodeAt(start));
      for (let end = start + 1; node !== undefined; end += 1) {
        const id = pieceAt[node] ?? -1;
        if (id !== -1) offer(start, end, id, scores[id] ?? 0);
        if (id !== -1 && end === start + width) known = true;
        node = end < length ? step(node, symbols.charCodeAt(end)) : undefined;
      }
      if (!known) offer(start, start + width, unknownId, unknownScore);
    }
    const ids: number[] = [];
    let unknown = 0;
    for (let end = length; end > 0; end = from[end] ?? 0) {
      const id = last[end] ?? unknownId;
      if (id === unknownId) unknown += end - (from[end] ?? 0);
      // Unknown characters in a row are one token.
      if (id !== unknownId || ids.at(-1) !== unknownId) ids.push(id);
    }
    const characters = length - symbols.split(space).length + 1;
    return {
      ids: ids.toReversed(),
      logProbability: length === 0 ? 0 : (best[length] ?? 0) / length,
      unknown: unknown / Math.max(1, characters),
    };
  };
}

/** As SentencePiece prepares texts: compatibility characters replaced, white space in one form, a space in front. */
function symbolsOf(text: string): string {
  const words = normalize(text).split(/\s+/u).filter(Boolean);
  return words.map((word) => space + word).join("");
}

/** Nodes are numbers; node 0 is the root. */
function trieOf(vocabulary: Vocabulary) {
  const edges = new Map<number, number>();
  const pieceAt: number[] = [-1];
  for (const [id, [piece]] of vocabulary.entries()) {
    if (id < reserved) continue;
    let node = 0;
    for (let at = 0; at < piece.length; at += 1) {
      const edge = node * 0x10000 + piece.charCodeAt(at);
      node = edges.get(edge) ?? pieceAt.push(-1) - 1;
      edges.set(edge, node);
    }
    pieceAt[node] = id;
  }
  return { pieceAt, step: (node: number, unit: number) => edges.get(node * 0x10000 + unit) };
}

/** Pieces come in the order of their scores, so one that is lost or impossible is that of the piece before it. */
function scoresOf(vocabulary: Vocabulary): Float64Array {
  const scores = new Float64Array(vocabulary.length);
  for (const [id, [, score]] of vocabulary.entries()) {
    scores[id] = id >= reserved && (score === null || score >= 0) ? (scores[id - 1] ?? 0) : (score ?? 0);
  }
  return scores;
}
