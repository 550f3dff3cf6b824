import { expect, it } from "vitest";
import { makeRandom } from "./random.ts";
import { sameLevels, scanRows } from "./row-scan.ts";
import { makeTable, viewOf } from "./vectors.ts";

const still = async () => undefined;
const level = (score: (typeof sameLevels)[number]) => sameLevels.indexOf(score);

/** Rows on some topics, as a model gives them: a direction for each topic, and noise around it. */
function topical(rows: number, topics: number, dimensions: number, noise: number, seed = 1) {
  const random = makeRandom(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const middles = Array.from({ length: topics }, () => Array.from({ length: dimensions }, normal));
  const table = makeTable(rows, dimensions);
  const labels = new Int32Array(rows);
  for (let row = 0; row < rows; row += 1) {
    labels[row] = row % topics;
    table.present[row] = 1;
    for (let k = 0; k < dimensions; k += 1)
      table.data[row * dimensions + k] = (middles[row % topics]?.[k] ?? 0) + noise * normal();
  }
  return { view: viewOf(table), labels, table };
}

/** Ten rows get another label than their topic's. */
function plant(labels: Int32Array, topics: number): number[] {
  const planted = Array.from({ length: 10 }, (_, at) => at * 29 + 3);
  for (const row of planted) labels[row] = ((labels[row] ?? 0) + 1 + (row % (topics - 1))) % topics;
  return planted;
}

it("finds ten wrong labels among 300 rows, with at most two false alarms, and names the right ones", async () => {
  // with noise of 2, two rows of one topic have a cosine of 0.2, and the topic explains a fifth of a vector
  for (const [seed, noise] of [
    [1, 1],
    [2, 1.5],
    [3, 1.5],
    [4, 2],
  ] as const) {
    const { view, labels } = topical(300, 8, 384, noise, seed);
    const right = labels.slice();
    const planted = plant(labels, 8);
    const { doubtful } = await scanRows(view, labels, still);
    const found = doubtful.filter(({ row }) => planted.includes(row));
    expect(found).toHaveLength(10);
    expect(doubtful.length - found.length).toBeLessThanOrEqual(2);
    expect(found.every(({ row, theirs }) => theirs === right[row])).toBe(true);
  }
});

it("doubts no label where the rows around it do not agree on another", async () => {
  const { view } = topical(60, 6, 64, 1);
  const own = Int32Array.from({ length: 60 }, (_, row) => row);
  expect((await scanRows(view, own, still)).doubtful).toEqual([]);
  const typed = Int32Array.from({ length: 60 }, (_, row) => (row === 12 ? 6 : row % 6));
  expect((await scanRows(view, typed, still)).doubtful).toMatchObject([{ row: 12, own: 0, theirs: 0, count: 5 }]);
  expect((await scanRows(view, new Int32Array(60).fill(-1), still)).doubtful).toEqual([]);
});

it("joins near-duplicates to sets, at several cosines at once", async () => {
  const { view, labels, table } = topical(40, 8, 128, 2);
  const copy = (from: number, to: number, noise: number) => {
    for (let k = 0; k < 128; k += 1)
      table.data[to * 128 + k] = (table.data[from * 128 + k] ?? 0) * (1 + (k % 2 === 0 ? noise : -noise));
  };
  copy(7, 17, 0);
  copy(17, 31, 0.25);
  copy(2, 9, 0.1);
  const { same, near } = await scanRows(viewOf(view.table), labels, still);
  expect(same[level(0.999)]).toEqual([[7, 17]]);
  expect(same[level(0.98)]).toEqual([
    [2, 9],
    [7, 17],
  ]);
  expect(same[level(0.95)]).toEqual([
    [7, 17, 31],
    [2, 9],
  ]);
  expect(near.nearest[7]).toBe(17);
});

it("keeps to its budget with many rows, and still finds what it looks for", async () => {
  const { view, labels } = topical(2_000, 40, 48, 0.8);
  const planted = plant(labels, 40);
  const shares: number[] = [];
  const step = async (share?: number) => void shares.push(share ?? 0);
  const { doubtful, compared } = await scanRows(view, labels, step, 2_000 * 300 * 48);
  expect(compared).toBeLessThan(0.2);
  expect(planted.every((row) => doubtful.some((one) => one.row === row))).toBe(true);
  const whole = new Set((await scanRows(view, labels, still)).doubtful.map(({ row }) => row));
  expect(doubtful.filter(({ row }) => !whole.has(row)).length).toBeLessThanOrEqual(2);
  expect(shares.at(-1)).toBe(1);
});

it("ends where the work is no longer wanted", async () => {
  const { view, labels } = topical(300, 8, 64, 1);
  const stopped = async () => {
    throw new Error("Stopped.");
  };
  await expect(scanRows(view, labels, stopped)).rejects.toThrow("Stopped.");
});
