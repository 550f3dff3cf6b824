import type { Clusters } from "./protocol.ts";
import { makeRandom, spread } from "./random.ts";
import { silhouette } from "./silhouette.ts";
import type { Pause } from "./turns.ts";
import { dot, vectorStart, type VectorView } from "./vectors.ts";

const starts = 4;
const mostRounds = 30;
/** The centroids are looked for among at most so many rows; the others go to the nearest. */
const sampleSize = 2_000;
/** Multiplications that the search may take, all starts together. */
const workBudget = 4e8;
const nowhere = 255;

/** More groups than anybody takes in at a glance are not looked for by themselves … */
const mostChosen = 12;
/**
 * … nor more than the square root of the rows: pairs and threes hold together well in any rows, and say nothing of them.
 */
const mostGroups = (rows: number) => Math.min(mostChosen, Math.floor(Math.sqrt(rows)));
/** The number of groups is chosen among at most so many rows, fewer where they are long … */
const chosenFrom = { least: 200, most: 600, numbers: 500_000 };
/** … with fewer starts, and so many multiplications for each number and start: some 50 ms without a pause. */
const choiceStarts = 2;
/** … and with more for the numbers that then fit best: what two starts miss must not decide. */
const finalists = { count: 3, starts: 4 };
const choiceBudget = 4e7;

/** A number of groups, how well its groups hold together, and among how many rows that was looked for. */
interface Choice {
  count: number;
  silhouette: number;
  among: number;
}

/**
 * How many groups the rows fall into: the number whose groups have the highest mean silhouette, of a sample of the rows
 * where there are many. Of numbers that fit equally well, the fewest groups; null of too few rows for two groups of two.
 */
export async function chooseCount(view: VectorView, seed: number, pause: Pause): Promise<Choice | null> {
  const { least, most, numbers } = chosenFrom;
  const sample = spread(view.rows, Math.max(least, Math.min(most, Math.floor(numbers / view.used))));
  const random = makeRandom(seed);
  const last = mostGroups(sample.length);
  const tried: { count: number; fit: number; silhouette: number }[] = [];
  async function improve(one: { count: number; fit: number; silhouette: number }, starts: number): Promise<void> {
    for (let start = 0; start < starts; start += 1) {
      // the finalists are improved last, and take about a third as many starts
      await pause(Math.min(0.95, (tried.length * choiceStarts + start) / (1.4 * choiceStarts * last)));
      const { fit, assignments } = settle(view, sample, begin(view, sample, one.count, random), choiceBudget);
      if (fit <= one.fit) continue;
      await pause();
      Object.assign(one, { fit, silhouette: silhouette(view, sample, assignments, one.count) });
    }
  }
  for (let count = 2; count <= last; count += 1) {
    const one = { count, fit: Number.NEGATIVE_INFINITY, silhouette: 0 };
    await improve(one, choiceStarts);
    tried.push(one);
  }
  const byFit = () => tried.toSorted((a, b) => b.silhouette - a.silhouette);
  for (const one of byFit().slice(0, finalists.count)) await improve(one, finalists.starts);
  const [best] = byFit();
  return best === undefined ? null : { count: best.count, silhouette: best.silhouette, among: sample.length };
}

/**
 * Groups of rows that point the same way: spherical k-means (Dhillon and Modha, 2001), begun as Arthur and Vassilvitskii
 * (2007) do, the best of a few starts. The same seed gives the same groups; the largest comes first.
 */
export function clusters(
  view: VectorView,
  wanted: number,
  seed: number,
): Pick<Clusters, "of" | "sizes" | "typical" | "fit"> {
  const of = new Uint8Array(view.table.count).fill(nowhere);
  const sample = spread(view.rows, sampleSize);
  const count = Math.min(wanted, sample.length, nowhere);
  if (count === 0) return { of, sizes: [], typical: [], fit: { silhouette: 0, among: 0 } };
  const random = makeRandom(seed);
  let best = { centroids: new Float32Array(), assignments: new Int32Array(), fit: Number.NEGATIVE_INFINITY };
  for (let start = 0; start < starts; start += 1) {
    const found = settle(view, sample, begin(view, sample, count, random), workBudget / starts);
    if (found.fit > best.fit) best = found;
  }
  // of equal size, the group whose first row comes first
  const scores = new Float32Array(view.table.count);
  const groups = [
    ...Map.groupBy(view.rows, (row) => {
      const { cluster, score } = closest(view, row, best.centroids);
      scores[row] = score;
      return cluster;
    }).values(),
  ];
  groups.sort((a, b) => b.length - a.length);
  for (const [cluster, rows] of groups.entries()) for (const row of rows) of[row] = cluster;
  const assignments = Int32Array.from(sample, (row) => of[row] ?? 0);
  const fit = { silhouette: silhouette(view, sample, assignments, groups.length), among: sample.length };
  const nearer = (a: number, b: number) => ((scores[b] ?? 0) > (scores[a] ?? 0) ? b : a);
  return { of, sizes: groups.map((rows) => rows.length), typical: groups.map((rows) => rows.reduce(nearer)), fit };
}

/** Centroids far apart: each further one is a row, the likelier the less it is like those that there are. */
function begin(view: VectorView, sample: Int32Array, count: number, random: () => number): Float32Array<ArrayBuffer> {
  const { used } = view;
  const centroids = new Float32Array(count * used);
  const far = new Float64Array(sample.length).fill(2);
  for (let cluster = 0; cluster < count; cluster += 1) {
    const sum = far.reduce((total, value) => total + value, 0);
    let left = random() * sum;
    let at = far.findIndex((value) => (left -= value) < 0);
    if (at === -1) at = cluster;
    add(view, sample[at] ?? 0, centroids, cluster);
    sample.forEach((row, i) => {
      const apart = 1 - likeness(view, row, centroids, cluster);
      far[i] = Math.min(far[i] ?? 2, Math.max(0, apart));
    });
  }
  return centroids;
}

function settle(view: VectorView, sample: Int32Array, centroids: Float32Array<ArrayBuffer>, budget: number) {
  const { used } = view;
  const rounds = Math.max(4, Math.min(mostRounds, budget / (sample.length * centroids.length)));
  const assignments = new Int32Array(sample.length).fill(-1);
  for (let round = 0; ; round += 1) {
    let [moved, fit] = [0, 0];
    sample.forEach((row, i) => {
      const { cluster, score } = closest(view, row, centroids);
      fit += score;
      if (assignments[i] !== cluster) moved += 1;
      assignments[i] = cluster;
    });
    if (moved === 0 || round >= rounds) return { centroids, assignments, fit };
    const next = new Float32Array(centroids.length);
    sample.forEach((row, i) => add(view, row, next, assignments[i] ?? 0));
    for (let from = 0; from < next.length; from += used) {
      const sum = { data: next, from };
      const length = Math.sqrt(dot(sum, sum, used));
      // an empty cluster's centroid stays where it is
      if (length > 0) for (let k = from; k < from + used; k += 1) centroids[k] = (next[k] ?? 0) / length;
    }
  }
}

function closest(view: VectorView, row: number, centroids: Float32Array): { cluster: number; score: number } {
  let [cluster, score] = [0, Number.NEGATIVE_INFINITY];
  for (let other = 0; other * view.used < centroids.length; other += 1) {
    const own = likeness(view, row, centroids, other);
    if (own > score) [cluster, score] = [other, own];
  }
  return { cluster, score };
}

function likeness({ table, used, norms }: VectorView, row: number, centroids: Float32Array, cluster: number): number {
  return dot(vectorStart(table, row), { data: centroids, from: cluster * used }, used) / (norms[row] || 1);
}

/** Adds a row, its length made 1, to a centroid. */
function add({ table, used, norms }: VectorView, row: number, centroids: Float32Array, cluster: number): void {
  const [from, to] = [row * table.dimensions, cluster * used];
  const length = norms[row] || 1;
  for (let k = 0; k < used; k += 1) centroids[to + k] = (centroids[to + k] ?? 0) + (table.data[from + k] ?? 0) / length;
}
