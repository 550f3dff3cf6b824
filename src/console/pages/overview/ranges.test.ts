import { describe, expect, it } from "vitest";
import { callsOf, customDaysOf, rangeOf } from "./ranges.ts";

const now = new Date("2026-11-21T12:00:00Z");

describe("the range of the overview", () => {
  it("is seven days by the hour unless the address says otherwise", () => {
    expect(rangeOf({}, now)).toEqual({ by: "hour", last: 168, words: "the last 7 days" });
    expect(rangeOf({ range: "30d" }, now)).toMatchObject({ by: "day", last: 30 });
  });

  it("is counted by the hour up to a week, beyond it by the day", () => {
    const custom = (from: string, to: string) => rangeOf({ range: "custom", from, to }, now);
    expect(custom("2026-11-03", "2026-11-09")).toEqual({
      by: "hour",
      last: 168,
      until: "2026-11-09T23:59:59Z",
      words: "3 Nov to 9 Nov",
    });
    expect(custom("2026-11-02", "2026-11-09")).toMatchObject({ by: "day", last: 8 });
    expect(custom("2026-11-09", "2026-11-09")).toMatchObject({ by: "hour", last: 24, words: "9 Nov" });
  });

  it("puts days the wrong way round right, and takes none that is ahead or more than a year back", () => {
    const days = (from?: string, to?: string) => customDaysOf({ from, to }, now);
    expect(days("2026-11-09", "2026-11-03")).toEqual({ from: "2026-11-03", to: "2026-11-09" });
    expect(days("2026-11-19", "2030-01-01")).toEqual({ from: "2026-11-19", to: "2026-11-21" });
    expect(days("2030-01-01", "2030-01-02")).toEqual({ from: "2026-11-21", to: "2026-11-21" });
    expect(days("2020-01-01", "2026-11-21")).toEqual({ from: "2025-11-21", to: "2026-11-21" });
    expect(days()).toEqual({ from: "2026-11-08", to: "2026-11-21" });
  });
});

it("lists the calls of a range from where its usage begins to its last second", () => {
  const first = "2026-11-03T00:00:00.000Z";
  expect(callsOf({ by: "day", last: 7, words: "" }, first)).toEqual({ since: first });
  const until = "2026-11-09T23:59:59Z";
  expect(callsOf({ by: "day", last: 7, words: "", until }, first)).toEqual({
    since: first,
    until: "2026-11-10T00:00:00.000Z",
  });
});
