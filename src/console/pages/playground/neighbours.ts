import { cosine } from "./vectors.ts";
import type { VectorView } from "./vectors.ts";

export interface Neighbours {
  /** rows of the table, the nearest first */
  rows: Int32Array;
  scores: Float32Array;
}

/**
 * The `k` rows nearest to `row` by cosine, exactly: every row is looked at. `among` narrows down who counts. What has no
 * vector has no neighbours, and is nobody's.
 */
export function nearest(view: VectorView, row: number, k: number, among: Int32Array = view.rows): Neighbours {
  const { present } = view.table;
  const rows: number[] = [];
  const scores: number[] = [];
  let worst = Number.NEGATIVE_INFINITY;
  for (const other of present[row] === 1 ? among : []) {
    if (other === row || present[other] !== 1) continue;
    const score = cosine(view, row, other);
    if (rows.length === k && score <= worst) continue;
    let at = rows.length;
    while (at > 0 && scores[at - 1]! < score) at -= 1;
    rows.splice(at, 0, other);
    scores.splice(at, 0, score);
    if (rows.length > k) {
      rows.pop();
      scores.pop();
    }
    worst = scores.at(-1) ?? worst;
  }
  return { rows: Int32Array.from(rows), scores: Float32Array.from(scores) };
}

export interface Asked extends Neighbours {
  /** the row that was asked for */
  query: number;
}

/** Each query with its nearest among some rows; a query that has no vector is left out, and each says whose list it is. */
export function rankEach(view: VectorView, queries: readonly number[], among: readonly number[], k: number): Asked[] {
  const there = Int32Array.from(among);
  return queries
    .filter((query) => view.table.present[query] === 1)
    .map((query) => ({ query, ...nearest(view, query, k, there) }));
}

/** The share of `a` that is in `b` too. */
export function overlap(a: Int32Array, b: Int32Array): number {
  if (a.length === 0) return 1;
  const there = new Set(b);
  let both = 0;
  for (const row of a) if (there.has(row)) both += 1;
  return both / a.length;
}
