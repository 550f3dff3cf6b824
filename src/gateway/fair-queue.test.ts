import { describe, expect, it } from "vitest";
import { FairQueue } from "./fair-queue.ts";

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

  it("gives up a hundred thousand items of one owner in time proportional to their number", () => {
    const queue = new FairQueue<number>();
    for (let at = 0; at < 100_000; at += 1) queue.push("a", at);
    const began = process.cpuUsage();
    while (queue.shift() !== undefined);
    const { user, system } = process.cpuUsage(began);
    expect((user + system) / 1_000).toBeLessThan(500);
  });
});
