import { expect, it } from "vitest";
import { firstRight } from "./first-right.ts";
import { meanInterval, shareInterval } from "./intervals.ts";
import { makeTable, viewOf } from "./vectors.ts";

const still = async () => undefined;

function viewOfRows(...rows: readonly (readonly [number, number])[]) {
  const table = makeTable(rows.length, 2);
  rows.forEach((row, at) => table.data.set(row, at * 2));
  table.present.fill(1);
  return viewOf(table);
}

// a query, then documents farther and farther from it
const fan = viewOfRows([1, 0], [1, 0.1], [1, 0.2], [1, 0.4], [1, 0.8]);
const none = [-1, -1, -1, -1, -1];
const asked = [0];
const among = [1, 2, 3, 4];

it("ranks the first document with the query's label, or whose id is that label", async () => {
  const labels = [7, 1, 1, 7, 7];
  expect((await firstRight([fan], { asked, among, labels, ids: none }, still)).ranks).toEqual([Int32Array.of(3)]);
  const ids = [-1, 5, 7, 6, 9];
  expect((await firstRight([fan], { asked, among, labels, ids }, still)).ranks).toEqual([Int32Array.of(2)]);
});

it("does not ask what no document can answer, nor count a row as its own answer", async () => {
  const labels = [7, 1, 1, 2, -1];
  expect((await firstRight([fan], { asked, among, labels, ids: none }, still)).of).toBe(0);
  const all = [0, 1, 2, 3, 4];
  const found = await firstRight([fan], { asked: all, among: all, labels, ids: none }, still);
  expect([...found.asked]).toEqual([1, 2]);
});

it("gives vectors that are all the same the worst rank", async () => {
  const same = viewOfRows([1, 0], [1, 0], [1, 0], [1, 0], [1, 0]);
  const labels = [7, 1, 7, 1, 1];
  expect((await firstRight([fan, same], { asked, among, labels, ids: none }, still)).ranks).toEqual([
    Int32Array.of(2),
    Int32Array.of(4),
  ]);
});

it("asks a sample of many rows, the same for every run", async () => {
  const labels = [1, 1, 1, 1, 1];
  const all = [0, 1, 2, 3, 4];
  const found = await firstRight([fan, fan], { asked: all, among: all, labels, ids: none }, still, 20);
  expect(found.asked).toHaveLength(2);
  expect(found.of).toBe(5);
  expect(found.ranks).toHaveLength(2);
});

it("gives a share Wilson's bounds, and a mean those of its draws", () => {
  // Newcombe (1998), table I: 81 of 263, and 0 of 20
  expect(shareInterval(81, 263).from).toBeCloseTo(0.2553, 4);
  expect(shareInterval(81, 263).to).toBeCloseTo(0.3662, 4);
  expect(shareInterval(0, 20)).toEqual({ value: 0, from: 0, to: expect.closeTo(0.1611, 4) });
  expect(shareInterval(5, 5).to).toBe(1);
  const half = Array.from({ length: 400 }, (_, at) => at % 2);
  const { value, from, to } = meanInterval(half);
  expect(value).toBe(0.5);
  // a mean of 400 such values has a standard error of 0.025
  expect(from).toBeGreaterThan(0.44);
  expect(to).toBeLessThan(0.56);
  expect(to - from).toBeGreaterThan(0.08);
  expect(meanInterval([])).toEqual({ value: 0, from: 0, to: 0 });
});
