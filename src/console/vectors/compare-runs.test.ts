import { describe, expect, it } from "vitest";
import { compareRuns, tradeoff } from "./compare-runs.ts";
import { nearest } from "./neighbours.ts";
import { makeRandom } from "./random.ts";
import { spearman } from "./rank-correlation.ts";
import { sampleMessage } from "../pages/playground/sample-messages.ts";
import { cosine, makeTable, viewOf, type VectorView } from "./vectors.ts";

function tableOf(count: number, dimensions: number, seed: number) {
  const random = makeRandom(seed);
  const table = makeTable(count, dimensions);
  table.data.set(Float32Array.from(table.data, () => random() - 0.5));
  table.present.fill(1);
  return table;
}

/** Worked out pair by pair over all rows, by other code. */
function agreementOf(a: VectorView, b: VectorView) {
  const { rows } = a;
  const [left, right]: [number[], number[]] = [[], []];
  let shares = 0;
  for (const row of rows) {
    const there = new Set(nearest(b, row, 10).rows);
    shares += nearest(a, row, 10).rows.filter((each) => there.has(each)).length / 10;
    for (const other of rows) {
      if (other <= row) continue;
      left.push(cosine(a, row, other));
      right.push(cosine(b, row, other));
    }
  }
  return { overlap: expect.closeTo(shares / rows.length, 6), correlation: expect.closeTo(spearman(left, right), 4) };
}

let turns = 0;
const pause = async () => void (turns += 1);

describe("how far runs agree", () => {
  it("is worked out from every row and every pair of them, in turns", async () => {
    const [a, b] = [viewOf(tableOf(240, 24, 1)), viewOf(tableOf(240, 24, 1), 12)];
    turns = 0;
    const [first, second] = await compareRuns(
      [
        { run: 1, view: a },
        { run: 2, view: b },
      ],
      7,
      pause,
    );
    expect(first).toMatchObject({ run: 1, overlap: 1, correlation: 1, rows: 240, of: 240 });
    expect(second).toMatchObject({ run: 2, rows: 240, of: 240, ...agreementOf(a, b) });
    expect(turns).toBeGreaterThan(240);
  });

  it("leaves out what one of them has no vector of", async () => {
    const [a, b] = [tableOf(30, 8, 1), tableOf(30, 8, 2)];
    b.present[3] = 0;
    const found = await compareRuns(
      [
        { run: 1, view: viewOf(a) },
        { run: 2, view: viewOf(b) },
      ],
      7,
      pause,
    );
    expect(found.map(({ rows, of }) => [rows, of])).toEqual([
      [29, 29],
      [29, 29],
    ]);
  });

  it("is taken from a sample of more rows than can be compared, and says of how many", async () => {
    const view = viewOf(tableOf(61, 4, 3));
    const [, second] = await compareRuns(
      [
        { run: 1, view },
        { run: 2, view: viewOf(view.table, 1) },
      ],
      7,
      pause,
      60,
    );
    expect(second).toMatchObject({ rows: 60, of: 61 });
    expect(second && sampleMessage(second)).toBe("from a sample of 60 rows");
    expect(sampleMessage({ rows: 61, of: 61 })).toBe("");
  });
});

describe("what fewer dimensions keep", () => {
  it("is worked out from every row and every pair of them, for each cut", async () => {
    const table = tableOf(150, 32, 5);
    const found = await tradeoff(table, [8, 16, 32], pause);
    const whole = viewOf(table);
    expect(found).toMatchObject([
      { used: 8, rows: 150, of: 150, ...agreementOf(whole, viewOf(table, 8)) },
      { used: 16, rows: 150, of: 150, ...agreementOf(whole, viewOf(table, 16)) },
      { used: 32, overlap: 1, correlation: expect.closeTo(1, 9) },
    ]);
  });

  it("is chance where the cut tells no row from another", async () => {
    const table = makeTable(21, 8);
    table.present.fill(1);
    // Only the last numbers differ; the first half is zeros.
    for (let row = 0; row < 21; row += 1) table.data.set([0, 0, 0, 0, Math.cos(row), Math.sin(row), 1, row], row * 8);
    const [none, all] = await tradeoff(table, [4, 8], pause);
    // Each list has 10 of the 20 others.
    expect(none).toMatchObject({ overlap: expect.closeTo(0.5, 9), correlation: 0 });
    expect(all).toMatchObject({ overlap: 1 });
  });

  it("is everything where rows that are equally near stay so", async () => {
    const table = makeTable(30, 4);
    table.present.fill(1);
    table.data.fill(1);
    expect(await tradeoff(table, [2], pause)).toMatchObject([{ overlap: expect.closeTo(1, 9) }]);
  });

  it("is everything where there is nothing to compare", async () =>
    expect(await tradeoff(tableOf(2, 8, 1), [4, 8], pause)).toMatchObject([
      { overlap: 1, correlation: 1 },
      { overlap: 1, correlation: 1 },
    ]));
});
