import { describe, expect, it } from "vitest";
import { sampleMessage } from "../pages/playground/sample-messages.ts";
import { compareRuns, tradeoff } from "./compare-runs.ts";
import { tableAnywhere, tableOf } from "./example-tables.ts";
import { nearest } from "./neighbours.ts";
import { spearman } from "./rank-correlation.ts";
import { cosine, viewOf, type VectorView } from "./vectors.ts";

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

it("how far runs agree leaves out what one of them has no vector of", async () => {
  const [a, b] = [tableAnywhere(30, 8, 1), tableAnywhere(30, 8, 2)];
  b.present[3] = 0;
  for (const run of await compared(viewOf(a), viewOf(b))) expect(run).toMatchObject({ rows: 29, of: 29 });
});

it("how far runs agree is taken from a sample of more rows than can be compared, and says of how many", async () => {
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

  it("is chance where the cut tells no row from another", async () => {
    // Only the last numbers differ; the first half is zeros.
    const rows = Array.from({ length: 21 }, (_, row) => [0, 0, 0, 0, Math.cos(row), Math.sin(row), 1, row]);
    const [none, all] = await tradeoff(tableOf(rows), [4, 8], pause);
    // Each list has 10 of the 20 others.
    expect(none).toMatchObject({ overlap: expect.closeTo(0.5, 9), correlation: 0 });
    expect(all).toMatchObject({ overlap: 1 });
  });

  it("is everything where rows that are equally near stay so, and where there is nothing to compare", async () => {
    const same = tableOf(Array.from({ length: 30 }, () => [1, 1, 1, 1]));
    expect(await tradeoff(same, [2], pause)).toMatchObject([{ overlap: expect.closeTo(1, 9) }]);
    const everything = { overlap: 1, correlation: 1 };
    expect(await tradeoff(tableAnywhere(2, 8, 1), [4, 8], pause)).toMatchObject([everything, everything]);
  });
});
