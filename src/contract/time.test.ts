import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type LimitReset, nextReset, startOfPeriod, UtcInstant } from "./time.ts";

const resets: LimitReset[] = ["daily", "weekly", "monthly"];
const dayMs = 86_400_000;

/** Any instant of four centuries to the millisecond; a Gregorian cycle, so every leap rule and weekday is met. */
const instant = fc.date({
  min: new Date("1900-01-01T00:00:00Z"),
  max: new Date("2300-01-01T00:00:00Z"),
  noInvalidDate: true,
});
/** Instants on a boundary and one millisecond to each side of it: where mistakes are. */
const boundary = fc
  .tuple(fc.integer({ min: -25_567, max: 120_000 }), fc.constantFrom(-1, 0, 1))
  .map(([day, ms]) => new Date(day * dayMs + ms));
const anyInstant = fc.oneof(instant, boundary);
const anyReset = fc.constantFrom(...resets);

describe("a UTC period", () => {
  it("holds its instant: start ≤ at < next reset", () => {
    fc.assert(
      fc.property(anyReset, anyInstant, (reset, at) => {
        const [start, next] = [startOfPeriod(reset, at), nextReset(reset, at)];
        expect(start.getTime()).toBeLessThanOrEqual(at.getTime());
        expect(next.getTime()).toBeGreaterThan(at.getTime());
      }),
    );
  });

  it("is followed by the next without gap or overlap", () => {
    fc.assert(
      fc.property(anyReset, anyInstant, (reset, at) => {
        const next = nextReset(reset, at);
        expect(startOfPeriod(reset, next)).toEqual(next);
        expect(startOfPeriod(reset, new Date(next.getTime() - 1))).toEqual(startOfPeriod(reset, at));
      }),
    );
  });

  it("is the same for all of its instants", () => {
    fc.assert(
      fc.property(
        anyReset,
        anyInstant,
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (reset, at, share) => {
          const [start, next] = [startOfPeriod(reset, at).getTime(), nextReset(reset, at).getTime()];
          const other = new Date(start + Math.floor((next - start) * share));
          expect(startOfPeriod(reset, other).getTime()).toBe(start);
          expect(nextReset(reset, other).getTime()).toBe(next);
        },
      ),
    );
  });

  it("starts at midnight UTC: weeks on Monday, months on the first", () => {
    fc.assert(
      fc.property(anyReset, anyInstant, (reset, at) => {
        const start = startOfPeriod(reset, at);
        expect(start.toISOString()).toMatch(/T00:00:00\.000Z$/);
        if (reset === "weekly") expect(start.getUTCDay()).toBe(1);
        if (reset === "monthly") expect(start.getUTCDate()).toBe(1);
      }),
    );
  });

  it("has the length of its kind", () => {
    fc.assert(
      fc.property(anyInstant, (at) => {
        const days = (reset: LimitReset) =>
          (nextReset(reset, at).getTime() - startOfPeriod(reset, at).getTime()) / dayMs;
        expect(days("daily")).toBe(1);
        expect(days("weekly")).toBe(7);
        // The last day of the month, found by another way: day 0 of the month after.
        const lastDay = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate();
        expect(days("monthly")).toBe(lastDay);
      }),
    );
  });

  it("does not change its argument", () => {
    fc.assert(
      fc.property(anyReset, anyInstant, (reset, at) => {
        const before = at.getTime();
        nextReset(reset, at);
        expect(at.getTime()).toBe(before);
      }),
    );
  });
});

it.each([
  ["2026-11-21T12:00:00.000Z", "11-21 to 2026-11-22", "11-16 to 2026-11-23", "11-01 to 2026-12-01"],
  ["2026-11-21T23:59:59.999Z", "11-21 to 2026-11-22", "11-16 to 2026-11-23", "11-01 to 2026-12-01"],
  ["2026-11-22T00:00:00.000Z", "11-22 to 2026-11-23", "11-16 to 2026-11-23", "11-01 to 2026-12-01"],
  ["2026-11-22T23:59:59.999Z", "11-22 to 2026-11-23", "11-16 to 2026-11-23", "11-01 to 2026-12-01"],
  ["2026-11-23T00:00:00.000Z", "11-23 to 2026-11-24", "11-23 to 2026-11-30", "11-01 to 2026-12-01"],
  ["2026-12-31T23:59:59.999Z", "12-31 to 2027-01-01", "12-28 to 2027-01-04", "12-01 to 2027-01-01"],
  // ISO week 53 of 2026 runs into 2027; the week belongs to no single year.
  ["2027-01-01T12:00:00.000Z", "01-01 to 2027-01-02", "12-28 to 2027-01-04", "01-01 to 2027-02-01"],
  ["2026-01-31T10:00:00.000Z", "01-31 to 2026-02-01", "01-26 to 2026-02-02", "01-01 to 2026-02-01"],
  ["2024-12-31T12:00:00.000Z", "12-31 to 2025-01-01", "12-30 to 2025-01-06", "12-01 to 2025-01-01"],
  // a leap day; the last half minute of a day, a week, a month and a year; a century without a leap day; years ahead
  ["2028-02-29T12:00:00.000Z", "02-29 to 2028-03-01", "02-28 to 2028-03-06", "02-01 to 2028-03-01"],
  ["2028-02-29T23:59:59.999Z", "02-29 to 2028-03-01", "02-28 to 2028-03-06", "02-01 to 2028-03-01"],
  ["2028-12-31T23:59:30.000Z", "12-31 to 2029-01-01", "12-25 to 2029-01-01", "12-01 to 2029-01-01"],
  ["2100-02-28T23:59:59.999Z", "02-28 to 2100-03-01", "02-22 to 2100-03-01", "02-01 to 2100-03-01"],
  ["2035-07-01T12:00:00.000Z", "07-01 to 2035-07-02", "06-25 to 2035-07-02", "07-01 to 2035-08-01"],
])("%s is in the day of %s, the week of %s and the month of %s", (at, ...expected) => {
  const day = (instant: Date) => instant.toISOString().replace("T00:00:00.000Z", "");
  const period = (reset: LimitReset) =>
    `${day(startOfPeriod(reset, new Date(at))).slice(5)} to ${day(nextReset(reset, new Date(at)))}`;
  expect(resets.map(period)).toEqual(expected);
});

describe("an instant that a caller sets", () => {
  it.each([
    "2027-12-31T23:59:59Z",
    "2027-12-31T23:59:59.000Z",
    "2027-12-31T23:59:59.123456Z",
    "2027-12-31T23:59:59+00:00",
  ])("may be %s", (text) => expect(UtcInstant.safeParse(text).success).toBe(true));

  it.each([
    "2027-12-31T23:59:59+01:00",
    "2027-12-31T23:59:59-00:30",
    "2027-12-31T23:59:59",
    "2027-12-31",
    "2027-02-30T00:00:00Z",
    "2027-12-31T25:00:00Z",
    "tomorrow",
    "",
  ])("may not be %j", (text) => expect(UtcInstant.safeParse(text).success).toBe(false));
});
