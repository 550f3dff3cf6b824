import { describe, expect, it } from "vitest";
import { periodScale } from "./period-scale.ts";

const now = new Date("2026-11-20T17:42:00Z");

describe("a weekly limit", () => {
  const scale = periodScale("weekly", now, "Europe/Berlin");

  it("names the days of the UTC week, with the date on the first and on today", () => {
    expect(scale.major.map((mark) => mark.label)).toEqual(["Mon 16", "Tue", "Wed", "Thu", "Fri 20", "Sat", "Sun"]);
    expect(scale.minor).toHaveLength(21);
  });

  it("puts local midnights an hour before the UTC ones", () => {
    expect(scale.local).toHaveLength(7);
    expect(scale.local[0]).toBeCloseTo(23 / 168);
  });

  it("ends on Monday, in both zones", () => {
    expect(scale).toMatchObject({ endUtc: "Mon 00:00 UTC", endHere: "Mon 01:00 here", zone: "Europe/Berlin, UTC+1" });
    expect(scale.now).toBeCloseTo((4 * 24 + 17.7) / 168);
  });
});

it.each([
  ["Pacific/Kiritimati", "Mon 14:00 here", 10 / 24],
  ["Pacific/Honolulu", "Sun 14:00 here", 10 / 24],
  ["Australia/Lord_Howe", "Mon 11:00 here", 13 / 24],
  ["UTC", "Mon 00:00 here", 0],
])("is right in %s", (zone, endHere, firstMidnight) => {
  const scale = periodScale("weekly", now, zone);
  expect(scale.endHere).toBe(endHere);
  expect(scale.local[0]).toBeCloseTo(firstMidnight / 7);
});

it("sees the half-hour clock change of Lord Howe in the middle of a week", () => {
  // on Sunday 4 October 2026 at 02:00 clocks there go from +10:30 to +11
  const scale = periodScale("monthly", new Date("2026-10-10T00:00:00Z"), "Australia/Lord_Howe");
  const hours = scale.local.map((at) => (at * 31 * 24) % 24);
  expect(hours[0]).toBeCloseTo(13.5);
  expect(hours.at(-1)).toBeCloseTo(13);
});

it("shows hours for a daily limit and each seventh day for a monthly one", () => {
  expect(periodScale("daily", now, "UTC").major.map((mark) => mark.label)).toEqual([
    "00:00",
    "06:00",
    "12:00",
    "18:00",
  ]);
  const month = periodScale("monthly", now, "UTC");
  expect(month.major).toHaveLength(30);
  expect(month.major.flatMap((mark) => mark.label ?? [])).toEqual(["1", "8", "15", "22"]);
  expect(month.endUtc).toBe("1 Dec 00:00 UTC");
});
