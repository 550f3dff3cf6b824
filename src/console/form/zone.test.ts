import { describe, expect, it } from "vitest";
import { formatOffset } from "../format.ts";
import { inZone, localLine, zoneWarnings } from "./zone.ts";

const now = new Date("2026-11-20T17:42:00Z");
const end = new Date("2027-02-18T23:59:59Z");

describe("an expiry seen from four zones", () => {
  it.each([
    ["UTC", "= Thu 18 Feb 2027, 23:59 in UTC · in 90 days", []],
    [
      "Pacific/Kiritimati",
      "= Fri 19 Feb 2027, 13:59 in Pacific/Kiritimati (UTC+14) · in 90 days",
      ["It ends on a different date where you are: Friday, not Thursday."],
    ],
    ["Pacific/Honolulu", "= Thu 18 Feb 2027, 13:59 in Pacific/Honolulu (UTC-10) · in 90 days", []],
    [
      "Australia/Lord_Howe",
      "= Fri 19 Feb 2027, 10:59 in Australia/Lord_Howe (UTC+11) · in 90 days",
      ["It ends on a different date where you are: Friday, not Thursday."],
    ],
  ])("%s", (zone, line, warnings) => {
    expect(localLine(end, now, zone)).toBe(line);
    expect(zoneWarnings(end, now, zone)).toEqual(warnings);
  });
});

it("says the half-hour daylight saving of Lord Howe", () => {
  const winter = new Date("2027-06-01T12:00:00Z");
  expect(formatOffset(winter, "Australia/Lord_Howe")).toBe("UTC+10:30");
  expect(zoneWarnings(winter, now, "Australia/Lord_Howe")).toEqual([
    "Clocks where you are change before then: UTC+10:30 instead of UTC+11.",
  ]);
});

it("warns of the clock change in Berlin", () => {
  expect(zoneWarnings(new Date("2027-05-01T12:00:00Z"), now, "Europe/Berlin")).toEqual([
    "Clocks where you are change before then: UTC+2 instead of UTC+1.",
  ]);
});

it("shows midnight as 00:00", () => {
  expect(inZone(new Date("2026-11-23T00:00:00Z"), "UTC")).toBe("Mon 23 Nov 2026, 00:00");
});
