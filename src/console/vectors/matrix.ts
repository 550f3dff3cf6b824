import { pairMedian } from "./pair-median.ts";
import type { MatrixResult } from "./protocol.ts";
import { nearlySame } from "./similarity-scale.ts";
import { chainOrder, closestPairs, similarities } from "./similarity.ts";
import type { VectorView } from "./vectors.ts";

/** A larger square would not fit on a screen, nor its reading into a few seconds. */
export const mostMatrixRows = 2_000;
const pairsListed = 200;

/**
 * The square of cosines in an order: as given (rows of the table), unsorted (null), or with similar rows next to each
 * other; of all rows, or `among` some. `least` and `most` exclude the diagonal.
 */
export function similarityMatrix(
  view: VectorView,
  order: readonly number[] | "alike" | null,
  among: readonly number[] | null = null,
): MatrixResult {
  const there = new Set(view.rows);
  const wanted = Array.isArray(order) ? Int32Array.from(order.filter((row) => there.has(row))) : view.rows;
  const part = among && new Set(among);
  const rows = (part ? wanted.filter((row) => part.has(row)) : wanted).slice(0, mostMatrixRows);
  const found = similarities(view, rows);
  const pairs = closestPairs(found, pairsListed).map(({ i, j, score }) => ({
    a: rows[i] ?? 0,
    b: rows[j] ?? 0,
    score,
  }));
  const chain = order === "alike" ? chainOrder(found) : null;
  const { size, values } = chain ? reordered(found, chain) : found;
  let [least, most, same] = [1, -1, 0];
  for (let i = 0; i < size; i += 1) {
    for (let j = i + 1; j < size; j += 1) {
      const score = values[i * size + j] ?? 0;
      least = Math.min(least, score);
      most = Math.max(most, score);
      if (score >= nearlySame) same += 1;
    }
  }
  const ordered = chain ? chain.map((place) => rows[place] ?? 0) : rows;
  return { rows: ordered, scores: values, pairs, least, most, same, median: pairMedian(view) };
}

function reordered({ size, values }: { size: number; values: Float32Array }, order: Int32Array) {
  const moved = new Float32Array(values.length);
  for (const [i, own] of order.entries()) {
    for (let j = 0; j < size; j += 1) moved[i * size + j] = values[own * size + (order[j] ?? 0)] ?? 0;
  }
  return { size, values: moved };
}
