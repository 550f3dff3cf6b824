import { expect, it } from "vitest";
import { nothingPressed, pressName, shortcutStep } from "./shortcut-step.ts";

const offered = ["c", "g k", "g g", "k", "mod+k"].map((keys) => ({ keys }));
type Press = [key: string, at: number];

it.each<[string, Press[], (string | undefined)[]]>([
  ["answer to one key", [["c", 0]], ["c"]],
  [
    "answer to two in a row",
    [
      ["g", 0],
      ["k", 300],
    ],
    [undefined, "g k"],
  ],
  [
    "answer to one twice",
    [
      ["g", 0],
      ["g", 300],
    ],
    [undefined, "g g"],
  ],
  [
    "take the second key alone where it comes too late",
    [
      ["g", 0],
      ["k", 1_000],
    ],
    [undefined, "k"],
  ],
  [
    "begin anew after a call",
    [
      ["g", 0],
      ["k", 300],
      ["k", 600],
    ],
    [undefined, "g k", "k"],
  ],
])("shortcuts %s", (_, keys, calls) => {
  let before = nothingPressed;
  const called = keys.map(([key, at]) => {
    const { call, next } = shortcutStep(offered, before, { key, at });
    before = next;
    return call?.keys;
  });
  expect(called).toEqual(calls);
});

it("shortcuts go to the innermost that offers them, and are named alike on every keyboard", () => {
  const [outer, inner] = [{ keys: "c" }, { keys: "c" }];
  expect(shortcutStep([outer, inner], nothingPressed, { key: "c", at: 0 }).call).toBe(inner);
  expect(pressName({ key: "K", ctrlKey: true, metaKey: false })).toBe("mod+k");
  expect(pressName({ key: "k", ctrlKey: false, metaKey: true })).toBe("mod+k");
  expect(pressName({ key: "?", ctrlKey: false, metaKey: false })).toBe("?");
});
