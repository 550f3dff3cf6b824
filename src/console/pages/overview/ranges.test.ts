import { describe, expect, it } from "vitest";
import { fourDates } from "../../example-dates.ts";
import { callsOf, customDaysOf, rangeOf } from "./ranges.ts";

const [now] = fourDates;

describe("the range of the overview", () => {
  it("is seven days by the hour unless the address says otherwise", () => {
    expect(rangeOf({}, now)).toEqual({ by: "hour", last: 168, words: "the last 7 days" });
    expect(rangeOf({ range: "30d" }, now)).toMatchObject({ by: "day", last: 30 });
  });

  it("is counted by the hour up to a week, beyond it by the day", () => {
    const custom = (from: string, to: string) => rangeOf({ range: "custom", from, to }, now);
    const week = { by: "hour", last: 168, until: "2026-11-09T23:59:59Z", words: "3 Nov to 9 Nov" };
    expect(custom("2026-11-03", "2026-11-09")).toEqual(week);
    expect(custom("2026-11-02", "2026-11-09")).toMatchObject({ by: "day", last: 8 });
    expect(custom("2026-11-09", "2026-11-09")).toMatchObject({ by: "hour", last: 24, words: "9 Nov" });
  });

  it.each([
    ["2026-11-09", "2026-11-03", "2026-11-03", "2026-11-09"],
    ["2026-11-19", "2040-01-01", "2026-11-19", "2026-11-21"],
    ["2040-01-01", "2040-01-02", "2026-11-21", "2026-11-21"],
    ["2020-01-01", "2026-11-21", "2025-11-21", "2026-11-21"],
  ])("puts %s to %s right: in order, none ahead, none more than a year back", (from, to, first, last) =>
    expect(customDaysOf({ from, to }, now)).toEqual({ from: first, to: last }),
  );

  it("is two weeks up to each date where no days are named, and ends with the year's end or the leap day", () => {
    const ranges = fourDates.map((at) => rangeOf({ range: "custom" }, at));
    const words = ["8 Nov to 21 Nov", "16 Feb to 29 Feb", "18 Dec to 31 Dec", "18 Jun to 1 Jul"];
    expect(ranges.map((range) => range.words)).toEqual(words);
    for (const range of ranges) expect(range).toMatchObject({ by: "day", last: 14 });
    expect(fourDates.map((at) => customDaysOf({ from: "2020-01-01", to: "2040-01-01" }, at).from)).toEqual([
      "2025-11-21",
      "2027-03-01",
      "2028-01-01",
      "2034-07-01",
    ]);
  });
});

it("lists the calls of a range from where its usage begins to its last second", () => {
  const since = "2026-11-03T00:00:00.000Z";
  const range = { by: "day", last: 7, words: "" } as const;
  expect(callsOf(range, since)).toEqual({ since });
  const whole = { since, until: "2026-11-10T00:00:00.000Z" };
  expect(callsOf({ ...range, until: "2026-11-09T23:59:59Z" }, since)).toEqual(whole);
});
