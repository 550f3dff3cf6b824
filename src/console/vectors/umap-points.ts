import { principalComponents } from "./pca.ts";
import { makeRandom, spread } from "./random.ts";
import { makeTop } from "./top.ts";
import type { VectorView } from "./vectors.ts";

const components = 16;
const neighbours = 15;
/** Up to so many rows are spaced out, so that each point of a tight group can be seen and picked. */
const mostSpaced = 500;
/** More are placed by their neighbors among this many: the layout's time grows faster than the picture gains. */
const mostFitted = 5_000;
const sampleSize = 3_000;

export interface Steering {
  /** the picture so far, and how far it has come */
  draw: (points: Float32Array, share: number) => void;
  stopped: () => boolean;
}

/**
 * UMAP of the view's rows (McInnes, Healy and Melville, 2018) by umap-js, on their first 16 principal components, with
 * neighbors found exactly. The same seed gives the same picture.
 */
export async function umapPoints(view: VectorView, seed: number, { draw, stopped }: Steering): Promise<Float32Array> {
  const { scores, count } = principalComponents(view, components, seed);
  const n = view.rows.length;
  const all = Array.from({ length: n }, (_, i) => Array.from(scores.subarray(i * count, (i + 1) * count)));
  const places = Int32Array.from(all.keys());
  const fitted = n > mostFitted ? spread(places, sampleSize) : places;
  const { UMAP } = await import("umap-js");
  const sample = Array.from(fitted, (place) => all[place] ?? []);
  const nNeighbors = Math.min(neighbours, sample.length - 1);
  const minDist = n <= mostSpaced ? 0.5 : 0.1;
  const umap = new UMAP({ nNeighbors, nComponents: 2, minDist, random: makeRandom(seed) });
  const near = sample.map((point, own) => closest(point, sample, nNeighbors, own));
  umap.setPrecomputedKNN(
    near.map(({ ids }) => ids),
    near.map(({ distances }) => distances),
  );
  const epochs = umap.initializeFit(sample);
  const place = () => placeAll(all, fitted, sample, umap.getEmbedding());
  for (let epoch = 0; epoch < epochs; epoch += 1) {
    umap.step();
    if (epoch % 10 !== 9) continue;
    if (n <= mostFitted) draw(place(), epoch / epochs);
    // lets a message in, such as the one that stops this
    await new Promise((resolve) => setTimeout(resolve, 0));
    if (stopped()) throw new Error("The drawing was stopped.");
  }
  return place();
}

/** The nearest of `points` by distance; `own` (its own place) comes first, as umap-js wants it, or is -1. */
function closest(point: number[], points: number[][], k: number, own: number) {
  const self = own < 0 ? [] : [own];
  const top = makeTop(k - self.length);
  for (const [other, to] of points.entries()) {
    if (other === own) continue;
    let sum = 0;
    for (let c = 0; c < point.length; c += 1) sum += ((point[c] ?? 0) - (to[c] ?? 0)) ** 2;
    top.add(other, -sum);
  }
  return {
    ids: [...self, ...top.ids],
    distances: [...self.map(() => 0), ...top.scores.map((score) => Math.sqrt(-score))],
  };
}

function placeAll(all: number[][], fitted: Int32Array, sample: number[][], layout: number[][]): Float32Array {
  const points = new Float32Array(all.length * 2);
  fitted.forEach((place, i) => points.set(layout[i] ?? [], place * 2));
  if (fitted.length === all.length) return points;
  const there = new Set(fitted);
  for (const [place, point] of all.entries()) {
    if (there.has(place)) continue;
    const { ids, distances } = closest(point, sample, 5, -1);
    let [x, y, weights] = [0, 0, 0];
    for (const [i, id] of ids.entries()) {
      const [nearX = 0, nearY = 0] = layout[id] ?? [];
      const weight = 1 / ((distances[i] ?? 0) + 1e-9);
      x += nearX * weight;
      y += nearY * weight;
      weights += weight;
    }
    points.set([x / weights, y / weights], place * 2);
  }
  return points;
}
