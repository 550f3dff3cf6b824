import type { PairMedian } from "./protocol.ts";
import { makeRandom } from "./random.ts";
import { cosine, type VectorView } from "./vectors.ts";

const mostPairs = 2_000;

/**
 * The middle of the cosines of pairs drawn at random, the same ones each time: about what a model gives rows that have
 * nothing to do with each other. Of few rows every pair is taken; null where there is none.
 */
export function pairMedian(view: VectorView, seed = 7): PairMedian | null {
  const { rows } = view;
  const all = (rows.length * (rows.length - 1)) / 2;
  if (all === 0) return null;
  const scores: number[] = [];
  if (all <= mostPairs) {
    for (const [i, row] of rows.entries())
      for (const other of rows.subarray(i + 1)) scores.push(cosine(view, row, other));
  } else {
    const random = makeRandom(seed);
    const below = (count: number) => Math.floor(random() * count);
    while (scores.length < mostPairs) {
      const i = below(rows.length);
      // the second is one of the others: what lies from the first on moves up by one
      const j = below(rows.length - 1);
      scores.push(cosine(view, rows[i] ?? 0, rows[j < i ? j : j + 1] ?? 0));
    }
  }
  const sorted = Float64Array.from(scores).toSorted();
  const half = (sorted.length - 1) / 2;
  return {
    median: ((sorted[Math.floor(half)] ?? 0) + (sorted[Math.ceil(half)] ?? 0)) / 2,
    pairs: sorted.length,
    every: all <= mostPairs,
  };
}
