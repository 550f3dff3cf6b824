import { describe, expect, it } from "vitest";
import { beginnings, spendSoFar } from "./spend.ts";

const nothing = { today: 0, yesterdayHours: 0, yesterdayHour: 0, week: 0, lastWeekDays: 0, lastWeekDay: 0, month: 0 };

describe("the spend so far", () => {
  it.each([
    ["2026-11-18T18:30:00Z", "11-18 11-16 11-01", "11-17T00 11-17T18", "11-09 11-11"],
    ["2026-11-22T23:59:59Z", "11-22 11-16 11-01", "11-21T00 11-21T23", "11-09 11-15"],
    ["2026-11-16T00:00:00Z", "11-16 11-16 11-01", "11-15T00 11-15T00", "11-09 11-09"],
    ["2028-02-29T12:00:00Z", "02-29 02-28 02-01", "02-28T00 02-28T12", "02-21 02-22"],
    ["2028-12-31T23:59:30Z", "12-31 12-25 12-01", "12-30T00 12-30T23", "12-18 12-24"],
    ["2035-07-01T12:00:00Z", "07-01 06-25 07-01", "06-30T00 06-30T12", "06-18 06-24"],
  ])(
    "is at %s of the UTC day, the week since Monday and the month: %s; and of %s and %s before",
    (now, ...expected) => {
      const { today, week, month, yesterday, hourYesterday, lastWeek, dayLastWeek } = beginnings(new Date(now));
      const text = (...instants: Date[]) => instants.map((at) => at.toISOString());
      for (const at of text(today, week, month, lastWeek, dayLastWeek)) expect(at).toMatch(/T00:00:00\.000Z$/);
      const days = (...instants: Date[]) =>
        text(...instants)
          .map((at) => at.slice(5, 10))
          .join(" ");
      const hours = text(yesterday, hourYesterday)
        .map((at) => at.slice(5, 13))
        .join(" ");
      expect([days(today, week, month), hours, days(lastWeek, dayLastWeek)]).toEqual(expected);
    },
  );

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
