import { principalComponents } from "./pca.ts";
import { align } from "./procrustes.ts";
import type { Comparison, Flat, TradeoffPoint } from "./protocol.ts";
import { spread } from "./random.ts";
import { correlate, ranks } from "./rank-correlation.ts";
import { makeTop } from "./top.ts";
import { dot, viewOf, type VectorTable, type VectorView } from "./vectors.ts";

/** Neighbors are compared in lists of this many … */
const comparedNeighbors = 10;
/** … and every row with every other, of at most so many rows: of more, a sample. */
const mostCompared = 2_000;

/** Lets other questions in between two parts of a long work. */
type Pause = () => Promise<void>;

interface Agreement {
  overlap: number;
  correlation: number;
  rows: number;
  of: number;
}

/** All pairs of some rows by their cosines, one number a pair, in one or several ways of looking at them. */
interface Pairs {
  size: number;
  /** first those of row 0 with all after it, then those of row 1 … */
  scores: Float32Array;
  /** of the scores, once they were asked for */
  ranks?: Float64Array;
}

const noPairs: Pairs = { size: 0, scores: new Float32Array() };

/** Where the pairs of row `i` with the rows after it begin, less `i + 1`. */
const startOf = (i: number, size: number) => i * size - (i * (i + 1)) / 2 - i - 1;

const scoreOf = ({ size, scores }: Pairs, i: number, j: number) =>
  scores[i < j ? startOf(i, size) + j : startOf(j, size) + i] ?? 0;

/**
 * How likely another row is among the `k` nearest to row `i`: where several are equally near, not all of which find
 * room, each has the same chance.
 */
function nearestOf(pairs: Pairs, i: number, k: number): (j: number) => number {
  const top = makeTop(k);
  for (let j = 0; j < pairs.size; j += 1) if (j !== i) top.add(j, scoreOf(pairs, i, j));
  const last = top.scores.at(-1) ?? 0;
  const nearer = top.scores.filter((score) => score > last).length;
  let tied = 0;
  for (let j = 0; j < pairs.size; j += 1) if (j !== i && scoreOf(pairs, i, j) === last) tied += 1;
  const chance = (k - nearer) / Math.max(1, tied);
  return (j) => {
    const score = scoreOf(pairs, i, j);
    return score > last ? 1 : score === last ? chance : 0;
  };
}

/**
 * The part of the `k` nearest to row `i` that two ways of looking share. Rows that both find equally near are taken in
 * the same order by both; where one of them tells no row from another, what is left is chance.
 */
function sharedOf(a: Pairs, b: Pairs, i: number, k: number): number {
  const [inA, inB] = [nearestOf(a, i, k), nearestOf(b, i, k)];
  let shared = 0;
  for (let j = 0; j < a.size; j += 1) if (j !== i) shared += Math.min(inA(j), inB(j));
  return shared / k;
}

/** Of few rows nearly all are everyone's nearest: half of them says more. */
const listLength = (rows: number) => Math.min(comparedNeighbors, Math.floor(rows / 2));

/**
 * The cosines of all pairs of `rows`, in the first numbers of each vector and in more and more of them. One walk along
 * the vectors serves every cut: a cut vector's products are what the walk has added up by then.
 *
 * @param cuts ascending, the last at most the table's dimensions
 */
async function pairsAt(table: VectorTable, rows: Int32Array, cuts: readonly number[], pause: Pause) {
  const size = rows.length;
  const { data, dimensions } = table;
  const found: (Pairs & { used: number; norms: Float64Array })[] = cuts.map((used) => ({
    used,
    norms: viewOf(table, used).norms,
    size,
    scores: new Float32Array((size * (size - 1)) / 2),
  }));
  for (const [i, row] of rows.entries()) {
    for (let j = i + 1; j < size; j += 1) {
      const other = rows[j] ?? 0;
      let [sum, from] = [0, 0];
      for (const { used, norms, scores } of found) {
        sum += dot({ data, from: row * dimensions + from }, { data, from: other * dimensions + from }, used - from);
        from = used;
        const length = (norms[row] ?? 0) * (norms[other] ?? 0);
        scores[startOf(i, size) + j] = length === 0 ? 0 : sum / length;
      }
    }
    await pause();
  }
  return found;
}

const ranksOf = (pairs: Pairs) => (pairs.ranks ??= ranks(pairs.scores));

/** How far two ways of looking at the same rows agree: on who is near, and on which pairs are closer than others. */
async function agreementOf(a: Pairs, b: Pairs, of: number, pause: Pause): Promise<Agreement> {
  const { size: rows } = a;
  const k = listLength(rows);
  if (rows < 3 || k < 1) return { overlap: 1, correlation: 1, rows, of };
  let shares = 0;
  for (let i = 0; i < rows; i += 1) {
    shares += sharedOf(a, b, i, k);
    await pause();
  }
  return { overlap: shares / rows, correlation: correlate(ranksOf(a), ranksOf(b)), rows, of };
}

/** What is lost by keeping only the first numbers of each vector: compared with all of them, without a new call. */
export async function tradeoff(table: VectorTable, sizes: readonly number[], pause: Pause): Promise<TradeoffPoint[]> {
  const { rows } = viewOf(table);
  const cuts = [...new Set([...sizes, table.dimensions])];
  const found = await pairsAt(table, spread(rows, mostCompared), cuts, pause);
  const whole = found.at(-1) ?? noPairs;
  const points: TradeoffPoint[] = [];
  for (const pairs of found.slice(0, sizes.length)) {
    points.push({ used: pairs.used, ...(await agreementOf(whole, pairs, rows.length, pause)) });
  }
  return points;
}

/** A picture of the view's rows in the plane, and the share of the variance along each of its first components. */
export function flatten(view: VectorView, seed: number, components = 6): Flat {
  const { scores, count, explained, settled } = principalComponents(view, components, seed);
  const points = new Float32Array(view.rows.length * 2);
  for (let i = 0; i < view.rows.length; i += 1) {
    points[2 * i] = scores[i * count] ?? 0;
    points[2 * i + 1] = count > 1 ? (scores[i * count + 1] ?? 0) : 0;
  }
  return { rows: view.rows, points, explained: [...explained], settled };
}

/**
 * Every run against the first: how far they agree, and its picture laid onto the first's.
 *
 * @param most rows are compared with each other; of more, a sample
 */
export async function compareRuns(
  views: readonly { run: number; view: VectorView }[],
  seed: number,
  pause: Pause,
  most = mostCompared,
): Promise<Comparison[]> {
  const [first] = views;
  if (!first) return [];
  const shared = first.view.rows.filter((row) => views.every(({ view }) => view.table.present[row] === 1));
  const compared = spread(shared, most);
  const pairsOf = async ({ table, used }: VectorView) => {
    const [pairs = noPairs] = await pairsAt(table, compared, [used], pause);
    return pairs;
  };
  const base = flatten({ ...first.view, rows: shared }, seed, 2);
  const pairsOfFirst = await pairsOf(first.view);
  const found: Comparison[] = [];
  for (const { run, view } of views) {
    if (run === first.run && view === first.view) {
      found.push({ run, overlap: 1, correlation: 1, rows: compared.length, of: shared.length, points: base });
      continue;
    }
    const own = flatten({ ...view, rows: shared }, seed, 2);
    const points = { rows: shared, points: align(own.points, base.points) };
    const agreement = await agreementOf(pairsOfFirst, await pairsOf(view), shared.length, pause);
    found.push({ run, ...agreement, points });
    await pause();
  }
  return found;
}
