import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createPace, type Pace } from "./pace.ts";
import { createSlots, type Slot } from "./slots.ts";

const waitMs = 1_000;

describe("slots", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** What each of several owners got, in the order in which they got it. */
  function asking(slots: ReturnType<typeof createSlots>) {
    const got: string[] = [];
    const held = new Map<string, Slot | null>();
    return {
      got,
      held,
      ask(owner: string, name = owner) {
        void Promise.resolve(slots.take(owner)).then((slot) => {
          got.push(slot === null ? `${name} refused` : name);
          held.set(name, slot);
        });
      },
      settle: async (ms = 0) => {
        await vi.advanceTimersByTimeAsync(ms);
      },
    };
  }

  it("gives what there is, and the next one when one ends: owners take turns", async () => {
    const slots = createSlots({ most: 2, waitMs });
    const { ask, got, held, settle } = asking(slots);
    for (const name of ["a0", "a1", "a2", "a3"]) ask("a", name);
    ask("b");
    await settle();
    expect([got, slots.inUse(), slots.waiting()]).toEqual([["a0", "a1"], 2, 3]);
    held.get("a0")?.();
    held.get("a0")?.();
    await settle();
    expect([got.slice(2), slots.inUse()]).toEqual([["a2"], 2]);
    held.get("a1")?.();
    await settle();
    expect(got.slice(3)).toEqual(["b"]);
    expect(slots.tryTake("c")).toBeNull();
  });

  it("refuses whoever finds none in a moment, and asks nothing of the thread meanwhile", async () => {
    const slots = createSlots({ most: 1, waitMs });
    const { ask, got, settle } = asking(slots);
    for (let at = 0; at < 30; at += 1) ask("a", `a${at}`);
    await settle(waitMs - 1);
    expect(got).toEqual(["a0"]);
    expect(vi.getTimerCount()).toBe(1);
    await settle(10);
    expect([got.length, slots.waiting(), vi.getTimerCount()]).toEqual([30, 0, 0]);
    expect(got.slice(1).every((name) => name.endsWith("refused"))).toBe(true);
  });

  it("forgets who leaves while waiting", async () => {
    const slots = createSlots({ most: 1, waitMs });
    const first = slots.tryTake("a");
    let leave = () => {};
    const second = slots.take("a", (left) => (leave = left));
    leave();
    leave();
    expect([await second, slots.waiting()]).toEqual([null, 0]);
    first?.();
    await vi.advanceTimersByTimeAsync(0);
    expect(slots.inUse()).toBe(0);
  });

  it("keeps something free for others, however many one owner holds", () => {
    const slots = createSlots({ most: 100, ownPerFree: 8, waitMs });
    const taken = (owner: string) => {
      let count = 0;
      while (slots.tryTake(owner) !== null) count += 1;
      return count;
    };
    expect([taken("a"), taken("b"), taken("c")]).toEqual([88, 10, 1]);
    const small = createSlots({ most: 1, ownPerFree: 8, waitMs });
    expect([small.tryTake("a") === null, small.tryTake("b") === null]).toEqual([false, true]);
  });

  it("begins no more in a round than its pace allows, and goes on in the next", async () => {
    let begun = 0;
    const pace: Pace = {
      isOver: () => begun >= 2,
      begin: () => void (begun += 1),
      next: () => void (begun = 0),
      spentMs: () => 0,
    };
    const slots = createSlots({ most: 100, waitMs, pace });
    const { ask, got } = asking(slots);
    for (const name of ["1", "2", "3", "4", "5"]) ask("a", name);
    await Promise.resolve();
    expect(got).toEqual(["1", "2"]);
    await vi.advanceTimersToNextTimerAsync();
    expect(got.length).toBe(4);
    await vi.advanceTimersToNextTimerAsync();
    expect(got.length).toBe(5);
  });

  it("goes by the thread's processor time where only that is short, and by the clock where there is no room", async () => {
    let spent = 0;
    const pace: Pace = { isOver: () => true, begin: () => {}, next: () => {}, spentMs: () => spent };
    const { ask, got, settle } = asking(createSlots({ most: 10, waitMs, pace }));
    ask("a");
    await settle(waitMs * 3);
    expect(got).toEqual([]);
    spent += waitMs;
    await settle(10);
    expect(got).toEqual(["a refused"]);
    ask("b");
    await settle(waitMs * 14);
    expect(got.length).toBe(1);
    await settle(waitMs * 2);
    expect(got).toEqual(["a refused", "b refused"]);
  });
});

describe("pace", () => {
  /** How much it allows in a round after rounds of this many milliseconds of processor time. */
  function allowedAfter(rounds: readonly number[]): number {
    let used = 0;
    const pace = createPace(() => used);
    pace.next(true);
    for (const ms of rounds) {
      used += ms;
      pace.next(true);
    }
    let begun = 0;
    for (; !pace.isOver(); begun += 1) pace.begin();
    return begun;
  }
  const rounds = (count: number, ms: number) => Array.from({ length: count }, () => ms);

  it("allows less while rounds are long, one at the least, and more again while they are short", () => {
    const before = allowedAfter([]);
    const less = allowedAfter(rounds(3, 10));
    expect(less).toBeLessThan(before / 2);
    expect(allowedAfter(rounds(50, 10))).toBe(1);
    expect(allowedAfter([...rounds(50, 10), ...rounds(10, 0.5)])).toBe(11);
    expect(allowedAfter(rounds(200, 0.1))).toBe(before);
  });

  it("does not count the time in which nothing waits", () => {
    let used = 0;
    const pace = createPace(() => used);
    for (let at = 0; at < 20; at += 1) {
      used += 100;
      pace.next(false);
    }
    pace.next(true);
    expect(pace.isOver()).toBe(false);
    for (let at = 0; at < 64; at += 1) pace.begin();
    expect(pace.isOver()).toBe(true);
  });

  it("goes by the processor time of this thread", () => {
    const pace = createPace();
    for (let at = 0; at < 100; at += 1) pace.next(true);
    expect(pace.isOver()).toBe(false);
  });
});
