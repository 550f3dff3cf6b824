import { expect, it } from "vitest";
import { nearestOfEach } from "./nearest-of-each.ts";
import { makeRandom } from "./random.ts";
import { makeTable, viewOf } from "./vectors.ts";

const random = makeRandom(5);
const table = makeTable(30, 6);
for (let at = 0; at < table.data.length; at += 1) table.data[at] = random() - 0.5;
table.present.fill(1);
table.present[4] = 0;
const view = viewOf(table);

/** Straight from the definition. */
function cosineOf(a: number, b: number): number {
  const [x, y] = [a, b].map((row) => [...table.data.subarray(row * 6, row * 6 + 6)]) as [number[], number[]];
  const product = (u: number[], v: number[]) => u.reduce((sum, value, k) => sum + value * (v[k] ?? 0), 0);
  return product(x, y) / Math.sqrt(product(x, x) * product(y, y));
}

function expected(row: number) {
  const others = [...view.rows].filter((other) => other !== row);
  const best = others.reduce((a, b) => (cosineOf(row, b) > cosineOf(row, a) ? b : a));
  return [best, cosineOf(row, best)] as const;
}

it("each row's nearest is the one with the highest cosine of all others", async () => {
  let pauses = 0;
  const found = await nearestOfEach(view, async () => void (pauses += 1));
  expect(found.rows).toEqual(view.rows);
  expect(found.of).toBe(29);
  expect(pauses).toBe(29);
  for (const [i, row] of found.rows.entries()) {
    const [nearest, score] = expected(row);
    expect(found.nearest[i]).toBe(nearest);
    expect(found.scores[i]).toBeCloseTo(score, 6);
  }
});

it("past the budget a sample of the rows is held against all of them", async () => {
  // five rows of 29 numbers each way
  const found = await nearestOfEach(view, async () => undefined, 5 * 29 * 6);
  expect([...found.rows]).toEqual([0, 6, 12, 18, 24]);
  for (const [i, row] of found.rows.entries()) expect(found.nearest[i]).toBe(expected(row)[0]);
  expect((await nearestOfEach(view, async () => undefined, 0)).rows).toHaveLength(1);
});

it("a row without another has no nearest", async () => {
  const alone = makeTable(1, 2);
  alone.present.fill(1);
  const found = await nearestOfEach(viewOf(alone), async () => undefined);
  expect([...found.nearest]).toEqual([-1]);
});
