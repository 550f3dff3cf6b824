import { expect, it } from "vitest";
import { fourDates } from "../example-dates.ts";
import { isBound, lastRange, readBound, writeBound } from "./time-range.ts";

it.each([
  // a day alone is whole
  ["2028-02-29", false, "2028-02-29T00:00:00.000Z"],
  ["2028-02-29", true, "2028-03-01T00:00:00.000Z"],
  ["2028-12-31", true, "2029-01-01T00:00:00.000Z"],
  [" 2026-11-22 14:05 UTC", true, "2026-11-22T14:05:00.000Z"],
  ["2026-11-22T14:05:09Z", false, "2026-11-22T14:05:09.000Z"],
])("%j is read in UTC, as an end: %s", (text, end, iso) => expect(readBound(text, end)).toBe(iso));

it("no instant is read from what names none, as the gateway takes none from an address", () => {
  const none = ["", "yesterday", "2026-02-30", "22.11.2026", "2026-11-22 25:00", "2026-11-22T14:00:00+02:00"];
  expect(none.map((text) => readBound(text, false))).toEqual(none.map(() => null));
  expect(["2026-11-22T14:05:00Z", "2026-11-22T14:05:00.000Z"].every(isBound)).toBe(true);
  expect(["2026-02-30T14:05:00Z", "2026-11-22", "14:00"].some(isBound)).toBe(false);
});

it.each(fourDates)(
  "%s is written so that it is read as the same, and the last hour begins with a whole minute",
  (at) => {
    expect(readBound(writeBound(at.toISOString()), true)).toBe(at.toISOString());
    const hourAgo = at.getTime() - 3_600_000;
    const since = new Date(hourAgo - (hourAgo % 60_000)).toISOString();
    expect(lastRange(60, new Date(at.getTime() + 123))).toEqual({ since });
    expect(writeBound(undefined)).toBe("");
  },
);
