import { describe, expect, it } from "vitest";
import { sampleMessage } from "../pages/playground/sample-messages.ts";
import { chooseCount, clusters } from "./clusters.ts";
import { compareRuns, tradeoff } from "./compare-runs.ts";
import { tableAnywhere, tableOf } from "./example-tables.ts";
import { nearest } from "./neighbours.ts";
import { makeRandom } from "./random.ts";
import { spearman } from "./rank-correlation.ts";
import { cosine, viewOf, type VectorView, makeTable } from "./vectors.ts";

/** Worked out pair by pair over all rows, by other code. */
function agreementOf(a: VectorView, b: VectorView) {
  const { rows } = a;
  const [left, right]: [number[], number[]] = [[], []];
  let shares = 0;
  for (const row of rows) {
    const there = new Set(nearest(b, row, 10).rows);
    shares += nearest(a, row, 10).rows.filter((each) => there.has(each)).length / 10;
    for (const other of rows.filter((each) => each > row)) {
      left.push(cosine(a, row, other));
      right.push(cosine(b, row, other));
    }
  }
  return { overlap: expect.closeTo(shares / rows.length, 6), correlation: expect.closeTo(spearman(left, right), 4) };
}

let turns = 0;
const pause = async () => void (turns += 1);
const compared = (a: VectorView, b: VectorView, most?: number) => {
  const runs = [a, b].map((view, at) => ({ run: at + 1, view }));
  return compareRuns(runs, 7, pause, most);
};

it("how far runs agree is worked out from every row and every pair of them, in turns", async () => {
  const table = tableAnywhere(240, 24, 1);
  const [a, b] = [viewOf(table), viewOf(table, 12)];
  turns = 0;
  const [first, second] = await compared(a, b);
  expect(first).toMatchObject({ run: 1, overlap: 1, correlation: 1, rows: 240, of: 240 });
  expect(second).toMatchObject({ run: 2, rows: 240, of: 240, ...agreementOf(a, b) });
  expect(turns).toBeGreaterThan(240);
});

it("how far runs agree leaves out rows without a vector, and is taken from a sample of too many, which it says", async () => {
  const [a, b] = [tableAnywhere(30, 8, 1), tableAnywhere(30, 8, 2)];
  b.present[3] = 0;
  for (const run of await compared(viewOf(a), viewOf(b))) expect(run).toMatchObject({ rows: 29, of: 29 });
  const table = tableAnywhere(61, 4, 3);
  const [, second] = await compared(viewOf(table), viewOf(table, 1), 60);
  expect(second).toMatchObject({ rows: 60, of: 61 });
  expect(second && sampleMessage(second)).toBe("from a sample of 60 rows");
  expect(sampleMessage({ rows: 61, of: 61 })).toBe("");
});

describe("what fewer dimensions keep", () => {
  it("is worked out from every row and every pair of them, for each cut", async () => {
    const table = tableAnywhere(150, 32, 5);
    const cut = (used: number) => ({ used, rows: 150, of: 150, ...agreementOf(viewOf(table), viewOf(table, used)) });
    const whole = { used: 32, overlap: 1, correlation: expect.closeTo(1, 9) };
    expect(await tradeoff(table, [8, 16, 32], pause)).toMatchObject([cut(8), cut(16), whole]);
  });

  it("is chance where the cut tells no row from another, and everything where they are equally near, or alone", async () => {
    // Only the last numbers differ; the first half is zeros.
    const rows = Array.from({ length: 21 }, (_, row) => [0, 0, 0, 0, Math.cos(row), Math.sin(row), 1, row]);
    const [none, all] = await tradeoff(tableOf(rows), [4, 8], pause);
    // Each list has 10 of the 20 others.
    expect(none).toMatchObject({ overlap: expect.closeTo(0.5, 9), correlation: 0 });
    expect(all).toMatchObject({ overlap: 1 });
    const same = tableOf(Array.from({ length: 30 }, () => [1, 1, 1, 1]));
    expect(await tradeoff(same, [2], pause)).toMatchObject([{ overlap: expect.closeTo(1, 9) }]);
    const everything = { overlap: 1, correlation: 1 };
    expect(await tradeoff(tableAnywhere(2, 8, 1), [4, 8], pause)).toMatchObject([everything, everything]);
  });
});

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

it("clusters are the same for the same seed, no more than there are rows, and follow the dimensions in use", () => {
  const view = viewOf(table);
  expect(clusters(view, 5, 7)).toEqual(clusters(view, 5, 7));
  const present = table.present.map((_, row) => (row === 0 || row === 2 ? 1 : 0));
  expect(clusters(viewOf({ ...table, present }), 5, 7).sizes).toEqual([1, 1]);
  expect(clusters(viewOf(makeTable(2, 4)), 3, 7)).toMatchObject({ of: Uint8Array.of(255, 255), sizes: [] });
  // in the first dimension alone, only the first direction is not about zero
  const { of } = clusters(viewOf(table, 1), 2, 7);
  expect(new Set(of.filter((_, row) => truth[row] === 0)).size).toBe(1);
});

const choose = (of: typeof table, pause = async () => {}) => chooseCount(viewOf(of), 7, pause);

it("the number of groups is the number of directions that rows were made around, found between pauses", async () => {
  let pauses = 0;
  const found = await choose(table, async () => void (pauses += 1));
  expect(found).toMatchObject({ count: 3, among: truth.length });
  expect(found?.silhouette).toBeGreaterThan(0.7);
  expect(pauses).toBeGreaterThan(10);
});

it("the number of groups is the same for the same seed, and of rows that lie anywhere no number fits", async () => {
  const found = await choose(tableAnywhere(80, 64, 3));
  expect(found?.silhouette).toBeLessThan(0.1);
  expect(await choose(tableAnywhere(80, 64, 3))).toEqual(found);
});

it("the number of groups is no more than the square root of the rows: in few rows, pairs would fit best", async () => {
  const anywhere = Array.from({ length: 11 }, () => Array.from({ length: 32 }, () => random() - 0.5));
  const pairs = tableOf(anywhere.flatMap((row) => [around(row, 0.1), around(row, 0.1)]));
  const found = await choose(pairs);
  expect(found?.count).toBeLessThanOrEqual(4);
  // the eleven pairs hold together perfectly, and are not what is looked for
  expect(clusters(viewOf(pairs), 11, 7).fit.silhouette).toBeGreaterThan(0.8);
  expect(found?.silhouette).toBeLessThan(0.5);
});

it("the number of groups is looked for among a sample of many rows, a smaller one of long rows, and not among three", async () => {
  expect(await choose(tableAnywhere(700, 4, 3, 0.5))).toMatchObject({ among: 600 });
  expect(await choose(tableAnywhere(210, 2_500, 3, 0.5))).toMatchObject({ among: 200 });
  expect(await choose(tableAnywhere(3, 4, 3, 0.5))).toBeNull();
});
