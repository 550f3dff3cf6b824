import { describe, expect, it } from "vitest";
import { chooseCount, clusters } from "./clusters.ts";
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
const table = makeTable(truth.length + 1, 4);
truth.forEach((place, row) => {
  const length = 100 ** random();
  middles[place]?.forEach((value, k) => {
    table.data[row * 4 + k] = length * (value + 0.2 * (random() - 0.5));
  });
  table.present[row] = 1;
});

describe("clusters", () => {
  it("are the directions that rows were made around, whatever their lengths, the largest first", () => {
    const { of, sizes, typical } = clusters(viewOf(table), 3, 7);
    // six rows around the first direction, four around the second, two around the third
    expect([...of]).toEqual([...truth, 255]);
    expect(sizes).toEqual([6, 4, 2]);
    // each is stood for by one of its own
    expect(typical.map((row) => of[row])).toEqual([0, 1, 2]);
  });

  it("are the same for the same seed, and no more than there are rows", () => {
    const view = viewOf(table);
    expect(clusters(view, 5, 7)).toEqual(clusters(view, 5, 7));
    const few = clusters(
      viewOf({ ...table, present: Uint8Array.of(1, 0, 1, ...table.present.slice(3).fill(0)) }),
      5,
      7,
    );
    expect(few.sizes).toEqual([1, 1]);
    expect(clusters(viewOf(makeTable(2, 4)), 3, 7)).toMatchObject({ of: Uint8Array.of(255, 255), sizes: [] });
  });

  it("follow the dimensions in use", () => {
    // in the first dimension alone, only the first direction is not about zero
    const { of } = clusters(viewOf(table, 1), 2, 7);
    const first = new Set([...of].filter((_, row) => truth[row] === 0));
    expect(first.size).toBe(1);
  });
});

describe("the number of groups", () => {
  it("is the number of directions that rows were made around, found between pauses", async () => {
    let pauses = 0;
    const found = await chooseCount(viewOf(table), 7, async () => void (pauses += 1));
    expect(found).toMatchObject({ count: 3, among: truth.length });
    expect(found?.silhouette).toBeGreaterThan(0.7);
    expect(pauses).toBeGreaterThan(10);
  });

  it("is the same for the same seed, and of rows that lie anywhere no number fits", async () => {
    const anywhere = makeTable(80, 64);
    for (let at = 0; at < anywhere.data.length; at += 1) anywhere.data[at] = random() - 0.5;
    anywhere.present.fill(1);
    const found = await chooseCount(viewOf(anywhere), 7, async () => undefined);
    expect(found?.silhouette).toBeLessThan(0.1);
    expect(await chooseCount(viewOf(anywhere), 7, async () => undefined)).toEqual(found);
  });

  it("is no more than the square root of the rows: in few rows, pairs would fit best", async () => {
    const pairs = makeTable(22, 32);
    for (let row = 0; row < 22; row += 2) {
      for (let k = 0; k < 32; k += 1) {
        const value = random() - 0.5;
        pairs.data[row * 32 + k] = value + 0.1 * (random() - 0.5);
        pairs.data[(row + 1) * 32 + k] = value + 0.1 * (random() - 0.5);
      }
    }
    pairs.present.fill(1);
    const found = await chooseCount(viewOf(pairs), 7, async () => undefined);
    expect(found?.count).toBeLessThanOrEqual(4);
    // the eleven pairs hold together perfectly, and are not what is looked for
    expect(clusters(viewOf(pairs), 11, 7).fit.silhouette).toBeGreaterThan(0.8);
    expect(found?.silhouette).toBeLessThan(0.5);
  });

  it("is looked for among a sample of many rows, a smaller one of long rows, and not among three", async () => {
    const many = (count: number, dimensions: number) => {
      const made = makeTable(count, dimensions);
      for (let at = 0; at < made.data.length; at += 1) made.data[at] = random();
      made.present.fill(1);
      return chooseCount(viewOf(made), 7, async () => undefined);
    };
    expect(await many(700, 4)).toMatchObject({ among: 600 });
    expect(await many(210, 2_500)).toMatchObject({ among: 200 });
    expect(await many(3, 4)).toBeNull();
  });
});
