import { expect, it } from "vitest";
import { filterOptions, groupOptions, nextIndex, pointedAt } from "./listbox.ts";
import { menuMove } from "./menu-move.ts";

const options = [
  { value: "a", label: "prod-search", detail: "Production", group: "Recent" },
  { value: "b", label: "staging-search", detail: "Staging", group: "All" },
  { value: "c", label: "prod-quote", keywords: "assistant", group: "Recent" },
];
const values = (some: readonly { value: string }[]) => some.map(({ value }) => value).join("");

it("filters by every word, anywhere, in any case, and groups in the order of first appearance", () => {
  const found = ["SEARCH prod", "assist", "nothing"].map((words) => values(filterOptions(options, words)));
  expect(found).toEqual(["a", "c", ""]);
  expect(filterOptions(options, "  ")).toBe(options);
  const groups = groupOptions(options).map(({ name, options: some }) => `${name}: ${values(some)}`);
  expect(groups).toEqual(["Recent: ac", "All: b"]);
});

it.each([
  ["ArrowDown", -1, 3, 0],
  ["ArrowDown", 2, 3, 0],
  ["ArrowUp", -1, 3, 2],
  ["ArrowUp", 0, 3, 2],
  ["PageDown", 0, 3, 2],
  ["ArrowDown", 0, 0, undefined],
  ["a", 0, 3, undefined],
])("%s goes round at the ends: at %d of %d", (key, at, count, to) => expect(nextIndex(key, at, count)).toBe(to));

it("the pointer stays on the option when another list comes, and on none when it is gone", () => {
  expect(pointedAt(options, { index: 0, value: "c" })).toBe(2);
  expect(pointedAt(options, { index: 0, value: "gone" })).toBe(-1);
  // it is a place as long as nothing was listed there
  const places = [pointedAt(options, { index: 0 }), pointedAt([], { index: 0 }), pointedAt(options, { index: -1 })];
  expect(places).toEqual([0, -1, -1]);
});

const words = ["show its keys", "edit", "select", "delete"];
const to = (key: string, at: number, letters = "") => menuMove(key, at, words, letters)?.to;

it("a menu goes round with the arrows, and in from either end", () => {
  expect([to("ArrowDown", -1), to("ArrowDown", 0), to("ArrowDown", 3)]).toEqual([0, 1, 0]);
  expect([to("ArrowUp", -1), to("ArrowUp", 0), to("ArrowUp", 2)]).toEqual([3, 3, 1]);
  expect([to("Home", 2), to("End", 0)]).toEqual([0, 3]);
});

it("a menu finds an item by its first letter, the next one by the same, and narrows by more from where it is", () => {
  expect([to("s", -1), to("s", 0, "s"), to("s", 2, "s"), to("D", 0)]).toEqual([0, 2, 0, 3]);
  expect(menuMove("e", 0, words, "s")).toEqual({ to: 2, letters: "se" });
  expect(menuMove("h", 0, words, "s")).toEqual({ to: 0, letters: "sh" });
  expect(menuMove(" ", 0, words, "show")).toEqual({ to: 0, letters: "show " });
});

it("a menu leaves other keys to the platform", () => {
  for (const key of ["Enter", " ", "x"]) expect(menuMove(key, 0, words, "")).toBeNull();
  expect(menuMove("ArrowDown", -1, [], "")).toBeNull();
});
