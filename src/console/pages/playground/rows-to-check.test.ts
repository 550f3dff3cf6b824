import { expect, it, vi } from "vitest";
import type { RowScan } from "../../vectors/protocol.ts";
import { sameLevels } from "../../vectors/row-scan.ts";
import { notBegun } from "../../vectors/run-batch.ts";
import { makePlaygroundStore, change, type Run } from "./playground.ts";
import { removeRows } from "./remove-rows.ts";
import { makeRow } from "./rows.ts";
import { checkLines, furtherRows, labelCodes, rowsToCheck, checkSentence } from "./rows-to-check.ts";

const rows = ["a", "b", "a", "b", "a", "b"].map((group, at) => makeRow(`text ${at}`, group));
const shown = rows.map(({ text, group, id }, at) => ({
  text,
  group,
  role: "document" as const,
  number: at + 1,
  source: id,
}));
const run = { id: 1, mode: "batch", shown, progress: { ...notBegun(6), unfamiliar: [5] } } as unknown as Run;

const scan: RowScan = {
  near: {
    rows: Int32Array.of(0, 1, 2, 3, 4, 5),
    nearest: new Int32Array(6),
    scores: new Float32Array(6),
    of: 6,
    random: null,
  },
  doubtful: [{ row: 3, own: 0, theirs: 0, count: 4, of: 5 }],
  same: sameLevels.map(() => [
    [0, 2, 4],
    [1, 5],
  ]),
  compared: 1,
};

it("says which label the neighbors have, and counts no vectors that say nothing as alike", () => {
  const found = rowsToCheck(scan, run, 0.95);
  expect(labelCodes(["x", "", "y", "x"])).toEqual([0, -1, 1, 0]);
  expect(found.doubtful).toEqual([{ row: 3, label: "b", theirs: "a", count: 4, of: 5 }]);
  // row 5 is of an unknown script, so that its likeness with row 1 means nothing
  expect(found.same).toEqual([[0, 2, 4]]);
  expect(furtherRows(found.same)).toEqual([2, 4]);
  expect(checkSentence(found, true)).toBe(
    "One row has a label unlike its neighbors’; three rows are near-duplicates, in one set; one looks like another language",
  );
  expect(checkLines(found, shown, ["label"])).toEqual([
    [4, "text 3", "b", "label", "4 of the 5 nearest are labeled a"],
  ]);
});

it("takes rows out of a run and its input, and puts them back where they were", () => {
  const store = makePlaygroundStore();
  change(store, { mode: "batch", rows, runs: [run], current: 1, selected: 2, picked: [2, 3] });
  const ask = vi.fn<(name: string, input: object) => Promise<null>>(async () => null);
  const worker = { ask, end: () => undefined } as unknown as Parameters<typeof removeRows>[0]["worker"];
  const undo = removeRows({ store, worker }, run, [2, 4]);
  expect(ask).toHaveBeenLastCalledWith("hide", { run: 1, rows: [2, 4] });
  const [left] = store.get().runs;
  expect(left && rowsToCheck(scan, left, 0.95).same).toEqual([]);
  expect(store.get()).toMatchObject({ selected: null, picked: [3] });
  expect(store.get().rows.map(({ text }) => text)).toEqual(["text 0", "text 1", "text 3", "text 5"]);
  // what was typed meanwhile stays
  change(store, { rows: [...store.get().rows, makeRow("new")] });
  undo();
  expect(store.get().rows.map(({ text }) => text)).toEqual([...rows.map(({ text }) => text), "new"]);
  expect(store.get().runs[0]?.removed?.size).toBe(0);
  expect(ask).toHaveBeenLastCalledWith("hide", { run: 1, rows: [] });
});
