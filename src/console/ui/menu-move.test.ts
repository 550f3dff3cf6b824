import { describe, expect, it } from "vitest";
import { menuMove } from "./menu-move.ts";

const words = ["show its keys", "edit", "select", "delete"];
const to = (key: string, at: number, letters = "") => menuMove(key, at, words, letters)?.to;

describe("moving in a menu", () => {
  it("goes round with the arrows, and in from either end", () => {
    expect([to("ArrowDown", -1), to("ArrowDown", 0), to("ArrowDown", 3)]).toEqual([0, 1, 0]);
    expect([to("ArrowUp", -1), to("ArrowUp", 0), to("ArrowUp", 2)]).toEqual([3, 3, 1]);
    expect([to("Home", 2), to("End", 0)]).toEqual([0, 3]);
  });

  it("finds an item by its first letter, and the next one by the same letter", () => {
    expect(to("s", -1)).toBe(0);
    expect(to("s", 0, "s")).toBe(2);
    expect(to("s", 2, "s")).toBe(0);
    expect(to("D", 0)).toBe(3);
  });

  it("narrows by more letters, from where it is", () => {
    expect(menuMove("e", 0, words, "s")).toEqual({ to: 2, letters: "se" });
    expect(menuMove("h", 0, words, "s")).toEqual({ to: 0, letters: "sh" });
    expect(menuMove(" ", 0, words, "show")).toEqual({ to: 0, letters: "show " });
  });

  it("leaves other keys to the platform", () => {
    expect(menuMove("Enter", 0, words, "")).toBeNull();
    expect(menuMove(" ", 0, words, "")).toBeNull();
    expect(menuMove("x", 0, words, "")).toBeNull();
    expect(menuMove("ArrowDown", -1, [], "")).toBeNull();
  });
});
