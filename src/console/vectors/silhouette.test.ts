import { expect, it } from "vitest";
import { makeRandom } from "./random.ts";
import { silhouette } from "./silhouette.ts";
import { makeTable, viewOf } from "./vectors.ts";

const random = makeRandom(11);
const table = makeTable(24, 5);
for (let at = 0; at < table.data.length; at += 1) table.data[at] = 3 * (random() - 0.4);
table.present.fill(1);
// one that is all zeros, which is at a distance of 1 from every row
table.data.fill(0, 15, 20);
const view = viewOf(table);
/** Three groups of some size, and one of a single row. */
const assignments = Int32Array.from(view.rows, (row) => (row === 23 ? 3 : row % 3));

/** Rousseeuw's definition: every row's mean distance to its own group and to the nearest other, pair by pair. */
function byPairs(): number {
  const distance = (a: number, b: number) => {
    const [x, y] = [a, b].map((row) => [...table.data.subarray(row * 5, row * 5 + 5)]) as [number[], number[]];
    const product = (u: number[], v: number[]) => u.reduce((sum, value, k) => sum + value * (v[k] ?? 0), 0);
    return 1 - product(x, y) / (Math.sqrt(product(x, x) * product(y, y)) || 1);
  };
  const mean = (row: number, others: number[]) =>
    others.reduce((sum, other) => sum + distance(row, other), 0) / others.length;
  const rows = [...view.rows];
  const scores = rows.map((row) => {
    const inGroup = (cluster: number) => rows.filter((other) => assignments[other] === cluster && other !== row);
    const own = assignments[row] ?? 0;
    if (inGroup(own).length === 0) return 0;
    const inside = mean(row, inGroup(own));
    const outside = Math.min(
      ...[0, 1, 2, 3].filter((cluster) => cluster !== own).map((cluster) => mean(row, inGroup(cluster))),
    );
    return (outside - inside) / Math.max(inside, outside);
  });
  return scores.reduce((sum, score) => sum + score, 0) / scores.length;
}

it("is what its definition gives pair by pair, a single row counting as 0", () => {
  expect(silhouette(view, view.rows, assignments, 4)).toBeCloseTo(byPairs(), 5);
});

it("is 0 of one group, and of no rows", () => {
  expect(silhouette(view, view.rows, new Int32Array(24), 1)).toBe(0);
  expect(silhouette(view, new Int32Array(), new Int32Array(), 2)).toBe(0);
});
