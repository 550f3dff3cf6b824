import * as fc from "fast-check";
import { expect, it } from "vitest";
import { reorder } from "./reorder.ts";

it("swaps two ranks where all differ", () => {
  const items = [
    { id: "a", rank: 0 },
    { id: "b", rank: 5 },
    { id: "c", rank: 9 },
  ];
  expect(reorder(items, "b", -1)).toEqual([
    { id: "b", rank: 0 },
    { id: "a", rank: 5 },
  ]);
  expect(reorder(items, "a", -1)).toEqual([]);
  expect(reorder(items, "c", 1)).toEqual([]);
});

it("numbers anew where ranks are shared, and sends only what changes", () => {
  const items = ["a", "b", "c"].map((id) => ({ id, rank: 20 }));
  expect(reorder(items, "c", -1)).toEqual([
    { id: "a", rank: 10 },
    { id: "b", rank: 30 },
  ]);
});

it("gives the wanted order whatever the ranks were, with ties in order of the id", () => {
  const ranks = fc.array(fc.nat({ max: 6 }), { minLength: 2, maxLength: 8 });
  fc.assert(
    fc.property(ranks, fc.nat(), fc.constantFrom(-1 as const, 1 as const), (given, at, by) => {
      const sort = (list: { id: string; rank: number }[]) =>
        list.toSorted((a, b) => a.rank - b.rank || (a.id < b.id ? -1 : 1));
      const items = sort(given.map((rank, index) => ({ id: `p${index}`, rank })));
      const from = at % items.length;
      const id = items[from]?.id ?? "";
      const changes = new Map(reorder(items, id, by).map((change) => [change.id, change.rank]));
      const after = sort(items.map((item) => ({ id: item.id, rank: changes.get(item.id) ?? item.rank })));
      const wanted = items.map((item) => item.id);
      const to = Math.min(items.length - 1, Math.max(0, from + by));
      wanted.splice(to, 0, ...wanted.splice(from, 1));
      expect(after.map((item) => item.id)).toEqual(wanted);
    }),
  );
});
