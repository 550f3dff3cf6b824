import { expect, it } from "vitest";
import { DestinationStatus } from "#contract/forwarding.ts";
import { fourDates } from "../../example-dates.ts";
import { failureMessage, nextTry } from "./failure-message.ts";
import { effectiveRate, healthWords, lastDay, notSent, totals } from "./health.ts";

const nothing = { delivered: 0, failed: 0, filtered: 0, sampled_out: 0, not_allowed: 0, dead: 0 };
const hours = [
  { ...nothing, hour: "2026-11-20T02:00:00.000Z", delivered: 5, filtered: 15_200 },
  { ...nothing, hour: "2026-11-20T17:00:00.000Z", delivered: 7, failed: 2, sampled_out: 90 },
];

it("lays the hours out over the day, the current one last, without what is older than a day", () => {
  const { delivered, failed } = lastDay(hours, new Date("2026-11-20T17:42:00Z"));
  expect([delivered.length, failed.length]).toEqual([24, 24]);
  expect([delivered[23], failed[23], delivered[8], delivered[0]]).toEqual([7, 2, 5, 0]);
  expect(lastDay(hours, new Date("2026-11-21T02:10:00Z")).delivered.filter((count) => count > 0)).toEqual([7]);
});

it("names what was not sent, the largest first", () => {
  expect(effectiveRate({ ...nothing, delivered: 4, failed: 9, filtered: 90, sampled_out: 6 })).toBe(0.04);
  expect(effectiveRate(totals([]))).toBeNull();
  expect(notSent(totals(hours))).toEqual(["15,200 filtered", "90 sampled out"]);
  expect(notSent(nothing)).toEqual([]);
});

it("is unknown, and never green, without an answer", () => {
  expect(healthWords(undefined)).toMatchObject({ kind: "unknown", word: "Unknown" });
  const health = { status: "paused" } as Parameters<typeof healthWords>[0];
  expect(healthWords(health)).toMatchObject({ kind: "off", word: "Paused" });
  expect(DestinationStatus.options).toHaveLength(5);
});

it.each([
  [403, "answered 403: AccessDenied", "The destination refuses the gateway's credential. Check the secrets"],
  [503, 'answered 503: {"error":"down"}', "The destination has an internal problem"],
  [400, "answered 400", "The destination refuses an event"],
  [null, "nothing listens at a:1", "Nothing listens at a:1"],
])("a line says what to mend: %j", (status, message, line) => expect(failureMessage({ status, message })).toBe(line));

it.each(fourDates)("says when an event is tried again, and of what is due no time that has passed: %s", (now) => {
  const after = (ms: number) => nextTry(new Date(now.getTime() + ms), now);
  expect([after(-60_000), after(400)]).toEqual(["and the next is due", "and the next is due"]);
  expect(after(30_000)).toBe("and the next comes in 30 s");
});
