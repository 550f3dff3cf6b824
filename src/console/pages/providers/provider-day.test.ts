import { describe, expect, it } from "vitest";
import type { CallCounts } from "#contract/call-counts.ts";
import { beginningOfDay, dayBars, daySentence } from "./provider-day.ts";

const none = { answered: 0, cached: 0, failed: 0, provider_faults: 0, refused: null };
const counts = (total: Partial<CallCounts["total"]>, more: Partial<CallCounts> = {}): CallCounts => ({
  data: [{ at: "2026-11-22T23:30:00.000Z", ...none, ...total }],
  total: { ...none, ...total },
  bucket_minutes: 30,
  since: "2026-11-22T23:30:00.000Z",
  until: "2026-11-23T00:00:00.000Z",
  source: "calls",
  sums: null,
  counted_since: null,
  ...more,
});

const bar = { label: "Sun 22 Nov 2026, 23:30 to 00:00 UTC", value: 5, more: [1, 2], tick: undefined };

describe("a provider's day", () => {
  it.each([
    ["2026-11-22T12:29:59.999Z", "2026-11-21T12:30:00.000Z"],
    ["2026-11-22T12:30:00.000Z", "2026-11-21T13:00:00.000Z"],
    ["2028-02-29T12:00:00.000Z", "2028-02-28T12:30:00.000Z"],
    ["2028-12-31T23:59:30.000Z", "2028-12-31T00:00:00.000Z"],
    ["2035-07-01T00:00:00.000Z", "2035-06-30T00:30:00.000Z"],
  ])("of 48 half hours the last is under way: %s", (now, first) => expect(beginningOfDay(new Date(now))).toBe(first));

  it("has bars as high as there were calls that reached it, told apart by whose fault a failure was", () =>
    expect(dayBars(counts({ answered: 5, cached: 9, failed: 3, provider_faults: 2 }))).toEqual([bar]));

  it.each<[Partial<CallCounts["total"]>, string]>([
    [{}, "No call reached it in the last 24 hours."],
    [{ cached: 2 }, "No call reached it in the last 24 hours. 2 more were answered from the cache."],
    [{ answered: 1 }, "1 call in the last 24 hours; it did not fail."],
    [{ answered: 3, failed: 1, provider_faults: 1 }, "4 calls in the last 24 hours; it failed 25% of them."],
    [{ failed: 1, provider_faults: 1 }, "1 call in the last 24 hours; it failed."],
    [{ answered: 2 }, "2 calls in the last 24 hours; it failed none of them."],
    [{ failed: 2, provider_faults: 2 }, "2 calls in the last 24 hours; it failed all of them."],
  ])("of %j is said in one sentence", (total, sentence) => expect(daySentence(counts(total))).toBe(sentence));

  it("says so where it is summed up by whole hours", () =>
    expect(daySentence(counts({ answered: 1 }, { source: "hourly_sums" }))).toMatch(/whole hours/));
});
