import { expect, it } from "vitest";
import { usageBars, usageSentence } from "./usage-bars.ts";
import type { UsagePoint } from "./usage-bars.ts";

const point = (at: string, usage: number, requests = 1): UsagePoint => ({
  at,
  usage,
  byok_usage: 0,
  requests,
  prompt_tokens: 0,
  completion_tokens: 0,
});

it("marks days, and the Mondays on which a weekly limit is whole again", () => {
  const bars = usageBars(
    [point("2026-11-22T23:00:00Z", 1), point("2026-11-23T00:00:00Z", 2), point("2026-11-23T01:00:00Z", 3)],
    "48h",
    "weekly",
  );
  expect(bars.map((bar) => bar.tick)).toEqual([undefined, "Mon 23", undefined]);
  expect(bars.map((bar) => bar.resets)).toEqual([false, true, false]);
  expect(bars[1]?.label).toBe("Mon 23 Nov 2026, 00:00 UTC");
});

it("counts calls where nothing was paid", () => {
  expect(usageBars([point("2026-11-22T00:00:00Z", 0, 7)], "7d", null)[0]).toMatchObject({ value: 7 });
  expect(usageBars([point("2026-11-22T00:00:00Z", 0.5, 7)], "7d", null)[0]).toMatchObject({ value: 0.5, more: 0 });
});

it("names only Mondays over 30 days, and no resets without one", () => {
  const bars = usageBars(
    [point("2026-11-22T00:00:00Z", 1), point("2026-11-23T00:00:00Z", 1), point("2026-11-24T00:00:00Z", 1)],
    "30d",
    null,
  );
  expect(bars.map((bar) => bar.tick)).toEqual([undefined, "23 Nov", undefined]);
  expect(bars.every((bar) => bar.resets === false)).toBe(true);
});

it.each([
  [[point("2026-11-22T00:00:00Z", 0, 0)], "No calls in the last 7 days."],
  [[point("2026-11-22T00:00:00Z", 0, 1)], "1 call in the last 7 days, at no cost."],
  [
    [point("2026-11-22T00:00:00Z", 1, 2), point("2026-11-23T00:00:00Z", 3, 1200)],
    "$4.00 for 1,202 calls in the last 7 days; the most on Mon 23 Nov 2026 UTC.",
  ],
])("says it in one sentence", (points, sentence) => {
  expect(usageSentence(points, "7d")).toBe(sentence);
});
