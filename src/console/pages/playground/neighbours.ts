import { cosine } from "./vectors.ts";
import type { VectorView } from "./vectors.ts";

export interface Neighbours {
  /** rows of the table, the nearest first */
  rows: Int32Array;
  scores: Float32Array;
}

/** The `k` rows nearest to `row` by cosine, exactly: every row is looked at. `among` narrows down who counts. */
export function nearest(view: VectorView, row: number, k: number, among: Int32Array = view.rows): Neighbours {
  const rows: number[] = [];
  const scores: number[] = [];
  let worst = Number.NEGATIVE_INFINITY;
  for (const other of among) {
    if (other === row) continue;
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

/** The share of `a` that is in `b` too. */
export function overlap(a: Int32Array, b: Int32Array): number {
  if (a.length === 0) return 1;
  const there = new Set(b);
  let both = 0;
  for (const row of a) if (there.has(row)) both += 1;
  return both / a.length;
}
