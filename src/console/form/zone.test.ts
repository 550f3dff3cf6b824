import { expect, it } from "vitest";
import { fourDates } from "../example-dates.ts";
import { localLine, zoneWarnings } from "./zone.ts";

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
