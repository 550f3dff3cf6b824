import { expect, it } from "vitest";
import { usageBars, usageSentence, type UsagePoint } from "./usage-bars.ts";

const point = (at: string, usage: number, requests = 1): UsagePoint => ({
  at,
  usage,
  byok_usage: 0,
  requests,
  refused: 0,
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
  expect(usageBars([point("2026-11-22T00:00:00Z", 0.5, 7)], "7d", null)[0]).toMatchObject({ value: 0.5, more: [0] });
});

it("has what was refused in each bar, whether it is of money or of calls", () => {
  const bars = (usage: number) => usageBars([{ ...point("2026-11-22T00:00:00Z", usage, 7), refused: 66 }], "7d", null);
  expect([bars(0), bars(0.5)]).toMatchObject([[{ value: 7, refused: 66 }], [{ value: 0.5, refused: 66 }]]);
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
  [
    [{ ...point("2026-11-22T00:00:00Z", 0, 1), refused: 66 }],
    "67 calls in the last 7 days, 66 of them refused, at no cost.",
  ],
  [[{ ...point("2026-11-22T00:00:00Z", 0, 0), refused: 66 }], "66 calls in the last 7 days, all of them refused."],
  [
    [{ ...point("2026-11-22T00:00:00Z", 2, 4), refused: 66 }],
    "$2.00 for 70 calls in the last 7 days, 66 of them refused; the most on Sun 22 Nov 2026 UTC.",
  ],
])("says it in one sentence", (points, sentence) => expect(usageSentence(points, "7d")).toBe(sentence));
