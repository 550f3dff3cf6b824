import { visitNearPairs } from "./near-pairs.ts";
import { pairMedian } from "./pair-median.ts";
import type { DoubtfulLabel, RowScan } from "./protocol.ts";
import type { Pause } from "./turns.ts";
import type { VectorView } from "./vectors.ts";

/** A row's label is held against those of so many nearest rows … */
const judges = 5;
/** … and is doubtful where at most so many of them have it, and most of them have one other. */
const maxOwn = 1;
/** Cosines from which on rows count as the same, for a person to choose from. */
export const sameLevels = [0.9, 0.95, 0.98, 0.999] as const;

/**
 * What a person should look at: rows whose nearest rows have another label, sets of rows that say the same, and how
 * near each row's nearest is. Everything is found in one walk over the pairs; no pair is kept.
 *
 * @param labels a code for each row of the table; negative: it has none
 */
export async function scanRows(view: VectorView, labels: Int32Array, pause: Pause, budget?: number): Promise<RowScan> {
  const { rows, table } = view;
  const nearest = new Int32Array(table.count).fill(-1);
  const scores = new Float32Array(table.count).fill(Number.NEGATIVE_INFINITY);
  const top = makeTops(table.count, judges);
  const sets = sameLevels.map(() => makeSets(table.count));
  const note = (row: number, other: number, score: number, labeled: boolean) => {
    if (score > (scores[row] ?? 0)) {
      scores[row] = score;
      nearest[row] = other;
    }
    if (labeled) top.add(row, other, score);
  };
  const compared = await visitNearPairs(
    view,
    (row, other, score) => {
      const labeled = (labels[row] ?? -1) >= 0 && (labels[other] ?? -1) >= 0;
      note(row, other, score, labeled);
      note(other, row, score, labeled);
      for (let level = 0; level < sameLevels.length && score >= (sameLevels[level] ?? 1); level += 1)
        sets[level]?.join(row, other);
    },
    pause,
    budget,
  );
  const near = {
    rows,
    nearest: rows.map((row) => nearest[row] ?? -1),
    scores: Float32Array.from(rows, (row) => scores[row] ?? 0),
    of: rows.length,
    random: pairMedian(view),
  };
  return {
    near,
    doubtful: doubtfulLabels(rows, labels, (row) => top.of(row)),
    same: sets.map((one) => one.sets(rows)),
    compared,
  };
}

/**
 * Rows with at most one of their five nearest labeled rows in their own label, where most of the five agree on another
 * one. Without that agreement a row lies between labels, and no one label is the right one instead.
 */
export function doubtfulLabels(
  rows: Int32Array,
  labels: Int32Array,
  nearestOf: (row: number) => Int32Array,
): DoubtfulLabel[] {
  const found: DoubtfulLabel[] = [];
  for (const row of rows) {
    const label = labels[row] ?? -1;
    const near = nearestOf(row);
    if (label < 0 || near.length < judges) continue;
    const counts = Map.groupBy(near, (other) => labels[other] ?? -1);
    const own = counts.get(label)?.length ?? 0;
    counts.delete(label);
    const [most] = [...counts].toSorted(([, a], [, b]) => b.length - a.length);
    if (own > maxOwn || !most || most[1].length * 2 <= judges) continue;
    found.push({ row, own, theirs: most[0], count: most[1].length, of: near.length });
  }
  return found.toSorted((a, b) => b.count - b.own - (a.count - a.own) || a.row - b.row);
}

/** The highest scores of each row, in two arrays for all. */
function makeTops(count: number, size: number) {
  const others = new Int32Array(count * size).fill(-1);
  const scores = new Float32Array(count * size).fill(Number.NEGATIVE_INFINITY);
  return {
    add(row: number, other: number, score: number) {
      const from = row * size;
      let at = from + size - 1;
      if (!(score > (scores[at] ?? 0))) return;
      for (; at > from && score > (scores[at - 1] ?? 0); at -= 1) {
        scores[at] = scores[at - 1] ?? 0;
        others[at] = others[at - 1] ?? -1;
      }
      scores[at] = score;
      others[at] = other;
    },
    of: (row: number) => others.subarray(row * size, (row + 1) * size).filter((other) => other >= 0),
  };
}

/** Disjoint sets, joined as pairs are found (Galler and Fischer, 1964). */
function makeSets(count: number) {
  const parents = Int32Array.from({ length: count }, (_, row) => row);
  const root = (row: number) => {
    let at = row;
    for (let up = parents[at] ?? at; up !== at; up = parents[at] ?? at) {
      parents[at] = parents[up] ?? up;
      at = parents[at] ?? at;
    }
    return at;
  };
  return {
    join(a: number, b: number) {
      const [one, other] = [root(a), root(b)];
      // the first row stays on top
      if (one !== other) parents[Math.max(one, other)] = Math.min(one, other);
    },
    /** those of at least two rows, the largest first, each in the order of the input */
    sets(rows: Int32Array): number[][] {
      return [...Map.groupBy(rows, root).values()]
        .filter((set) => set.length > 1)
        .toSorted((a, b) => b.length - a.length || (a[0] ?? 0) - (b[0] ?? 0));
    },
  };
}
