import { runAtOnce, type Turn } from "../../turns.ts";
import { normalize } from "./normalize.ts";

/**
 * `gatehouse/lexical`: similarity of wording, not of meaning. A text becomes the bag of its words, word pairs and
 * character n-grams, each hashed to a coordinate and a sign.
 *
 * Feature hashing with signs: Weinberger, Dasgupta, Langford, Smola, Attenberg, "Feature Hashing for Large Scale
 * Multitask Learning", ICML 2009. Sublinear term frequency (1 + ln tf): Manning, Raghavan, Schütze, "Introduction to
 * Information Retrieval", 2008, §6.4.1. Character n-grams within word boundaries: Bojanowski, Grave, Joulin, Mikolov,
 * "Enriching Word Vectors with Subword Information", TACL 2017.
 */
export const lexical = {
  id: "gatehouse/lexical",
  dimensions: { default: 384, minimum: 8, maximum: 3_072 },
} as const;

const wordWeight = 1;
const pairWeight = 0.6;
const ngramWeight = 0.4;
const shortestNgram = 3;
const longestNgram = 5;

const words = /[\p{L}\p{M}\p{N}]+/gu;
const wordsAndSigns = /[\p{L}\p{M}\p{N}]+|[^\s\p{L}\p{M}\p{N}]/gu;

/** Letters that count as one token: long words, and scripts without spaces, are several. */
const lettersPerToken = 8;

/** Tokens of a text: a word of up to eight letters, or one other visible character. At least 1. */
export function countTokens(text: string): number {
  let tokens = 0;
  for (const [piece] of text.matchAll(wordsAndSigns)) tokens += Math.ceil(piece.length / lettersPerToken);
  return Math.max(1, tokens);
}

/** Characters that are counted in one go. */
const countPiece = 16_384;

export interface CountBounds {
  /** counting stops beyond it: the rest is estimated, at as many tokens for each character */
  readonly most?: number;
  /** counting is given up when it aborts */
  readonly signal?: AbortSignal | undefined;
}

/** As countTokens, without holding the thread; a word where two pieces meet may count one more. */
export async function countInTurns(
  text: string,
  turn: Turn,
  { most = Number.POSITIVE_INFINITY, signal }: CountBounds = {},
): Promise<number> {
  if (text.length <= countPiece) return countTokens(text);
  turn.begin();
  let tokens = 0;
  let from = 0;
  while (from < text.length && tokens <= most) {
    const whole = text.slice(from, from + countPiece);
    const space = from + countPiece < text.length ? whole.lastIndexOf(" ") : -1;
    const piece = space > 0 ? whole.slice(0, space) : whole;
    if (/\S/.test(piece)) tokens += countTokens(piece);
    from += piece.length;
    if (turn.isOver()) await turn.next();
    signal?.throwIfAborted();
  }
  return Math.max(1, from === 0 ? 1 : Math.ceil((tokens * text.length) / from));
}

/** The beginning of a text, as much of it as is at most `most` tokens. */
export function cutTokens(text: string, most: number): string {
  let tokens = 0;
  for (const match of text.matchAll(wordsAndSigns)) {
    const [piece] = match;
    const room = most - tokens;
    tokens += Math.ceil(piece.length / lettersPerToken);
    if (tokens > most) return text.slice(0, match.index + room * lettersPerToken);
  }
  return text;
}

/** FNV-1a over UTF-16 code units, continued from `hash`. */
function extend(hash: number, code: number): number {
  return Math.imul(Math.imul(hash ^ (code & 0xff), 0x01000193) ^ (code >>> 8), 0x01000193);
}

const offsetBasis = 0x811c9dc5;

function hashOf(kind: number, text: string): number {
  let hash = extend(offsetBasis, kind);
  for (let i = 0; i < text.length; i++) hash = extend(hash, text.charCodeAt(i));
  return hash;
}

/** Spreads FNV's weak high bits over the whole word (the finalizer of MurmurHash3). */
function mix(hash: number): number {
  let mixed = hash ^ (hash >>> 16);
  mixed = Math.imul(mixed, 0x85ebca6b);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

type Counts = Map<number, number>;

function count(counts: Counts, feature: number) {
  counts.set(feature, (counts.get(feature) ?? 0) + 1);
}

/** Positions of a word between two pauses. */
const ngramsAtOnce = 1_024;

function* countNgrams(counts: Counts, word: string): Generator<void> {
  // Of numbers, since a text that was put together is slow to be read by the character.
  const bounded = new Uint16Array(word.length + 2);
  bounded[0] = 2;
  for (let i = 0; i < word.length; i++) bounded[i + 1] = word.charCodeAt(i);
  bounded[word.length + 1] = 3;
  for (let start = 0; start < bounded.length; start++) {
    let hash = extend(offsetBasis, 3);
    const end = Math.min(bounded.length, start + longestNgram);
    for (let i = start; i < end; i++) {
      hash = extend(hash, bounded[i] ?? 0);
      if (i - start + 1 >= shortestNgram) count(counts, hash);
    }
    if (start % ngramsAtOnce === ngramsAtOnce - 1) yield;
  }
}

/** Words, and features, between two pauses. */
const wordsAtOnce = 64;
const featuresAtOnce = 8_192;

function* add(vector: Float64Array, counts: Counts, weight: number): Generator<void> {
  let done = 0;
  for (const [feature, times] of counts) {
    if ((done += 1) % featuresAtOnce === 0) yield;
    const mixed = mix(feature);
    const sign = mixed >>> 31 === 0 ? 1 : -1;
    const at = (mixed & 0x7fffffff) % vector.length;
    vector[at] = (vector[at] ?? 0) + sign * weight * (1 + Math.log(times));
  }
}

/**
 * The vector of a text: unit length, the same on every machine for one version of Unicode.
 * @param dimensions how many coordinates; within `lexical.dimensions`
 */
export function embedText(text: string, dimensions: number): Float32Array {
  return runAtOnce(embedSteps(text, dimensions));
}

/** As embedText, pausing every millisecond or so. */
export function* embedSteps(text: string, dimensions: number): Generator<void, Float32Array> {
  const normal = normalize(text).toLowerCase();
  const singles: Counts = new Map();
  const pairs: Counts = new Map();
  const ngrams: Counts = new Map();
  let previous: string | null = null;
  let seen = 0;
  for (const [word] of normal.matchAll(words)) {
    count(singles, hashOf(1, word));
    if (previous !== null) count(pairs, hashOf(2, `${previous} ${word}`));
    yield* countNgrams(ngrams, word);
    previous = word;
    if ((seen += 1) % wordsAtOnce === 0) yield;
  }
  // A text without a single letter or digit still has a wording: its characters.
  if (previous === null) yield* countNgrams(ngrams, normal);

  const vector = new Float64Array(dimensions);
  yield* add(vector, singles, wordWeight);
  yield* add(vector, pairs, pairWeight);
  yield* add(vector, ngrams, ngramWeight);
  return unit(vector, mix(hashOf(4, normal)) % dimensions);
}

/** Scaled to length 1; a vector whose features cancelled out becomes the unit vector of coordinate `fallback`. */
function unit(vector: Float64Array, fallback: number): Float32Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const result = new Float32Array(vector.length);
  if (squares === 0) {
    result[fallback] = 1;
    return result;
  }
  const length = Math.sqrt(squares);
  for (let i = 0; i < vector.length; i++) result[i] = (vector[i] ?? 0) / length;
  return result;
}
