import { nearest, overlap } from "./neighbours.ts";
import { principalComponents } from "./pca.ts";
import { align } from "./procrustes.ts";
import type { Comparison, Flat, TradeoffPoint } from "./protocol.ts";
import { spread } from "./random.ts";
import { spearman } from "./rank-correlation.ts";
import { cosine, dot, viewOf } from "./vectors.ts";
import type { VectorTable, VectorView } from "./vectors.ts";

/** Neighbours are compared in lists of this many … */
const comparedNeighbours = 10;
/** … of at most so many rows, among at most so many. */
const mostAsked = 100;
const mostAmong = 2_000;

/** How far two ways of looking at the same rows agree: on who is near, and on which pairs are closer than others. */
function agreement(a: VectorView, b: VectorView): { overlap: number; correlation: number } {
  const shared = a.rows.filter((row) => b.table.present[row] === 1);
  const among = spread(shared, mostAmong);
  const asked = spread(among, mostAsked);
  // of few rows, nearly all are everyone's nearest: half of them says more
  const k = Math.min(comparedNeighbours, Math.floor(among.length / 2));
  if (among.length < 3 || k < 1) return { overlap: 1, correlation: 1 };
  let shares = 0;
  const [left, right]: [number[], number[]] = [[], []];
  for (const row of asked) {
    shares += overlap(nearest(a, row, k, among).rows, nearest(b, row, k, among).rows);
    for (const other of asked) {
      if (other <= row) continue;
      left.push(cosine(a, row, other));
      right.push(cosine(b, row, other));
    }
  }
  return { overlap: shares / asked.length, correlation: spearman(left, right) };
}

/**
 * What is lost by keeping only the first numbers of each vector: compared with all of them, without a new call. One walk
 * along the vectors serves every size: cut vectors' products are what the walk has added up by then.
 *
 * @param sizes ascending
 */
export function tradeoff(table: VectorTable, sizes: readonly number[]): TradeoffPoint[] {
  const whole = viewOf(table);
  const among = spread(whole.rows, mostAmong);
  const asked = spread(among, mostAsked);
  const k = Math.min(comparedNeighbours, Math.floor(among.length / 2));
  if (among.length < 3 || k < 1) return sizes.map((used) => ({ used, overlap: 1, correlation: 1 }));
  const cuts = [...sizes, table.dimensions];
  const norms = cuts.map((used) => viewOf(table, used).norms);
  const scores = cuts.map(() => new Float32Array(asked.length * among.length));
  asked.forEach((row, i) => {
    among.forEach((other, j) => {
      let [sum, from] = [0, 0];
      cuts.forEach((cut, c) => {
        sum += dot(table.data, row * table.dimensions + from, table.data, other * table.dimensions + from, cut - from);
        from = cut;
        const length = norms[c]![row]! * norms[c]![other]!;
        scores[c]![i * among.length + j] = length === 0 ? 0 : sum / length;
      });
    });
  });
  const lists = scores.map((own) => Array.from(asked, (row, i) => best(own, i, among, row, k)));
  const columns = Array.from(asked, (row) => among.indexOf(row));
  const pairs = scores.map((own) =>
    columns.flatMap((_, i) => columns.slice(i + 1).map((column) => own[i * among.length + column]!)),
  );
  const [all, ranksOfAll] = [lists.at(-1)!, pairs.at(-1)!];
  return sizes.map((used, c) => ({
    used,
    overlap: all.reduce((sum, list, i) => sum + overlap(list, lists[c]![i]!), 0) / asked.length,
    correlation: spearman(ranksOfAll, pairs[c]!),
  }));
}

/** The `k` rows of `among` with the highest scores in line `i`, without the row itself. */
function best(scores: Float32Array, i: number, among: Int32Array, own: number, k: number): Int32Array {
  const line = scores.subarray(i * among.length, (i + 1) * among.length);
  const order = Array.from(among.keys()).filter((j) => among[j] !== own);
  return Int32Array.from(order.toSorted((a, b) => line[b]! - line[a]!).slice(0, k), (j) => among[j]!);
}

/** A picture of the view's rows in the plane, and the share of the variance along each of its first components. */
export function flatten(view: VectorView, seed: number, components = 6): Flat {
  const { scores, count, explained, settled } = principalComponents(view, components, seed);
  const points = new Float32Array(view.rows.length * 2);
  for (let i = 0; i < view.rows.length; i += 1) {
    points[2 * i] = scores[i * count] ?? 0;
    points[2 * i + 1] = count > 1 ? scores[i * count + 1]! : 0;
  }
  return { rows: view.rows, points, explained: [...explained], settled };
}

/** Every run against the first: how far they agree, and its picture laid onto the first's. */
export function compareRuns(views: { run: number; view: VectorView }[], seed: number): Comparison[] {
  const [first] = views;
  if (!first) return [];
  const shared = first.view.rows.filter((row) => views.every(({ view }) => view.table.present[row] === 1));
  const base = flatten({ ...first.view, rows: shared }, seed, 2);
  return views.map(({ run, view }) => {
    if (run === first.run && view === first.view) return { run, overlap: 1, correlation: 1, points: base };
    const own = flatten({ ...view, rows: shared }, seed, 2);
    return { run, ...agreement(first.view, view), points: { rows: shared, points: align(own.points, base.points) } };
  });
}
