import { describe, expect, it } from "vitest";
import { fourDates } from "../../example-dates.ts";
import { periodScale } from "./period-scale.ts";
import { resetLine } from "./resets.ts";

const now = new Date("2026-11-20T17:42:00Z");

describe("a weekly limit", () => {
  const scale = periodScale("weekly", now, "Europe/Berlin");

  it("puts local midnights an hour before the UTC ones, and ends on Monday in both zones", () => {
    expect([scale.minor.length, scale.local.length]).toEqual([21, 7]);
    expect(scale.local[0]).toBeCloseTo(23 / 168);
    expect(scale).toMatchObject({ endUtc: "Mon 00:00 UTC", endHere: "Mon 01:00 here", zone: "Europe/Berlin, UTC+1" });
    expect(scale.now).toBeCloseTo((4 * 24 + 17.7) / 168);
  });

  it.each([
    [now, "Mon 16 Tue Wed Thu Fri 20 Sat Sun"],
    [fourDates[0], "Mon 16 Tue Wed Thu Fri Sat 21 Sun"],
    [fourDates[1], "Mon 28 Tue 29 Wed Thu Fri Sat Sun"],
    [fourDates[2], "Mon 25 Tue Wed Thu Fri Sat Sun 31"],
    [fourDates[3], "Mon 25 Tue Wed Thu Fri Sat Sun 1"],
  ])("names the days of the UTC week of %s, with the date on the first and on today", (at, days) =>
    expect(
      periodScale("weekly", at, "Europe/Berlin")
        .major.map((mark) => mark.label)
        .join(" "),
    ).toBe(days),
  );

  it.each([
    ["Pacific/Kiritimati", "Mon 14:00 here", 10 / 24],
    ["Pacific/Honolulu", "Sun 14:00 here", 10 / 24],
    ["Australia/Lord_Howe", "Mon 11:00 here", 13 / 24],
    ["UTC", "Mon 00:00 here", 0],
  ])("is right in %s", (zone, endHere, firstMidnight) => {
    const { local, ...scale } = periodScale("weekly", now, zone);
    expect(scale.endHere).toBe(endHere);
    expect(local[0]).toBeCloseTo(firstMidnight / 7);
  });
});

it("sees the half-hour clock change of Lord Howe in the middle of a week", () => {
  // on Sunday 4 October 2026 at 02:00 clocks there go from +10:30 to +11
  const scale = periodScale("monthly", new Date("2026-10-10T00:00:00Z"), "Australia/Lord_Howe");
  const hours = scale.local.map((at) => (at * 31 * 24) % 24);
  expect(hours[0]).toBeCloseTo(13.5);
  expect(hours.at(-1)).toBeCloseTo(13);
});

it("shows hours for a daily limit and each seventh day for a monthly one", () => {
  const labels = (reset: "daily" | "monthly") =>
    periodScale(reset, now, "UTC")
      .major.flatMap(({ label }) => label ?? [])
      .join(" ");
  expect([labels("daily"), labels("monthly")]).toEqual(["00:00 06:00 12:00 18:00", "1 8 15 22"]);
  expect(fourDates.map((at) => periodScale("monthly", at, "UTC").major.length)).toEqual([30, 29, 31, 31]);
  const ends = fourDates.map((at) => periodScale("monthly", at, "UTC").endUtc);
  expect(ends).toEqual(["1 Dec", "1 Mar", "1 Jan", "1 Aug"].map((day) => `${day} 00:00 UTC`));
});

it.each([
  ["daily", ["12 h (00:00 UTC)", "12 h (00:00 UTC)", "30 s (00:00 UTC)", "1 d (00:00 UTC)"]],
  ["weekly", ["1 d 12 h", "5 d 12 h", "30 s", "1 d"].map((time) => `${time} (Mon 00:00 UTC)`)],
  [
    "monthly",
    ["9 d 12 h (1 Dec", "12 h (1 Mar", "30 s (1 Jan 2029", "31 d (1 Aug"].map((words) => `${words} 00:00 UTC)`),
  ],
] as const)("the line of a limit says on each date when a %s one is back", (reset, words) =>
  expect(fourDates.map((at) => resetLine(reset, at))).toEqual(words.map((each) => `resets in ${each}`)),
);

it("the line of a limit says that one does not reset, and counts a whole week from the instant of the reset", () => {
  expect(resetLine(null, now)).toBe("does not reset");
  expect(resetLine("weekly", new Date("2026-11-23T00:00:00Z"))).toBe("resets in 7 d (Mon 00:00 UTC)");
});
