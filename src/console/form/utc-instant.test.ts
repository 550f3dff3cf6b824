import { describe, expect, it } from "vitest";
import { minuteMs } from "#contract/time.ts";
import { fourDates } from "../example-dates.ts";
import { isBound, lastRange, readBound, writeBound } from "./time-range.ts";
import { dateToParts, expiryProblem, parsePasted, partsToDate, presetParts, toUtcIso } from "./utc-instant.ts";
import { localLine, zoneWarnings } from "./zone.ts";

describe("presets", () => {
  it.each([
    ["7d", ["2026-11-28", "2028-03-07", "2029-01-07", "2035-07-08"]],
    ["30d", ["2026-12-21", "2028-03-30", "2029-01-30", "2035-07-31"]],
    ["60d", ["2027-01-20", "2028-04-29", "2029-03-01", "2035-08-30"]],
    ["90d", ["2027-02-19", "2028-05-29", "2029-03-31", "2035-09-29"]],
    // a year from 29 February is the last day of February
    ["1y", ["2027-11-21", "2029-02-28", "2029-12-31", "2036-07-01"]],
  ] as const)("%s ends at 23:59:59 UTC of its day, counted from the UTC date whatever the hour", (preset, dates) => {
    const ends = fourDates.map((now) => presetParts(preset, now));
    expect(ends).toEqual(dates.map((date) => ({ date, time: "23:59:59" })));
  });
});

it.each([
  ["2027-02-18", "23:59:59", "2027-02-18T23:59:59Z"],
  // as browsers give it on the full minute
  ["2027-02-18", "08:30", "2027-02-18T08:30:00Z"],
  ["2028-02-29", "10:00", "2028-02-29T10:00:00Z"],
])("parts %s and %s are sent with Z and without fractions", (date, time, sent) => {
  const at = partsToDate({ date, time });
  expect(at && toUtcIso(at)).toBe(sent);
});

it("parts name no instant where they are not whole, or of a day that does not exist", () => {
  const times = { "": "", "2027-02-18": "", "2027-02-30x": "10:00", "2027-13-01": "10:00", "2027-02-30": "10:00" };
  const parts = [...Object.entries(times), ["2027-02-29", "10:00"], ["2027-02-18", "10:0"]];
  expect(parts.map(([date = "", time = ""]) => partsToDate({ date, time }))).toEqual(parts.map(() => null));
});

it.each(fourDates)("parts come back from %s unchanged", (at) => expect(partsToDate(dateToParts(at))).toEqual(at));

it.each([
  [fourDates[0], "12:05"],
  [fourDates[1], "12:05"],
  // of the next day, and of the next year
  [fourDates[2], "00:04"],
  [fourDates[3], "00:05"],
])("the least expiry is five minutes from now: %s", (now, clock) => {
  const after = (ms: number) => expiryProblem(dateToParts(new Date(now.getTime() + 5 * minuteMs + ms)), now);
  expect(after(-1_000)).toContain(`after ${clock} UTC`);
  expect(after(0)).toBeNull();
  expect(expiryProblem({ date: "2099-11-21", time: "" }, now)).toMatch(/date and a time/);
});

it.each([
  ["2027-01-31 23:30-1000", { date: "2027-02-01", time: "09:30:00" }],
  [" 2027-01-31T10:00:00.123Z ", { date: "2027-01-31", time: "10:00:00" }],
])("a pasted instant %j is converted to UTC", (text, parts) => expect(parsePasted(text)).toMatchObject({ parts }));

it("a pasted instant states its conversion; without a zone, or where it does not exist, it is refused", () => {
  expect(parsePasted("2027-01-31T10:00:00+02:00")).toEqual({
    parts: { date: "2027-01-31", time: "08:00:00" },
    note: "Converted: 2027-01-31 10:00:00 at +02:00 is 2027-01-31 08:00:00 UTC",
  });
  expect(parsePasted("2027-01-31T10:00:00")).toEqual({ problem: expect.stringMatching(/has no time zone/) });
  expect(parsePasted("2027-13-31T10:00:00Z")).toEqual({ problem: expect.stringMatching(/not a date that exists/) });
  expect(parsePasted("prod-search")).toBeNull();
});

const [now] = fourDates;
const end = new Date("2027-02-18T23:59:59Z");
const otherDay = "It ends on a different date where you are: Friday, not Thursday.";

it.each([
  ["UTC", "= Thu 18 Feb 2027, 23:59 in UTC · in 89 days", []],
  ["Pacific/Kiritimati", "= Fri 19 Feb 2027, 13:59 in Pacific/Kiritimati (UTC+14) · in 89 days", [otherDay]],
  ["Pacific/Honolulu", "= Thu 18 Feb 2027, 13:59 in Pacific/Honolulu (UTC-10) · in 89 days", []],
  ["Australia/Lord_Howe", "= Fri 19 Feb 2027, 10:59 in Australia/Lord_Howe (UTC+11) · in 89 days", [otherDay]],
])("an expiry is said in %s", (zone, line, warnings) => {
  expect(localLine(end, now, zone)).toBe(line);
  expect(zoneWarnings(end, now, zone)).toEqual(warnings);
});

const ahead = (at: Date) => new Date(at.getTime() + 182 * 86_400_000);
it("an expiry half a year ahead is said on each date by the clocks then", () => {
  const said = fourDates.map((at) => localLine(ahead(at), at, "Europe/Berlin").replace("Europe/Berlin ", ""));
  const dates = ["Sat 22 May 2027, 14:00", "Tue 29 Aug 2028, 14:00", "Mon 2 Jul 2029, 01:59", "Sun 30 Dec 2035, 01:00"];
  const offset = (index: number) => (index === 3 ? "UTC+1" : "UTC+2");
  expect(said).toEqual(dates.map((date, index) => `= ${date} in (${offset(index)}) · in 182 days`));
});

it.each([
  ["Europe/Berlin", "UTC+2 instead of UTC+1", "UTC+1 instead of UTC+2"],
  ["Australia/Lord_Howe", "UTC+10:30 instead of UTC+11", "UTC+11 instead of UTC+10:30"],
])("an expiry half a year ahead is warned of where clocks in %s change before it", (zone, spring, autumn) => {
  const change = fourDates.map((at) => zoneWarnings(ahead(at), at, zone).at(-1));
  const warning = (words: string) => `Clocks where you are change before then: ${words}.`;
  expect(change).toEqual([spring, spring, spring, autumn].map(warning));
});

it("midnight is shown as 00:00", () =>
  expect(localLine(new Date("2026-11-23T00:00:00Z"), now, "UTC")).toContain("= Mon 23 Nov 2026, 00:00 in UTC"));

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
