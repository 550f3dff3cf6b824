import { describe, expect, it } from "vitest";
import type { CallCounts } from "#contract/call-counts.ts";
import { minuteMs } from "#contract/time.ts";
import { barOfStretch, histogramBars, histogramSentence, outcomesOf, rangeOfBars, stretch } from "./histogram.ts";

const none = { answered: 0, cached: 0, failed: 0, provider_faults: 0, refused: 0 };

function countsOf(since: string, minutes: number, buckets: number, more: Partial<CallCounts> = {}): CallCounts {
  const at = (index: number) => new Date(Date.parse(since) + index * minutes * minuteMs).toISOString();
  return {
    data: Array.from({ length: buckets }, (_, index) => ({ at: at(index), ...none, answered: index, failed: 1 })),
    total: { ...none, answered: 3 },
    bucket_minutes: minutes,
    since,
    until: at(buckets),
    source: "calls",
    counted_since: null,
    sums: null,
    ...more,
  };
}
const counts = countsOf("2026-11-22T10:00:00.000Z", 30, 4);

describe("the histogram of calls", () => {
  it.each([
    ["2026-11-22T10:30:00Z", "2026-11-22T11:00:00Z", "22 Nov 2026 10:30 to 11:00 UTC"],
    ["2026-11-22T23:30:00Z", "2026-11-23T00:00:00Z", "22 Nov 2026 23:30 to 23 Nov 2026 00:00 UTC"],
    ["2026-11-22T00:00:00Z", "2026-11-23T00:00:00Z", "22 Nov 2026, UTC"],
    ["2026-11-22T00:00:00Z", "2026-11-24T00:00:00Z", "22 Nov 2026 to 23 Nov 2026, UTC"],
    ["2026-11-22T10:30:05Z", "2026-11-22T11:00:00Z", "22 Nov 2026 10:30:05 to 11:00:00 UTC"],
    ["2028-02-28T12:00:00Z", "2028-02-29T12:00:00Z", "28 Feb 2028 12:00 to 29 Feb 2028 12:00 UTC"],
    ["2028-12-31T23:59:30Z", "2029-01-01T00:59:30Z", "31 Dec 2028 23:59:30 to 1 Jan 2029 00:59:30 UTC"],
    ["2035-06-30T00:00:00Z", "2035-07-01T00:00:00Z", "30 Jun 2035, UTC"],
  ])("names the stretch from %s to %s without a day twice, nor midnights of whole days", (from, to, words) =>
    expect(stretch(new Date(from), new Date(to))).toBe(words),
  );

  it("says what is counted, and what is not", () => {
    expect(histogramSentence(counts)).toBe("3 calls, 22 Nov 2026 10:00 to 12:00 UTC. One bar is 30 minutes.");
    const sentence = (change: Partial<CallCounts>) => histogramSentence({ ...counts, ...change });
    const bar = (minutes: number) => / One bar is (.*)\./.exec(sentence({ bucket_minutes: minutes }))?.[1];
    const bars = ["one minute", "one hour", "12 hours", "one day", "20 days"];
    expect([1, 60, 720, 1_440, 28_800].map(bar)).toEqual(bars);
    expect(sentence({ total: none })).toMatch(/^No calls, /);
    expect(sentence({ source: "hourly_sums" })).toMatch(/sums of whole hours, by the hour in which/);
    const since = sentence({ counted_since: "2026-11-22T11:00:01.000Z" });
    expect(since).toMatch(/Only calls since 22 Nov 2026 11:00:01 UTC are counted/);
  });

  it("does not draw calls of the cache where they are not told apart", () => {
    const untold = { ...counts, total: { ...none, cached: null } };
    expect(outcomesOf(untold)).toEqual(["answered", "failed"]);
    expect(histogramBars(untold)[1]).toMatchObject({ value: 1, more: [1] });
  });

  it("has at most five times under its bars, at round ones", () => {
    const ticks = (since: string, minutes: number, buckets: number) =>
      histogramBars(countsOf(since, minutes, buckets)).flatMap(({ tick }) => tick ?? []);
    expect(ticks("2026-11-22T10:30:00.000Z", 1, 60)).toEqual(["10:30", "10:45", "11:00", "11:15"]);
    expect(ticks("2026-11-22T10:30:00.000Z", 30, 48)).toEqual(["12:00", "18:00", "23 Nov", "06:00"]);
    expect(ticks("2028-12-31T10:30:00.000Z", 30, 48)).toEqual(["12:00", "18:00", "1 Jan", "06:00"]);
    expect(ticks("2026-11-01T00:00:00.000Z", 720, 60).length).toBeLessThanOrEqual(5);
    expect(ticks("2024-01-01T00:00:00.000Z", 1_440 * 20, 50).length).toBeLessThanOrEqual(5);
  });

  const since = "2026-11-22T10:07:00Z";
  const until = "2026-11-22T11:53:00Z";
  it.each([
    [[1, 2], {}, { since: "2026-11-22T10:30:00.000Z", until: "2026-11-22T11:30:00.000Z" }],
    [[0, 2], {}, { since: undefined, until: "2026-11-22T11:30:00.000Z" }],
    [[0, 1], { since, until }, { since, until: "2026-11-22T11:00:00.000Z" }],
    [[3, 3], { since, until }, { since: "2026-11-22T11:30:00.000Z", until }],
  ] as const)("makes the bars %j of the range %j the range, but for an end that they reach", (bars, range, selected) =>
    expect(rangeOfBars(counts, bars, { since: undefined, until: undefined, ...range })).toEqual(selected),
  );

  it("adds up the selected bars", () => {
    const label = "22 Nov 2026 10:30 to 11:30 UTC";
    const sum = { label, value: 3, more: [0, 2], refused: 0 };
    expect(barOfStretch(counts, histogramBars(counts), [1, 2])).toEqual(sum);
  });
});
