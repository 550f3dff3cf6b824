import { expect, it } from "vitest";
import { keepExisting, nothingSelected, toggle, toggleAll } from "./selection.ts";

const rows = ["a", "b", "c", "d", "e"];
const ticked = (selection: { ids: ReadonlySet<string> }) => [...selection.ids].toSorted();

it("toggles one row", () => {
  const once = toggle(nothingSelected, rows, "b", false);
  expect(ticked(once)).toEqual(["b"]);
  expect(ticked(toggle(once, rows, "b", false))).toEqual([]);
});

it("ticks a range downwards and upwards from the anchor", () => {
  const start = toggle(nothingSelected, rows, "c", false);
  expect(ticked(toggle(start, rows, "e", true))).toEqual(["c", "d", "e"]);
  expect(ticked(toggle(start, rows, "a", true))).toEqual(["a", "b", "c"]);
});

it("unticks a range when the anchor was unticked", () => {
  const all = toggleAll(nothingSelected, rows);
  const without = toggle(all, rows, "b", false);
  expect(ticked(toggle(without, rows, "d", true))).toEqual(["a", "e"]);
});

it("treats a range without a known anchor as a single row", () => {
  expect(ticked(toggle(nothingSelected, rows, "d", true))).toEqual(["d"]);
  expect(ticked(toggle({ ids: new Set(), anchor: "gone" }, rows, "d", true))).toEqual(["d"]);
});

it("ticks all, then none", () => {
  const all = toggleAll(nothingSelected, rows);
  expect(ticked(all)).toEqual(rows);
  expect(ticked(toggleAll(all, rows))).toEqual([]);
  expect(ticked(toggleAll(nothingSelected, []))).toEqual([]);
});

it("forgets rows that are gone", () => {
  const some = toggle(toggle(nothingSelected, rows, "a", false), rows, "e", false);
  expect(keepExisting(some, rows)).toBe(some);
  expect(keepExisting(some, ["a", "b"])).toEqual({ ids: new Set(["a"]), anchor: null });
});
