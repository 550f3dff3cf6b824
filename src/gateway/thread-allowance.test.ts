import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { watchThread } from "./thread-allowance.ts";

/** A thread that gets this share of the processor, from when it runs. */
const threadWith = (share: number, runsAfterMs = 0, usedMs = 0) => {
  const begun = Date.now();
  return {
    cpuUsage: () => {
      const ran = Date.now() - begun - runsAfterMs;
      return ran < 0
        ? Promise.reject(new Error("Worker instance not running"))
        : Promise.resolve({ user: (usedMs + ran * share) * 1_000, system: 0 });
    },
  };
};

describe("the allowance of a thread", () => {
  const allowance = { cpu: 10_000, wall: 60_000 };
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it.each([
    ["that has a processor to itself, after its ten seconds", threadWith.bind(null, 1), 10_000, "spent"],
    ["on a busy machine, after as many of its own", threadWith.bind(null, 0.25), 40_000, "spent"],
    ["that did other work before, by what this one takes", threadWith.bind(null, 1, 0, 500_000), 10_000, "spent"],
    ["that hardly gets the processor, after a minute", threadWith.bind(null, 0.05), 60_000, "starved"],
    ["that never starts, after a minute", threadWith.bind(null, 1, 90_000), 60_000, "starved"],
  ] as const)("stops one %s", async (_, begin, atMs, why) => {
    const stop = vi.fn<(why: string) => void>();
    watchThread(begin(), allowance, stop);
    await vi.advanceTimersByTimeAsync(atMs - 100);
    expect(stop).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(200);
    expect(stop.mock.calls).toEqual([[why]]);
    await vi.advanceTimersByTimeAsync(200_000);
    expect(stop).toHaveBeenCalledTimes(1);
  });

  it("stops one that cannot even say what it used, after a minute", async () => {
    const stop = vi.fn<(why: string) => void>();
    watchThread({ cpuUsage: () => new Promise(() => {}) }, allowance, stop);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(stop.mock.calls).toEqual([["starved"]]);
  });

  it("leaves one alone whose work is done", async () => {
    const stop = vi.fn<(why: string) => void>();
    watchThread(threadWith(1), allowance, stop)();
    await vi.advanceTimersByTimeAsync(200_000);
    expect(stop).not.toHaveBeenCalled();
  });
});
