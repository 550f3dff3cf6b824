import { describe, expect, it } from "vitest";
import { spendFigures } from "./spend-figures.ts";

// a Wednesday, six in the evening: three quarters of the day are over
const now = new Date("2026-11-18T18:00:00Z");
const points = (count: number, stepMs: number, last: string, usage: (index: number) => number) =>
  Array.from({ length: count }, (_, index) => ({
    at: new Date(Date.parse(last) - (count - 1 - index) * stepMs).toISOString(),
    usage: usage(count - 1 - index),
  }));
const days = (usage: (daysAgo: number) => number) => points(62, 86_400_000, "2026-11-18T00:00:00.000Z", usage);
const hours = (usage: (hoursAgo: number) => number) => points(48, 3_600_000, "2026-11-18T18:00:00.000Z", usage);

describe("what was spent", () => {
  it("today, this week since Monday and this month, by their UTC days", () => {
    const figures = spendFigures(
      days((ago) => (ago < 18 ? 1 : 100)),
      hours(() => 0),
      now,
    );
    expect(figures).toMatchObject({ today: 1, week: 3, month: 18 });
  });

  it("is set beside the same part of the day and the week before", () => {
    const figures = spendFigures(
      days((ago) => ({ 0: 7, 7: 4, 8: 10, 9: 20, 10: 1_000 })[ago] ?? 0),
      hours((ago) => (ago >= 24 && ago <= 42 ? 1 : 1_000)),
      new Date("2026-11-18T18:30:00Z"),
    );
    // Monday and Tuesday whole, Wednesday as far as it has gone
    expect(figures.lastWeekByNow).toBeCloseTo(30 + 4 * (18.5 / 24), 9);
    // eighteen whole hours, and half of the nineteenth
    expect(figures.yesterdayByNow).toBeCloseTo(18.5, 9);
  });

  it("goes on at the month's pace to its end, but not from a first day alone", () => {
    const figures = spendFigures(
      days(() => 2),
      hours(() => 0),
      now,
    );
    expect(figures.monthAtThisPace).toBeCloseTo((36 / 17.75) * 30, 9);
    expect(figures.monthEnds.toISOString()).toBe("2026-11-30T00:00:00.000Z");
    const first = points(62, 86_400_000, "2026-11-01T00:00:00.000Z", () => 2);
    expect(spendFigures(first, [], new Date("2026-11-01T23:00:00Z")).monthAtThisPace).toBeNull();
  });
});
