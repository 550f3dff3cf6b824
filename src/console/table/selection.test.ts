import * as fc from "fast-check";
import { expect, it } from "vitest";
import { reorder } from "./reorder.ts";
import { keepExisting, nothingSelected, toggle, toggleAll } from "./selection.ts";
import { rowWindow, scrollToRow } from "./window-of-rows.ts";

const rows = ["a", "b", "c", "d", "e"];
const ticked = (selection: { ids: ReadonlySet<string> }) => [...selection.ids].toSorted().join("");
const from = (id: string, selection = nothingSelected) => toggle(selection, rows, id, false);
const all = toggleAll(nothingSelected, rows);

it.each([
  ["one row", from("b"), "b"],
  ["one row back", from("b", from("b")), ""],
  ["a range downwards from the anchor", toggle(from("c"), rows, "e", true), "cde"],
  ["a range upwards from the anchor", toggle(from("c"), rows, "a", true), "abc"],
  ["a range back where the anchor was unticked", toggle(from("b", all), rows, "d", true), "ae"],
  ["a single row where there is no anchor", toggle(nothingSelected, rows, "d", true), "d"],
  ["a single row where the anchor is gone", toggle({ ids: new Set(), anchor: "gone" }, rows, "d", true), "d"],
  ["all", all, "abcde"],
  ["none after all", toggleAll(all, rows), ""],
  ["none of no rows", toggleAll(nothingSelected, []), ""],
])("ticks %s", (_, selection, ids) => expect(ticked(selection)).toBe(ids));

it("forgets rows that are gone", () => {
  const some = from("e", from("a"));
  expect(keepExisting(some, rows)).toBe(some);
  expect(keepExisting(some, ["a", "b"])).toEqual({ ids: new Set(["a"]), anchor: null });
});

/** The rank of each, in order of the ids. */
const ranked = (...ranks: number[]) => ranks.map((rank, at) => ({ id: rows[at] ?? "", rank }));
it.each([
  ["swaps two ranks where all differ", ranked(0, 5, 9), "b", -1, { b: 0, a: 5 }],
  ["leaves the first where it is", ranked(0, 5, 9), "a", -1, {}],
  ["leaves the last where it is", ranked(0, 5, 9), "c", 1, {}],
  ["numbers anew where ranks are shared, and sends only what changes", ranked(20, 20, 20), "c", -1, { a: 10, b: 30 }],
] as const)("reordering %s", (_, items, id, by, changes) =>
  expect(Object.fromEntries(reorder(items, id, by).map((change) => [change.id, change.rank]))).toEqual(changes),
);

it("reordering gives the wanted order whatever the ranks were, with ties in order of the id", () => {
  const ranks = fc.array(fc.nat({ max: 6 }), { minLength: 2, maxLength: 8 });
  const sort = (list: { id: string; rank: number }[]) =>
    list.toSorted((a, b) => a.rank - b.rank || (a.id < b.id ? -1 : 1));
  fc.assert(
    fc.property(ranks, fc.nat(), fc.constantFrom(-1 as const, 1 as const), (given, at, by) => {
      const items = sort(given.map((rank, index) => ({ id: `p${index}`, rank })));
      const index = at % items.length;
      const changes = new Map(reorder(items, items[index]?.id ?? "", by).map(({ id, rank }) => [id, rank]));
      const after = sort(items.map(({ id, rank }) => ({ id, rank: changes.get(id) ?? rank })));
      const wanted = items.map((item) => item.id);
      wanted.splice(Math.min(items.length - 1, Math.max(0, index + by)), 0, ...wanted.splice(index, 1));
      expect(after.map((item) => item.id)).toEqual(wanted);
    }),
  );
});

it("a window holds every row in view, wherever the scroll stands", () => {
  const count = fc.integer({ min: 1, max: 10_000 });
  const [top, viewport] = [fc.integer({ min: 0, max: 400_000 }), fc.integer({ min: 100, max: 1_440 })];
  fc.assert(
    fc.property(count, fc.constantFrom(32, 40, 48), top, viewport, (count, rowHeight, wanted, viewport) => {
      const scrolled = Math.min(wanted, Math.max(0, count * rowHeight - viewport));
      const { first, end } = rowWindow(count, rowHeight, scrolled, viewport);
      expect(first).toBeGreaterThanOrEqual(0);
      expect(end).toBeLessThanOrEqual(count);
      expect(first * rowHeight).toBeLessThanOrEqual(scrolled);
      expect(end * rowHeight).toBeGreaterThanOrEqual(Math.min(scrolled + viewport, count * rowHeight));
      expect(end - first).toBeLessThanOrEqual(60);
    }),
  );
});

it("a window holds nothing of an empty table, rows of a short one, and scrolls a row into view, clear of the head", () => {
  expect(rowWindow(0, 40, 0, 800)).toEqual({ first: 0, end: 0 });
  const { first, end } = rowWindow(3, 40, 4_000, 800);
  expect(end).toBe(3);
  expect(first).toBeLessThan(3);
  const to = (row: number, scrolled: number) => scrollToRow(row, { rowHeight: 40, viewport: 800, head: 30, scrolled });
  expect([to(5, 0), to(2, 400), to(100, 0)]).toEqual([null, 80, 4_040 - 770]);
});
