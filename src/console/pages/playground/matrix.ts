import type { MatrixResult } from "./protocol.ts";
import { chainOrder, closestPairs, similarities } from "./similarity.ts";
import type { VectorView } from "./vectors.ts";

/** A larger square would not fit on a screen, nor its reading into a few seconds. */
export const mostMatrixRows = 2_000;
const pairsListed = 200;

/**
 * The square of cosines in an order: as given (rows of the table), as they come (null), or so that the alike stand
 * together. `least` and `most` leave the diagonal out.
 */
export function similarityMatrix(view: VectorView, order: readonly number[] | "alike" | null): MatrixResult {
  const there = new Set(view.rows);
  const wanted = Array.isArray(order) ? Int32Array.from(order.filter((row) => there.has(row))) : view.rows;
  const rows = wanted.slice(0, mostMatrixRows);
  const found = similarities(view, rows);
  const pairs = closestPairs(found, pairsListed).map(({ i, j, score }) => ({ a: rows[i]!, b: rows[j]!, score }));
  const { size, values } = order === "alike" ? reordered(found, chainOrder(found)) : found;
  let [least, most] = [1, -1];
  for (let i = 0; i < size; i += 1) {
    for (let j = i + 1; j < size; j += 1) {
      least = Math.min(least, values[i * size + j]!);
      most = Math.max(most, values[i * size + j]!);
    }
  }
  const ordered = order === "alike" ? Int32Array.from(chainOrder(found), (place) => rows[place]!) : rows;
  return { rows: ordered, scores: values, pairs, least, most };
}

function reordered({ size, values }: { size: number; values: Float32Array }, order: Int32Array) {
  const moved = new Float32Array(values.length);
  for (let i = 0; i < size; i += 1) {
    const from = order[i]! * size;
    for (let j = 0; j < size; j += 1) moved[i * size + j] = values[from + order[j]!]!;
  }
  return { size, values: moved };
}
