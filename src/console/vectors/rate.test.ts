import { describe, expect, it } from "vitest";
import { makeRate } from "./rate.ts";

describe("the rate of a run", () => {
  it("is of the last ten seconds", () => {
    const rate = makeRate();
    expect(rate({ state: "running", done: 0 }, 0)).toBeNull();
    expect(rate({ state: "running", done: 512 }, 1_000)).toBe(512);
    expect(rate({ state: "running", done: 1_000 }, 9_000)).toBeCloseTo(111.1, 1);
    // at 12 s what was told at 0 and at 1 s is too old: (1,612 - 1,000) rows in 3 s
    expect(rate({ state: "running", done: 1_612 }, 12_000)).toBe(204);
  });

  it("begins anew after a pause", () => {
    const rate = makeRate();
    rate({ state: "running", done: 100 }, 0);
    rate({ state: "paused", done: 200 }, 1_000);
    expect(rate({ state: "running", done: 200 }, 60_000)).toBeNull();
    expect(rate({ state: "running", done: 260 }, 62_000)).toBe(30);
  });
});
