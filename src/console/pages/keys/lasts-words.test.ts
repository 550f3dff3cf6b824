import { expect, it } from "vitest";
import { lastsWords } from "./lasts-words.ts";

const now = new Date("2026-11-28T12:00:00Z");
const reset = "2026-12-01T00:00:00.000Z";

it.each([
  ["limit", "2026-11-30T06:00:00.000Z", "30 Nov", "in 1 day", true],
  ["limit", "2026-11-28T18:00:00.000Z", "18:00 UTC", "in 6 h", true],
  ["expiry", "2027-03-01T00:00:00.000Z", "1 Mar 2027", "expires in 92 days", false],
  ["spent", null, "Used up", "until 1 Dec", true],
  ["not_at_this_pace", null, "Not at this pace", null, false],
  ["too_early", null, "Too early to say", null, false],
  ["no_limit", null, "–", null, false],
  ["ended", null, "–", null, false],
] as const)("%s, %j", (lasts_reason, lasts_until, text, note, soon) => {
  expect(lastsWords({ lasts_reason, lasts_until }, reset, now)).toMatchObject({ text, note, soon });
});

it("says why no day is named, and when a spent limit is whole again", () => {
  const why = (lasts_reason: "not_at_this_pace" | "spent", at: string | null) =>
    lastsWords({ lasts_reason, lasts_until: null }, at, now);
  expect(why("not_at_this_pace", reset).why).toMatch(/not used up before it resets on 1 Dec/);
  expect(why("not_at_this_pace", null).why).toMatch(/more than a year/);
  expect(why("spent", null).note).toBeNull();
});
