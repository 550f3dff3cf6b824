import { expect, it } from "vitest";
import { nothingPressed, pressName, shortcutStep } from "./shortcut-step.ts";

const offered = ["c", "g k", "g g", "k", "mod+k"].map((keys) => ({ keys }));

it.each([
  ["answer to one key", "c@0", "c"],
  ["answer to two in a row", "g@0 k@300", "-,g k"],
  ["answer to one twice", "g@0 g@300", "-,g g"],
  ["take the second key alone where it comes too late", "g@0 k@1000", "-,k"],
  ["begin anew after a call", "g@0 k@300 k@600", "-,g k,k"],
])("shortcuts %s", (_, presses, calls) => {
  let before = nothingPressed;
  const called = presses.split(" ").map((press) => {
    const [key = "", at] = press.split("@");
    const { call, next } = shortcutStep(offered, before, { key, at: Number(at) });
    before = next;
    return call?.keys ?? "-";
  });
  expect(called.join()).toBe(calls);
});

it("shortcuts go to the innermost that offers them, and are named alike on every keyboard", () => {
  const [outer, inner] = [{ keys: "c" }, { keys: "c" }];
  expect(shortcutStep([outer, inner], nothingPressed, { key: "c", at: 0 }).call).toBe(inner);
  const name = (key: string, ctrlKey: boolean, metaKey: boolean) => pressName({ key, ctrlKey, metaKey });
  expect([name("K", true, false), name("k", false, true), name("?", false, false)]).toEqual(["mod+k", "mod+k", "?"]);
});
