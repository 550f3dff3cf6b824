import { describe, expect, it } from "vitest";
import { nothingPressed, pressName, shortcutStep } from "./shortcut-step.ts";

const offered = ["c", "g k", "g g", "k", "mod+k"].map((keys) => ({ keys }));

function press(...keys: [key: string, at: number][]): (string | undefined)[] {
  let before = nothingPressed;
  return keys.map(([key, at]) => {
    const { call, next } = shortcutStep(offered, before, { key, at });
    before = next;
    return call?.keys;
  });
}

describe("shortcuts", () => {
  it("answer to one key, and to two in a row", () => {
    expect(press(["c", 0])).toEqual(["c"]);
    expect(press(["g", 0], ["k", 300])).toEqual([undefined, "g k"]);
    expect(press(["g", 0], ["g", 300])).toEqual([undefined, "g g"]);
  });

  it("take the second key alone where it comes too late", () =>
    expect(press(["g", 0], ["k", 1_000])).toEqual([undefined, "k"]));

  it("begin anew after a call", () => expect(press(["g", 0], ["k", 300], ["k", 600])).toEqual([undefined, "g k", "k"]));

  it("go to the innermost that offers them", () => {
    const [outer, inner] = [{ keys: "c" }, { keys: "c" }];
    expect(shortcutStep([outer, inner], nothingPressed, { key: "c", at: 0 }).call).toBe(inner);
  });

  it("are named alike on every keyboard", () => {
    expect(pressName({ key: "K", ctrlKey: true, metaKey: false })).toBe("mod+k");
    expect(pressName({ key: "k", ctrlKey: false, metaKey: true })).toBe("mod+k");
    expect(pressName({ key: "?", ctrlKey: false, metaKey: false })).toBe("?");
  });
});
