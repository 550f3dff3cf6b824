import { describe, expect, it } from "vitest";
import { chooseCount, clusters } from "./clusters.ts";
import { tableAnywhere, tableOf } from "./example-tables.ts";
import { makeRandom } from "./random.ts";
import { makeTable, viewOf } from "./vectors.ts";

/** Rows around three directions, of lengths that differ a hundredfold; the last has no vector. */
const random = makeRandom(3);
const middles = [
  [1, 0, 0, 0],
  [0, 1, 1, 0],
  [0, -1, 0, 1],
];
const truth = [1, 1, 0, 2, 0, 1, 0, 1, 0, 0, 2, 0];
const around = (middle: readonly number[], off: number, length = 1) =>
  middle.map((value) => length * (value + off * (random() - 0.5)));
const table = tableOf([...truth.map((place) => around(middles[place] ?? [], 0.2, 100 ** random())), [0, 0, 0, 0]]);
table.present[truth.length] = 0;

it("clusters are the directions that rows were made around, whatever their lengths, the largest first", () => {
  const { of, sizes, typical } = clusters(viewOf(table), 3, 7);
  // six rows around the first direction, four around the second, two around the third
  expect([...of]).toEqual([...truth, 255]);
  expect(sizes).toEqual([6, 4, 2]);
  // each is stood for by one of its own
  expect(typical.map((row) => of[row])).toEqual([0, 1, 2]);
});

it("clusters are the same for the same seed, and no more than there are rows", () => {
  const view = viewOf(table);
  expect(clusters(view, 5, 7)).toEqual(clusters(view, 5, 7));
  const present = table.present.map((_, row) => (row === 0 || row === 2 ? 1 : 0));
  expect(clusters(viewOf({ ...table, present }), 5, 7).sizes).toEqual([1, 1]);
  expect(clusters(viewOf(makeTable(2, 4)), 3, 7)).toMatchObject({ of: Uint8Array.of(255, 255), sizes: [] });
});

it("clusters follow the dimensions in use", () => {
  // in the first dimension alone, only the first direction is not about zero
  const { of } = clusters(viewOf(table, 1), 2, 7);
  expect(new Set(of.filter((_, row) => truth[row] === 0)).size).toBe(1);
});

describe("the number of groups", () => {
  const choose = (of: typeof table, pause = async () => {}) => chooseCount(viewOf(of), 7, pause);

  it("is the number of directions that rows were made around, found between pauses", async () => {
    let pauses = 0;
    const found = await choose(table, async () => void (pauses += 1));
    expect(found).toMatchObject({ count: 3, among: truth.length });
    expect(found?.silhouette).toBeGreaterThan(0.7);
    expect(pauses).toBeGreaterThan(10);
  });

  it("is the same for the same seed, and of rows that lie anywhere no number fits", async () => {
    const found = await choose(tableAnywhere(80, 64, 3));
    expect(found?.silhouette).toBeLessThan(0.1);
    expect(await choose(tableAnywhere(80, 64, 3))).toEqual(found);
  });

  it("is no more than the square root of the rows: in few rows, pairs would fit best", async () => {
    const anywhere = Array.from({ length: 11 }, () => Array.from({ length: 32 }, () => random() - 0.5));
    const pairs = tableOf(anywhere.flatMap((row) => [around(row, 0.1), around(row, 0.1)]));
    const found = await choose(pairs);
    expect(found?.count).toBeLessThanOrEqual(4);
    // the eleven pairs hold together perfectly, and are not what is looked for
    expect(clusters(viewOf(pairs), 11, 7).fit.silhouette).toBeGreaterThan(0.8);
    expect(found?.silhouette).toBeLessThan(0.5);
  });

  it("is looked for among a sample of many rows, a smaller one of long rows, and not among three", async () => {
    expect(await choose(tableAnywhere(700, 4, 3, 0.5))).toMatchObject({ among: 600 });
    expect(await choose(tableAnywhere(210, 2_500, 3, 0.5))).toMatchObject({ among: 200 });
    expect(await choose(tableAnywhere(3, 4, 3, 0.5))).toBeNull();
  });
});
