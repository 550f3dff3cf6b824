import { clusters } from "./clusters.ts";
import { makeRandom, spread } from "./random.ts";
import { makeTable, numbersOf, viewOf, type VectorView } from "./vectors.ts";

/**
 * The silhouette that as many groups have by chance: of the same numbers, each column of them shuffled, so that no two
 * belong together any more (a permutation test). In hundreds of dimensions that is near 0, in two it is not.
 */
export function shuffledSilhouette(view: VectorView, count: number, among: number, seed: number): number {
  const sample = spread(view.rows, among);
  const { used } = view;
  const table = makeTable(sample.length, used);
  table.present.fill(1);
  sample.forEach((row, at) => {
    const length = view.norms[row] || 1;
    table.data.set(
      numbersOf(view, row).map((value) => value / length),
      at * used,
    );
  });
  const random = makeRandom(seed);
  for (let k = 0; k < used; k += 1) {
    for (let last = sample.length - 1; last > 0; last -= 1) {
      const [a, b] = [last * used + k, Math.floor(random() * (last + 1)) * used + k];
      [table.data[a], table.data[b]] = [table.data[b] ?? 0, table.data[a] ?? 0];
    }
  }
  return clusters(viewOf(table), count, seed).fit.silhouette;
}
