import { makeTop } from "./top.ts";
import { cosine, dot, vectorStart, type VectorView } from "./vectors.ts";

export interface Neighbours {
  /** rows of the table, the nearest first */
  rows: Int32Array;
  scores: Float32Array;
}

/**
 * The `k` rows nearest to `row` by cosine, exactly: every row is compared. `among` restricts the candidates. A row
 * without a vector has no neighbors, and is no row's neighbor.
 */
export function nearest(view: VectorView, row: number, k: number, among: Int32Array = view.rows): Neighbours {
  const { present } = view.table;
  const top = makeTop(k);
  for (const other of present[row] === 1 ? among : []) {
    if (other !== row && present[other] === 1) top.add(other, cosine(view, row, other));
  }
  return { rows: Int32Array.from(top.ids), scores: Float32Array.from(top.scores) };
}

/**
 * Every row of a view by its cosine with one row of another view, the nearest first; none where that row is all zeros,
 * which is like nothing.
 */
export function rankAgainst(view: VectorView, other: VectorView, row: number): Neighbours {
  const [from, to] = [other.table, view.table];
  if (from.dimensions !== to.dimensions) {
    throw new Error(
      `The question has ${from.dimensions} numbers and the rows have ${to.dimensions}. Run the rows again.`,
    );
  }
  const length = other.norms[row] ?? 0;
  if (length === 0) return { rows: new Int32Array(), scores: new Float32Array() };
  const scores = Float32Array.from(view.rows, (each) => {
    const lengths = length * (view.norms[each] ?? 0);
    return lengths === 0 ? 0 : dot(vectorStart(from, row), vectorStart(to, each), view.used) / lengths;
  });
  const order = Int32Array.from(scores.keys()).toSorted((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
  return { rows: order.map((at) => view.rows[at] ?? 0), scores: Float32Array.from(order, (at) => scores[at] ?? 0) };
}

export interface QueryRanking extends Neighbours {
  /** the row that was asked for */
  query: number;
}

/** Each query with its nearest among some rows; a query that has no vector is left out, and each says whose list it is. */
export function rankEach(
  view: VectorView,
  queries: readonly number[],
  among: readonly number[],
  k: number,
): QueryRanking[] {
  const there = Int32Array.from(among);
  return queries
    .filter((query) => view.table.present[query] === 1)
    .map((query) => ({ query, ...nearest(view, query, k, there) }));
}
