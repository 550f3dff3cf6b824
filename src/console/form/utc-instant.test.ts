import { describe, expect, it } from "vitest";
import { minuteMs } from "#contract/time.ts";
import { fourDates } from "../example-dates.ts";
import { dateToParts, expiryProblem, parsePasted, partsToDate, presetParts, toUtcIso } from "./utc-instant.ts";

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

it.each([
  ["", ""],
  ["2027-02-18", ""],
  ["2027-02-30x", "10:00"],
  ["2027-13-01", "10:00"],
  ["2027-02-30", "10:00"],
  ["2027-02-29", "10:00"],
  ["2027-02-18", "10:0"],
])("parts %j and %j name no instant", (date, time) => expect(partsToDate({ date, time })).toBeNull());

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

it("a pasted instant with an offset states the conversion", () =>
  expect(parsePasted("2027-01-31T10:00:00+02:00")).toEqual({
    parts: { date: "2027-01-31", time: "08:00:00" },
    note: "Converted: 2027-01-31 10:00:00 at +02:00 is 2027-01-31 08:00:00 UTC",
  }));

it("a pasted instant without a zone is refused, not guessed, and so is one that does not exist", () => {
  expect(parsePasted("2027-01-31T10:00:00")).toEqual({ problem: expect.stringMatching(/has no time zone/) });
  expect(parsePasted("2027-13-31T10:00:00Z")).toEqual({ problem: expect.stringMatching(/not a date that exists/) });
});

it("a pasted instant is only taken where it is one", () => expect(parsePasted("prod-search")).toBeNull());
