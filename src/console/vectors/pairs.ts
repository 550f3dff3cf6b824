import { ranksOfFloats } from "./rank-correlation.ts";
import type { Pause } from "./turns.ts";
import { viewOf, type VectorTable } from "./vectors.ts";

/** All pairs of some rows by their cosines, one number a pair, in one way of looking at them. */
export interface Pairs {
  size: number;
  /** first those of row 0 with all after it, then those of row 1 … */
  scores: Float32Array;
  /** of the scores, once they were asked for */
  ranks?: Float64Array | undefined;
}

export const noPairs: Pairs = { size: 0, scores: new Float32Array() };

/** Where the pairs of row `i` with the rows after it begin, less `i + 1`. */
const startOf = (i: number, size: number) => i * size - (i * (i + 1)) / 2 - i - 1;

export const ranksOf = (pairs: Pairs): Float64Array => (pairs.ranks ??= ranksOfFloats(pairs.scores));

interface CutPairs extends Pairs {
  used: number;
  norms: Float64Array;
  /** lets go of the numbers, once they were compared */
  release(): void;
}

/**
 * The cosines of all pairs of `rows`, in the first numbers of each vector and in more and more of them. One walk along
 * the vectors serves every cut: a cut vector's products are what the walk has added up by then. Four columns are walked
 * at a time, so that four products are added up for five numbers that are read.
 *
 * @param cuts ascending, the last at most the table's dimensions
 */
export async function pairsAt(
  table: VectorTable,
  rows: Int32Array,
  cuts: readonly number[],
  pause: Pause,
): Promise<CutPairs[]> {
  const size = rows.length;
  const total = (size * (size - 1)) / 2;
  const found = cuts.map((used): CutPairs => {
    const { norms } = viewOf(table, used);
    return {
      used,
      norms: Float64Array.from(rows, (row) => norms[row] ?? 0),
      size,
      scores: new Float32Array(total),
      release() {
        this.scores = new Float32Array();
        this.ranks = undefined;
      },
    };
  });
  const starts = rows.map((row) => row * table.dimensions);
  for (let i = 0; i < size; i += 1) {
    for (let j = i + 1; j < size; j += 4) scorePairs(table.data, { found, starts, i, j, size });
    await pause((startOf(i, size) + size) / (total || 1));
  }
  return found;
}

interface Place {
  found: readonly CutPairs[];
  starts: Int32Array;
  i: number;
  j: number;
  size: number;
}

/** Row `i` with up to four rows from `j` on; where fewer are left, the last is walked along again. */
function scorePairs(data: Float32Array, { found, starts, i, j, size }: Place): void {
  const count = Math.min(4, size - j);
  const last = j + count - 1;
  const a = starts[i] ?? 0;
  const b = starts[j] ?? 0;
  const c = starts[Math.min(j + 1, last)] ?? 0;
  const d = starts[Math.min(j + 2, last)] ?? 0;
  const e = starts[last] ?? 0;
  const at = startOf(i, size) + j;
  let from = 0;
  let [ab, ac, ad, ae] = [0, 0, 0, 0];
  for (const { used, norms, scores } of found) {
    for (let k = from; k < used; k += 1) {
      const own = data[a + k] ?? 0;
      ab += own * (data[b + k] ?? 0);
      ac += own * (data[c + k] ?? 0);
      ad += own * (data[d + k] ?? 0);
      ae += own * (data[e + k] ?? 0);
    }
    from = used;
    const length = norms[i] ?? 0;
    scores[at] = quotient(ab, length * (norms[j] ?? 0));
    if (count > 1) scores[at + 1] = quotient(ac, length * (norms[j + 1] ?? 0));
    if (count > 2) scores[at + 2] = quotient(ad, length * (norms[j + 2] ?? 0));
    if (count > 3) scores[at + 3] = quotient(ae, length * (norms[j + 3] ?? 0));
  }
}

/** A vector of zeros is like nothing. */
const quotient = (product: number, length: number) => (length === 0 ? 0 : product / length);

/**
 * The part of the `k` nearest to each row that two ways of looking share. Rows that both find equally near are taken in
 * the same order by both; where one of them tells no row from another, what is left is chance.
 */
export async function sharedNeighbors(a: Pairs, b: Pairs, k: number, pause: Pause): Promise<number> {
  const { size } = a;
  const [inA, inB] = [new Float32Array(size), new Float32Array(size)];
  const top = new Float32Array(k);
  let shared = 0;
  for (let i = 0; i < size; i += 1) {
    gather(a, i, inA);
    gather(b, i, inB);
    const [left, right] = [boundOf(inA, top), boundOf(inB, top)];
    for (let j = 0; j < size; j += 1) {
      const score = inA[j] ?? 0;
      // `-Infinity` is the row itself
      if (score < left.least || score === Number.NEGATIVE_INFINITY) continue;
      shared += Math.min(chanceOf(score, left), chanceOf(inB[j] ?? 0, right));
    }
    await pause(i / size);
  }
  return shared / k / size;
}

/** The cosines of row `i` with every row, in their order; with itself, below all others. */
function gather({ size, scores }: Pairs, i: number, into: Float32Array): void {
  for (let j = 0, at = i - 1; j < i; j += 1) {
    into[j] = scores[at] ?? 0;
    at += size - j - 2;
  }
  into[i] = Number.NEGATIVE_INFINITY;
  const start = startOf(i, size) + i + 1;
  into.set(scores.subarray(start, start + size - i - 1), i + 1);
}

/** The least score that is among the highest ones, and how likely a row that has just this one is among them. */
interface Bound {
  least: number;
  chance: number;
}

/** @param top room for as many scores as are looked for */
function boundOf(scores: Float32Array, top: Float32Array): Bound {
  const last = top.length - 1;
  top.fill(Number.NEGATIVE_INFINITY);
  for (const score of scores) {
    if (!(score > (top[last] ?? 0))) continue;
    let at = last;
    for (; at > 0 && (top[at - 1] ?? 0) < score; at -= 1) top[at] = top[at - 1] ?? 0;
    top[at] = score;
  }
  const least = top[last] ?? 0;
  let [nearer, tied] = [0, 0];
  for (const score of scores) {
    if (score > least) nearer += 1;
    else if (score === least) tied += 1;
  }
  return { least, chance: (top.length - nearer) / Math.max(1, tied) };
}

/** Where several are equally near, not all of which find room, each has the same chance. */
const chanceOf = (score: number, { least, chance }: Bound) => (score > least ? 1 : score === least ? chance : 0);
