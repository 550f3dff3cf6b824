import { afterEach, describe, expect, it, vi } from "vitest";
import { FairQueue } from "./fair-queue.ts";

afterEach(() => void vi.restoreAllMocks());

describe("FairQueue", () => {
  it("lets owners take turns, each in the order of its own items", () => {
    const queue = new FairQueue<string>();
    for (let at = 0; at < 200; at += 1) queue.push("a", `a${at}`);
    queue.push("b", "b0");
    expect([queue.shift(), queue.shift(), queue.shift()]).toEqual(["a0", "b0", "a1"]);
    expect([queue.sizeOf("a"), queue.sizeOf("b"), queue.size]).toEqual([198, 0, 198]);
    queue.push("a", "last");
    const rest = Array.from({ length: 199 }, () => queue.shift());
    expect(rest).toEqual([...Array.from({ length: 198 }, (_, at) => `a${at + 2}`), "last"]);
    expect([queue.shift(), queue.size, queue.sizeOf("a")]).toEqual([undefined, 0, 0]);
  });

  it("passes over owners who cannot be served, and keeps their turn", () => {
    const queue = new FairQueue<string>();
    for (const item of ["a0", "b0", "a1"]) queue.push(item.slice(0, 1), item);
    const notA = (owner: string) => owner !== "a";
    expect([queue.shift(notA), queue.shift(notA), queue.shift(), queue.shift(), queue.size]).toEqual([
      "b0",
      undefined,
      "a0",
      "a1",
      0,
    ]);
  });

  it("takes out an item wherever it is", () => {
    const queue = new FairQueue<string>();
    for (const item of ["a0", "a1", "a2", "b0"]) queue.push(item.slice(0, 1), item);
    for (const [owner, item] of [
      ["a", "a1"],
      ["a", "a0"],
      ["b", "b0"],
      ["b", "b0"],
      ["c", "c0"],
    ] as const) {
      queue.remove(owner, item);
    }
    expect([queue.size, queue.sizeOf("a"), queue.sizeOf("b")]).toEqual([1, 1, 0]);
    expect([queue.shift(), queue.shift(), queue.size]).toEqual(["a2", undefined, 0]);
  });

  it("gives up a hundred thousand items of one owner without moving them more than once", () => {
    const queue = new FairQueue<number>();
    for (let at = 0; at < 100_000; at += 1) queue.push("a", at);
    const shifts = vi.spyOn(Array.prototype, "shift");
    const slices = vi.spyOn(Array.prototype, "slice");
    for (let at = 0; at < 100_000; at += 1) queue.shift();
    const moved = slices.mock.results.reduce((sum, { value }) => sum + value.length, 0);
    expect(shifts).not.toHaveBeenCalled();
    expect(slices).toHaveBeenCalled();
    expect(moved).toBeLessThanOrEqual(100_000);
    expect(queue.size).toBe(0);
  });
});
