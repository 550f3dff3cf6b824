import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { litBars } from "./lit-bars.ts";

describe("litBars", () => {
  it("lights none only at nothing and all only at the limit", () => {
    expect(litBars(0, 30)).toBe(0);
    expect(litBars(Number.NaN, 30)).toBe(0);
    expect(litBars(-1, 30)).toBe(0);
    expect(litBars(1, 30)).toBe(30);
    expect(litBars(7, 30)).toBe(30);
    fc.assert(
      fc.property(fc.double({ min: 1e-12, max: 1 - 1e-12, noNaN: true }), (fraction) => {
        const lit = litBars(fraction, 30);
        expect(lit).toBeGreaterThanOrEqual(1);
        expect(lit).toBeLessThanOrEqual(29);
      }),
    );
  });

  it("never goes down as use goes up", () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 2, noNaN: true }), fc.double({ min: 0, max: 2, noNaN: true }), (a, b) => {
        expect(litBars(Math.min(a, b), 30)).toBeLessThanOrEqual(litBars(Math.max(a, b), 30));
      }),
    );
  });
});
