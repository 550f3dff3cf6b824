import { expect, it, afterEach } from "vitest";
import { filterOptions, groupOptions, nextIndex, pointedAt } from "./listbox.ts";
import { menuMove } from "./menu-move.ts";
import { position } from "./position-popover.ts";
import { clearToasts, dismissToast, liveToasts, subscribeToasts, toast } from "./toast.ts";

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

it("arrows go round at the ends and start from nowhere, and Page Down goes to the end", () => {
  expect([nextIndex("ArrowDown", -1, 3), nextIndex("ArrowDown", 2, 3)]).toEqual([0, 0]);
  expect([nextIndex("ArrowUp", -1, 3), nextIndex("ArrowUp", 0, 3), nextIndex("PageDown", 0, 3)]).toEqual([2, 2, 2]);
  expect([nextIndex("ArrowDown", 0, 0), nextIndex("a", 0, 3)]).toEqual([undefined, undefined]);
});

it("the pointer stays on the option when another list comes, and on none when it is gone", () => {
  expect(pointedAt(options, { index: 0, value: "c" })).toBe(2);
  expect(pointedAt(options, { index: 0, value: "gone" })).toBe(-1);
  // it is a place as long as nothing was listed there
  const places = [pointedAt(options, { index: 0 }), pointedAt([], { index: 0 }), pointedAt(options, { index: -1 })];
  expect(places).toEqual([0, -1, -1]);
});

const words = ["show its keys", "edit", "select", "delete"];
const to = (key: string, at: number, letters = "") => menuMove(key, at, words, letters)?.to;

it("a menu goes round with the arrows, finds an item by its first letters, and leaves other keys to the platform", () => {
  expect([to("ArrowDown", -1), to("ArrowDown", 0), to("ArrowDown", 3)]).toEqual([0, 1, 0]);
  expect([to("ArrowUp", -1), to("ArrowUp", 0), to("ArrowUp", 2)]).toEqual([3, 3, 1]);
  expect([to("Home", 2), to("End", 0)]).toEqual([0, 3]);
  expect([to("s", -1), to("s", 0, "s"), to("s", 2, "s"), to("D", 0)]).toEqual([0, 2, 0, 3]);
  expect(menuMove("e", 0, words, "s")).toEqual({ to: 2, letters: "se" });
  expect(menuMove("h", 0, words, "s")).toEqual({ to: 0, letters: "sh" });
  expect(menuMove(" ", 0, words, "show")).toEqual({ to: 0, letters: "show " });
  for (const key of ["Enter", " ", "x"]) expect(menuMove(key, 0, words, "")).toBeNull();
  expect(menuMove("ArrowDown", -1, [], "")).toBeNull();
});

type Given = Parameters<typeof position>;
const box = (left: number, top: number, right: number, bottom: number) => ({ left, top, right, bottom });
const size = (width: number, height: number) => ({ width, height });
const below = { gap: 4, align: "start" } as const;
const centred = { gap: 6, align: "center" } as const;
const atSide = { ...centred, atSide: true };

it.each<[string, Given[0], Given[1], Given[3], object]>([
  ["below its anchor, at its start", size(120, 200), box(100, 50, 300, 82), below, { left: 100, top: 86 }],
  ["below its anchor, centred on it", size(120, 200), box(100, 50, 300, 82), centred, { left: 140, top: 88 }],
  ["above when there is more room there", size(120, 200), box(100, 700, 300, 732), below, { left: 100, top: 496 }],
  ["at the left where that is wished", size(160, 24), box(900, 100, 928, 128), atSide, { left: 734, top: 102 }],
  ["below where the left has no room", size(160, 24), box(100, 100, 128, 128), atSide, { top: 134 }],
  ["inside the window at its end", size(300, 900), box(950, 10, 990, 38), below, { left: 692, top: 42 }],
  ["inside the window at its start", size(300, 50), box(0, 10, 20, 38), centred, { left: 8 }],
])("stands %s", (_, it, anchor, how, at) => expect(position(it, anchor, size(1000, 800), how)).toMatchObject(at));

afterEach(clearToasts);
const messages = () => liveToasts().map((one) => one.message);

it("a toast stays longer when there is something to do", () => {
  toast({ message: "Key renamed" });
  toast({ message: "Key renamed", action: { label: "Undo", onSelect: () => {} } });
  expect(liveToasts().map((one) => one.lastsMs)).toEqual([6_000, 10_000]);
});

it("the latest three are kept, and go by their own handle, by id, or with all others", () => {
  const [, , third] = ["a", "b", "c", "d"].map((message) => toast({ message }));
  expect(messages()).toEqual(["b", "c", "d"]);
  third?.();
  expect(messages()).toEqual(["b", "d"]);
  dismissToast(liveToasts()[0]?.id ?? -1);
  expect(messages()).toEqual(["d"]);
  clearToasts();
  expect(messages()).toEqual([]);
});

it("listeners are told only of changes, and not after they left", () => {
  let heard = 0;
  const leave = subscribeToasts(() => void (heard += 1));
  const gone = toast({ message: "a" });
  gone();
  gone();
  clearToasts();
  expect(heard).toBe(2);
  leave();
  toast({ message: "b" });
  expect(heard).toBe(2);
});
