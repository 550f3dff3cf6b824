import { describe, expect, it } from "vitest";
import { beginnings, spendSoFar } from "./spend.ts";

const nothing = { today: 0, yesterdayHours: 0, yesterdayHour: 0, week: 0, lastWeekDays: 0, lastWeekDay: 0, month: 0 };

describe("the spend so far", () => {
  it("is of the UTC day, of the week since Monday and of the month", () => {
    // a Wednesday
    const { today, week, month, yesterday, hourYesterday, lastWeek, dayLastWeek } = beginnings(
      new Date("2026-11-18T18:30:00Z"),
    );
    const days = [today, week, month, yesterday, hourYesterday, lastWeek, dayLastWeek].map((at) => at.toISOString());
    expect(days.map((text) => text.slice(0, 13))).toEqual([
      "2026-11-18T00",
      "2026-11-16T00",
      "2026-11-01T00",
      "2026-11-17T00",
      "2026-11-17T18",
      "2026-11-09T00",
      "2026-11-11T00",
    ]);
  });

  it("begins its week on the Monday before a Sunday, and on a Monday itself", () => {
    expect(beginnings(new Date("2026-11-22T23:59:59Z")).week.toISOString()).toBe("2026-11-16T00:00:00.000Z");
    expect(beginnings(new Date("2026-11-16T00:00:00Z")).week.toISOString()).toBe("2026-11-16T00:00:00.000Z");
  });

  it("is set next to the same part of the day and the week before", () => {
    const sums = { ...nothing, yesterdayHours: 18, yesterdayHour: 1, lastWeekDays: 30, lastWeekDay: 4 };
    const figures = spendSoFar(sums, new Date("2026-11-18T18:30:00Z"));
    // Monday and Tuesday whole, Wednesday as far as it has gone
    expect(figures.last_week_by_now).toBeCloseTo(30 + 4 * (18.5 / 24), 9);
    // eighteen whole hours, and half of the nineteenth
    expect(figures.yesterday_by_now).toBeCloseTo(18.5, 9);
  });

  it("goes on at the month's pace to its end, but not from a first day alone", () => {
    const figures = spendSoFar({ ...nothing, month: 36 }, new Date("2026-11-18T18:00:00Z"));
    expect(figures.month_at_this_pace).toBeCloseTo((36 / 17.75) * 30, 9);
    expect(figures.month_ends).toBe("2026-11-30T00:00:00.000Z");
    expect(spendSoFar({ ...nothing, month: 2 }, new Date("2026-11-01T23:00:00Z")).month_at_this_pace).toBeNull();
  });
});
