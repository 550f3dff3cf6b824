import { describe, expect, it } from "vitest";
import type { ContentFilters } from "./compile.ts";
import { Paces, type Weight } from "./pace.ts";
import { type Place, Places } from "./places.ts";

class Thread implements Place {
  readonly name: string;
  isStarted = false;
  constructor(name: string) {
    this.name = name;
  }
  start(): void {
    this.isStarted = true;
  }
}

/** Three threads, and what has begun on them in order. */
function threeThreads() {
  const threads = ["A", "B", "C"].map((name) => new Thread(name));
  const places = new Places(threads);
  const begun: string[] = [];
  const take = async (what: string, weight: Weight, { owner = what, signal = new AbortController().signal } = {}) => {
    const taken = await places.take({ owner, weight, signal }, () => false);
    taken.place.start();
    begun.push(`${what} on ${taken.place.name}`);
    return taken;
  };
  return { threads, begun, take };
}

const settle = () => new Promise(setImmediate);

describe("the threads of content filters", () => {
  it("leave one for quick requests, and another one for long ones, however many slow ones there are", async () => {
    const { begun, take } = threeThreads();
    const slow = await take("slow", 2);
    void ["second", "third"].map((what) => take(what, 2));
    await take("long", 1);
    void take("another long", 1);
    const quick = await take("quick", 0);
    expect(begun).toEqual(["slow on C", "long on B", "quick on A"]);
    void take("another quick", 0);
    await settle();
    expect(begun).toHaveLength(3);
    quick.leave();
    slow.leave();
    await settle();
    expect(begun.slice(3)).toEqual(["another quick on A", "second on C"]);
  });

  it("are as few as quick requests need, and one more is ready once a request turns out to be long", async () => {
    const { threads, begun, take } = threeThreads();
    const first = await take("first", 0);
    void take("second", 0);
    await settle();
    expect(begun).toEqual(["first on A"]);
    expect(first.grow(1)).toBe(true);
    await settle();
    expect(begun).toEqual(["first on A", "second on B"]);
    expect(threads.map(({ isStarted }) => isStarted)).toEqual([true, true, false]);
  });

  it("are left by what turns out to be slow while another one is", async () => {
    const { begun, take } = threeThreads();
    await take("slow", 2);
    const outgrown = await take("long", 1);
    void take("next", 1);
    expect(outgrown.grow(2)).toBe(false);
    outgrown.leave();
    await settle();
    expect(begun.at(-1)).toBe("next on B");
  });

  it("take owners in turns, and none whose caller has left", async () => {
    const { begun, take } = threeThreads();
    const slow = await take("slow", 2);
    const caller = new AbortController();
    const left = take("left", 2, caller);
    void take("one", 2, { owner: "x" });
    void take("two", 2, { owner: "x" });
    void take("three", 2, { owner: "y" });
    caller.abort(new Error("left"));
    await expect(left).rejects.toThrow("left");
    slow.leave();
    await settle();
    expect(begun.slice(1)).toEqual(["one on C"]);
  });

  it("503: too many of one owner wait", async () => {
    const { take } = threeThreads();
    await take("slow", 2);
    for (let n = 0; n < 200; n += 1) void take("waiting", 2);
    await expect(take("waiting", 2)).rejects.toMatchObject({ type: "unavailable" });
    void take("other", 2);
    expect((await take("quick", 0)).place.name).toBe("A");
  });
});

describe("what a request is expected to take", () => {
  type Taken = readonly [ms: number, bytes: number];
  it.each<readonly [string, readonly Taken[], number, Weight]>([
    ["a short one of unknown filters", [], 16_384, 0],
    ["a longer one of unknown filters", [], 16_385, 1],
    ["a megabyte for an ordinary pattern", [[5, 100_000]], 1_000_000, 1],
    ["its hundredth", [[50, 1_000_000]], 10_000, 0],
    ["a text that took ten seconds, again", [[10_000, 240_000]], 240_000, 2],
    ["a short text for the same filters", [[10_000, 240_000]], 500, 0],
    [
      "the same after one that was quick",
      [
        [10_000, 240_000],
        [1, 240_000],
      ],
      240_000,
      2,
    ],
    ["a long text where a first short one was slow to begin", [[30, 20]], 200_000, 1],
    ["a kilobyte that took long", [[42, 1_000]], 1_000, 2],
  ])("%s", (_, all, bytes, weight) => {
    const paces = new Paces();
    const filters: ContentFilters = { patterns: [], builtins: [] };
    for (const [ms, length] of all) paces.add(filters, { ms, bytes: length });
    expect(paces.weightOf(filters, bytes)).toBe(weight);
  });

  it("is forgotten with many requests that were quick", () => {
    const paces = new Paces();
    const filters: ContentFilters = { patterns: [], builtins: [] };
    paces.add(filters, { ms: 10_000, bytes: 240_000 });
    for (let n = 0; n < 40; n += 1) paces.add(filters, { ms: 2, bytes: 240_000 });
    expect(paces.weightOf(filters, 240_000)).toBe(0);
  });
});
