import * as fc from "fast-check";
import { expect, it } from "vitest";
import { rowWindow, scrollToRow } from "./window-of-rows.ts";

it("a window holds every row in view, wherever the scroll stands", () => {
  const count = fc.integer({ min: 1, max: 10_000 });
  const [top, viewport] = [fc.integer({ min: 0, max: 400_000 }), fc.integer({ min: 100, max: 1_440 })];
  fc.assert(
    fc.property(count, fc.constantFrom(32, 40, 48), top, viewport, (count, rowHeight, wanted, viewport) => {
      const scrolled = Math.min(wanted, Math.max(0, count * rowHeight - viewport));
      const { first, end } = rowWindow(count, rowHeight, scrolled, viewport);
      expect(first).toBeGreaterThanOrEqual(0);
      expect(end).toBeLessThanOrEqual(count);
      expect(first * rowHeight).toBeLessThanOrEqual(scrolled);
      expect(end * rowHeight).toBeGreaterThanOrEqual(Math.min(scrolled + viewport, count * rowHeight));
      expect(end - first).toBeLessThanOrEqual(60);
    }),
  );
});

it("a window holds nothing of an empty table, and keeps rows when the list became shorter than the scroll", () => {
  expect(rowWindow(0, 40, 0, 800)).toEqual({ first: 0, end: 0 });
  const { first, end } = rowWindow(3, 40, 4_000, 800);
  expect(end).toBe(3);
  expect(first).toBeLessThan(3);
});

it("scrolling leaves a row in view where it is, and brings others to the top or the bottom, clear of the head", () => {
  const to = (row: number, scrolled: number) => scrollToRow(row, { rowHeight: 40, viewport: 800, head: 30, scrolled });
  expect([to(5, 0), to(2, 400), to(100, 0)]).toEqual([null, 80, 4_040 - 770]);
});
