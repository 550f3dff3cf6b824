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

/** Spreads FNV's weak high bits over the whole word (the finaliser of MurmurHash3). */
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

function countNgrams(counts: Counts, word: string) {
  const bounded = `\u0002${word}\u0003`;
  for (let start = 0; start < bounded.length; start++) {
    let hash = extend(offsetBasis, 3);
    const end = Math.min(bounded.length, start + longestNgram);
    for (let i = start; i < end; i++) {
      hash = extend(hash, bounded.charCodeAt(i));
      if (i - start + 1 >= shortestNgram) count(counts, hash);
    }
  }
}

function add(vector: Float64Array, counts: Counts, weight: number) {
  for (const [feature, times] of counts) {
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
  const normal = text.normalize("NFKC").toLowerCase();
  const singles: Counts = new Map();
  const pairs: Counts = new Map();
  const ngrams: Counts = new Map();
  let previous: string | null = null;
  for (const [word] of normal.matchAll(words)) {
    count(singles, hashOf(1, word));
    if (previous !== null) count(pairs, hashOf(2, `${previous} ${word}`));
    countNgrams(ngrams, word);
    previous = word;
  }
  // A text without a single letter or digit still has a wording: its characters.
  if (previous === null) countNgrams(ngrams, normal);

  const vector = new Float64Array(dimensions);
  add(vector, singles, wordWeight);
  add(vector, pairs, pairWeight);
  add(vector, ngrams, ngramWeight);
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
