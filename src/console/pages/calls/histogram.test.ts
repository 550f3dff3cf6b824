import { describe, expect, it } from "vitest";
import type { CallCounts } from "#contract/call-counts.ts";
import { minuteMs } from "#contract/time.ts";
import { barOfStretch, histogramBars, histogramSentence, outcomesOf, rangeOfBars, stretch } from "./histogram.ts";

const none = { answered: 0, cached: 0, failed: 0, provider_faults: 0, refused: 0 };

function countsOf(since: string, minutes: number, buckets: number, more: Partial<CallCounts> = {}): CallCounts {
  const begin = Date.parse(since);
  const at = (index: number) => new Date(begin + index * minutes * minuteMs).toISOString();
  return {
    data: Array.from({ length: buckets }, (_, index) => ({ at: at(index), ...none, answered: index, failed: 1 })),
    total: { ...none, answered: 3 },
    bucket_minutes: minutes,
    since,
    until: at(buckets),
    source: "calls",
    counted_since: null,
    ...more,
  };
}

describe("the histogram of calls", () => {
  it("names a stretch without saying a day twice, nor the midnights of whole days", () => {
    const of = (from: string, to: string) => stretch(new Date(from), new Date(to));
    expect(of("2026-11-22T10:30:00Z", "2026-11-22T11:00:00Z")).toBe("22 Nov 2026 10:30 to 11:00 UTC");
    expect(of("2026-11-22T23:30:00Z", "2026-11-23T00:00:00Z")).toBe("22 Nov 2026 23:30 to 23 Nov 2026 00:00 UTC");
    expect(of("2026-11-22T00:00:00Z", "2026-11-23T00:00:00Z")).toBe("22 Nov 2026, UTC");
    expect(of("2026-11-22T00:00:00Z", "2026-11-24T00:00:00Z")).toBe("22 Nov 2026 to 23 Nov 2026, UTC");
    expect(of("2026-11-22T10:30:05Z", "2026-11-22T11:00:00Z")).toBe("22 Nov 2026 10:30:05 to 11:00:00 UTC");
  });

  it("says what is counted, and what is not", () => {
    const counts = countsOf("2026-11-22T10:00:00.000Z", 30, 4);
    expect(histogramSentence(counts)).toBe("3 calls, 22 Nov 2026 10:00 to 12:00 UTC. One bar is 30 minutes.");
    const bar = (minutes: number) =>
      / One bar is .*/.exec(histogramSentence({ ...counts, bucket_minutes: minutes }))?.[0];
    expect([1, 60, 720, 1_440, 28_800].map(bar)).toEqual(
      ["one minute", "one hour", "12 hours", "one day", "20 days"].map((words) => ` One bar is ${words}.`),
    );
    expect(histogramSentence({ ...counts, total: none })).toMatch(/^No calls, /);
    expect(histogramSentence({ ...counts, source: "hourly_sums" })).toMatch(
      /sums of whole hours, by the hour in which/,
    );
    expect(histogramSentence({ ...counts, counted_since: "2026-11-22T11:00:01.000Z" })).toMatch(
      /Only calls since 22 Nov 2026 11:00:01 UTC are counted/,
    );
  });

  it("does not draw calls of the cache where they are not told apart", () => {
    const counts = countsOf("2026-11-22T10:00:00.000Z", 60, 2, { total: { ...none, cached: null } });
    expect(outcomesOf(counts)).toEqual(["answered", "failed"]);
    expect(histogramBars(counts)[1]).toMatchObject({ value: 1, more: [1] });
  });

  it("has at most five times under its bars, at round ones", () => {
    const ticks = (since: string, minutes: number, buckets: number) =>
      histogramBars(countsOf(since, minutes, buckets)).flatMap(({ tick }) => tick ?? []);
    expect(ticks("2026-11-22T10:30:00.000Z", 1, 60)).toEqual(["10:30", "10:45", "11:00", "11:15"]);
    expect(ticks("2026-11-22T10:30:00.000Z", 30, 48)).toEqual(["12:00", "18:00", "23 Nov", "06:00"]);
    expect(ticks("2026-11-01T00:00:00.000Z", 720, 60).length).toBeLessThanOrEqual(5);
    expect(ticks("2024-01-01T00:00:00.000Z", 1_440 * 20, 50).length).toBeLessThanOrEqual(5);
  });

  it("makes the selected bars the range, and leaves an end that they reach as it is", () => {
    const counts = countsOf("2026-11-22T10:00:00.000Z", 30, 4);
    const open = { since: undefined, until: undefined };
    expect(rangeOfBars(counts, [1, 2], open)).toEqual({
      since: "2026-11-22T10:30:00.000Z",
      until: "2026-11-22T11:30:00.000Z",
    });
    expect(rangeOfBars(counts, [0, 2], open)).toEqual({ since: undefined, until: "2026-11-22T11:30:00.000Z" });
    const given = { since: "2026-11-22T10:07:00Z", until: "2026-11-22T11:53:00Z" };
    expect(rangeOfBars(counts, [0, 1], given)).toEqual({ ...given, until: "2026-11-22T11:00:00.000Z" });
    expect(rangeOfBars(counts, [3, 3], given)).toEqual({ ...given, since: "2026-11-22T11:30:00.000Z" });
  });

  it("adds up the selected bars", () => {
    const counts = countsOf("2026-11-22T10:00:00.000Z", 30, 4);
    expect(barOfStretch(counts, histogramBars(counts), [1, 2])).toEqual({
      label: "22 Nov 2026 10:30 to 11:30 UTC",
      value: 3,
      more: [0, 2],
      refused: 0,
    });
  });
});
