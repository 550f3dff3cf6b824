import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rowWindow, scrollToRow } from "./window-of-rows.ts";

describe("rowWindow", () => {
  it("holds every row in view, wherever the scroll stands", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10_000 }),
        fc.constantFrom(32, 40, 48),
        fc.integer({ min: 0, max: 400_000 }),
        fc.integer({ min: 100, max: 1_440 }),
        (count, rowHeight, wanted, viewport) => {
          const scrolled = Math.min(wanted, Math.max(0, count * rowHeight - viewport));
          const { first, end } = rowWindow(count, rowHeight, scrolled, viewport);
          expect(first).toBeGreaterThanOrEqual(0);
          expect(end).toBeLessThanOrEqual(count);
          expect(first * rowHeight).toBeLessThanOrEqual(scrolled);
          expect(end * rowHeight).toBeGreaterThanOrEqual(Math.min(scrolled + viewport, count * rowHeight));
          expect(end - first).toBeLessThanOrEqual(60);
        },
      ),
    );
  });

  it("holds nothing of an empty table", () => expect(rowWindow(0, 40, 0, 800)).toEqual({ first: 0, end: 0 }));

  it("keeps rows when the list became shorter than the scroll", () => {
    const { first, end } = rowWindow(3, 40, 4_000, 800);
    expect(end).toBe(3);
    expect(first).toBeLessThan(3);
  });
});

describe("scrollToRow", () => {
  const view = { rowHeight: 40, viewport: 800, head: 30 };
  it("leaves a row in view where it is", () => expect(scrollToRow(5, { ...view, scrolled: 0 })).toBeNull());

  it("brings a row above to the top and one below to the bottom, clear of the head", () => {
    expect(scrollToRow(2, { ...view, scrolled: 400 })).toBe(80);
    expect(scrollToRow(100, { ...view, scrolled: 0 })).toBe(4_040 - 770);
  });
});
