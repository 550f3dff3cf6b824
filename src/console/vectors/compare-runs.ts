import { principalComponents } from "./pca.ts";
import { align } from "./procrustes.ts";
import type { Comparison, Flat, TradeoffPoint } from "./protocol.ts";
import { spread } from "./random.ts";
import { noPairs, pairsAt, ranksOf, sharedNeighbors, type Pairs } from "./pairs.ts";
import { correlate } from "./rank-correlation.ts";
import type { Pause } from "./turns.ts";
import { viewOf, type VectorTable, type VectorView } from "./vectors.ts";

/** Neighbors are compared in lists of this many … */
const comparedNeighbors = 10;
/** … and every row with every other, of at most so many rows: of more, a sample. */
const mostCompared = 2_000;
/** Multiplications for all pairs of the trade-off: 2,000 rows of 1,536 numbers, fewer rows of longer vectors. */
const workBudget = 3.2e9;

interface Agreement {
  overlap: number;
  correlation: number;
  rows: number;
  of: number;
}

/** Of few rows nearly all are everyone's nearest: half of them says more. */
const listLength = (rows: number) => Math.min(comparedNeighbors, Math.floor(rows / 2));

/** How far two ways of looking at the same rows agree: on who is near, and on which pairs are closer than others. */
async function agreementOf(a: Pairs, b: Pairs, of: number, pause: Pause): Promise<Agreement> {
  const { size: rows } = a;
  const k = listLength(rows);
  if (rows < 3 || k < 1) return { overlap: 1, correlation: 1, rows, of };
  const overlap = await sharedNeighbors(a, b, k, pause);
  return { overlap, correlation: correlate(ranksOf(a), ranksOf(b)), rows, of };
}

/** So many rows that all their pairs take a few seconds, however long the vectors are. */
const comparedRows = (dimensions: number) =>
  Math.min(mostCompared, Math.max(200, Math.floor(Math.sqrt((2 * workBudget) / dimensions))));

/** What is lost by keeping only the first numbers of each vector: compared with all of them, without a new call. */
export async function tradeoff(table: VectorTable, sizes: readonly number[], pause: Pause): Promise<TradeoffPoint[]> {
  const { rows } = viewOf(table);
  const cuts = [...new Set([...sizes, table.dimensions])];
  // the products take about half of the time, each cut its part of the rest
  const products = (share = 0) => pause(share / 2);
  const found = await pairsAt(table, spread(rows, comparedRows(table.dimensions)), cuts, products);
  const whole = found.at(-1) ?? noPairs;
  const points: TradeoffPoint[] = [];
  for (const [at, pairs] of found.slice(0, sizes.length).entries()) {
    const compared = (share = 0) => pause(0.5 + (at + share) / sizes.length / 2);
    points.push({ used: pairs.used, ...(await agreementOf(whole, pairs, rows.length, compared)) });
    if (pairs !== whole) pairs.release();
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
  // how far it is, is said after each run: within one there are two parts of unlike length
  const within = () => pause();
  const pairsOf = async ({ table, used }: VectorView) => {
    const [pairs = noPairs] = await pairsAt(table, compared, [used], within);
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
    const agreement = await agreementOf(pairsOfFirst, await pairsOf(view), shared.length, within);
    found.push({ run, ...agreement, points });
    await pause(found.length / views.length);
  }
  return found;
}
