import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { barHeight, scaleTicks } from "./bars-scale.ts";

describe("scaleTicks", () => {
  it("has no half values for what is counted", () => {
    expect(scaleTicks(1, { whole: true })).toEqual([0, 1]);
    expect(scaleTicks(3, { whole: true })).toEqual([0, 1, 2, 3]);
    expect(scaleTicks(9, { whole: true })).toEqual([0, 3, 6, 9]);
    expect(scaleTicks(400, { whole: true })).toEqual([0, 100, 200, 300, 400]);
  });

  it.each([
    [20.4, [0, 10, 20, 30]],
    [18, [0, 5, 10, 15, 20]],
    [0.0000071, [0, 0.000002, 0.000004, 0.000006, 0.000008]],
    [0, [0]],
  ])("%d gives %j", (highest, ticks) => expect(scaleTicks(highest)).toEqual(ticks));

  it("always holds the highest value in few steps", () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-9, max: 1e9, noNaN: true }), (highest) => {
        const ticks = scaleTicks(highest);
        expect(ticks.at(-1)).toBeGreaterThanOrEqual(highest);
        expect(ticks.length).toBeLessThanOrEqual(6);
        expect(ticks.length).toBeGreaterThanOrEqual(3);
      }),
    );
  });
});

describe("barHeight", () => {
  it("draws anything above nothing", () => {
    expect(barHeight(0, 10, 100)).toBe(0);
    expect(barHeight(0.00001, 10, 100)).toBe(1);
    expect(barHeight(5, 10, 100)).toBe(50);
    expect(barHeight(1, 0, 100)).toBe(0);
  });
});
