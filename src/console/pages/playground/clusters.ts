import type { Clusters } from "./protocol.ts";
import { makeRandom, spread } from "./random.ts";
import { dot } from "./vectors.ts";
import type { VectorView } from "./vectors.ts";

const starts = 4;
const mostRounds = 30;
/** The middles are looked for among at most so many rows; the others go to the nearest. */
const sampleSize = 2_000;
/** Multiplications that the search may take. */
const workBudget = 4e8;
const nowhere = 255;

/**
 * Groups of rows that point the same way: spherical k-means (Dhillon and Modha, 2001), begun as Arthur and Vassilvitskii
 * (2007) do, the best of a few starts. The same seed gives the same groups; the largest comes first.
 */
export function clusters(view: VectorView, wanted: number, seed: number): Clusters {
  const of = new Uint8Array(view.table.count).fill(nowhere);
  const sample = spread(view.rows, sampleSize);
  const count = Math.min(wanted, sample.length, nowhere);
  if (count === 0) return { of, sizes: [] };
  const random = makeRandom(seed);
  let best = { middles: new Float32Array(), fit: Number.NEGATIVE_INFINITY };
  for (let start = 0; start < starts; start += 1) {
    const found = settle(view, sample, begin(view, sample, count, random));
    if (found.fit > best.fit) best = found;
  }
  const rows = [...view.rows];
  const places = rows.map((row) => closest(view, row, best.middles).place);
  const sizes = Array.from({ length: count }, (_, place) => places.filter((own) => own === place).length);
  const order = [...sizes.keys()].filter((place) => sizes[place]! > 0);
  order.sort((a, b) => sizes[b]! - sizes[a]! || places.indexOf(a) - places.indexOf(b));
  rows.forEach((row, at) => {
    of[row] = order.indexOf(places[at]!);
  });
  return { of, sizes: order.map((place) => sizes[place]!) };
}

/** Middles far apart: each further one is a row, the likelier the less it is like those that there are. */
function begin(view: VectorView, sample: Int32Array, count: number, random: () => number): Float32Array<ArrayBuffer> {
  const { used } = view;
  const middles = new Float32Array(count * used);
  const far = new Float64Array(sample.length).fill(1);
  for (let place = 0; place < count; place += 1) {
    const sum = far.reduce((total, value) => total + value, 0);
    let left = random() * sum;
    let at = far.findIndex((value) => (left -= value) < 0);
    if (at === -1) at = place;
    add(view, sample[at]!, middles, place);
    sample.forEach((row, i) => {
      const apart = 1 - likeness(view, row, middles, place);
      far[i] = Math.min(place === 0 ? 2 : far[i]!, Math.max(0, apart));
    });
  }
  return middles;
}

function settle(view: VectorView, sample: Int32Array, middles: Float32Array<ArrayBuffer>) {
  const { used } = view;
  const rounds = Math.max(4, Math.min(mostRounds, workBudget / (starts * sample.length * middles.length)));
  const places = new Int32Array(sample.length).fill(-1);
  for (let round = 0; ; round += 1) {
    let [moved, fit] = [0, 0];
    sample.forEach((row, i) => {
      const { place, score } = closest(view, row, middles);
      fit += score;
      if (places[i] !== place) moved += 1;
      places[i] = place;
    });
    if (moved === 0 || round >= rounds) return { middles, fit };
    const next = new Float32Array(middles.length);
    sample.forEach((row, i) => add(view, row, next, places[i]!));
    for (let from = 0; from < next.length; from += used) {
      const length = Math.sqrt(dot(next, from, next, from, used));
      // nobody's middle stays where it is
      for (let k = from; k < from + used; k += 1) middles[k] = length > 0 ? next[k]! / length : middles[k]!;
    }
  }
}

function closest(view: VectorView, row: number, middles: Float32Array): { place: number; score: number } {
  let [place, score] = [0, Number.NEGATIVE_INFINITY];
  for (let other = 0; other * view.used < middles.length; other += 1) {
    const own = likeness(view, row, middles, other);
    if (own > score) [place, score] = [other, own];
  }
  return { place, score };
}

function likeness({ table, used, norms }: VectorView, row: number, middles: Float32Array, place: number): number {
  return dot(table.data, row * table.dimensions, middles, place * used, used) / (norms[row]! || 1);
}

/** Adds a row, its length made 1, to a middle. */
function add({ table, used, norms }: VectorView, row: number, middles: Float32Array, place: number): void {
  const [from, to] = [row * table.dimensions, place * used];
  const length = norms[row]! || 1;
  for (let k = 0; k < used; k += 1) middles[to + k]! += table.data[from + k]! / length;
}
