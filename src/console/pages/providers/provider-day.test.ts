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
  counted_since: null,
  ...more,
});

describe("a provider's day", () => {
  it("is 48 half hours, the last of which is under way", () => {
    expect(beginningOfDay(new Date("2026-11-22T12:29:59.999Z"))).toBe("2026-11-21T12:30:00.000Z");
    expect(beginningOfDay(new Date("2026-11-22T12:30:00.000Z"))).toBe("2026-11-21T13:00:00.000Z");
  });

  it("has bars as high as there were calls that reached it, told apart by whose fault a failure was", () => {
    expect(dayBars(counts({ answered: 5, cached: 9, failed: 3, provider_faults: 2 }))).toEqual([
      { label: "Sun 22 Nov 2026, 23:30 to 00:00 UTC", value: 5, more: [1, 2], tick: undefined },
    ]);
  });

  it("is said in one sentence", () => {
    expect(daySentence(counts({}))).toBe("No call reached it in the last 24 hours.");
    expect(daySentence(counts({ cached: 2 }))).toBe(
      "No call reached it in the last 24 hours. 2 more were answered from the cache.",
    );
    expect(daySentence(counts({ answered: 1 }))).toBe("1 call in the last 24 hours; it did not fail.");
    expect(daySentence(counts({ answered: 3, failed: 1, provider_faults: 1 }))).toBe(
      "4 calls in the last 24 hours; it failed 25% of them.",
    );
    expect(daySentence(counts({ failed: 1, provider_faults: 1 }))).toBe("1 call in the last 24 hours; it failed.");
    expect(daySentence(counts({ answered: 2 }))).toBe("2 calls in the last 24 hours; it failed none of them.");
    expect(daySentence(counts({ failed: 2, provider_faults: 2 }))).toMatch(/it failed all of them/);
    expect(daySentence(counts({ answered: 1 }, { source: "hourly_sums" }))).toMatch(/whole hours/);
  });
});
