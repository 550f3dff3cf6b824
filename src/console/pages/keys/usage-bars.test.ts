import { expect, it } from "vitest";
import { usageBars, usageSentence, type UsagePoint } from "./usage-bars.ts";

const point = (at: string, usage: number, requests = 1, refused = 0): UsagePoint => ({
  at: `2026-11-${at}:00:00Z`,
  usage,
  byok_usage: 0,
  requests,
  refused,
  prompt_tokens: 0,
  completion_tokens: 0,
});

const calls = "calls in the last 7 days";

it("marks days, and the Mondays on which a weekly limit is whole again", () => {
  const bars = usageBars([point("22T23", 1), point("23T00", 2), point("23T01", 3)], "48h", "weekly");
  expect(bars.map((bar) => bar.tick)).toEqual([undefined, "Mon 23", undefined]);
  expect(bars.map((bar) => bar.resets)).toEqual([false, true, false]);
  expect(bars[1]?.label).toBe("Mon 23 Nov 2026, 00:00 UTC");
});

it("names only Mondays over 30 days, and no resets without one", () => {
  const bars = usageBars([point("22T00", 1), point("23T00", 1), point("24T00", 1)], "30d", null);
  expect(bars.map((bar) => bar.tick)).toEqual([undefined, "23 Nov", undefined]);
  expect(bars.map((bar) => bar.resets)).toEqual([false, false, false]);
});

it("counts calls where nothing was paid, and has what was refused in each bar, of money or of calls", () => {
  const bars = usageBars([point("22T00", 0, 7, 66)], "7d", null);
  expect(bars).toMatchObject([{ value: 7, refused: 66 }]);
  expect(usageBars([point("22T00", 0.5, 7, 66)], "7d", null)).toMatchObject([{ value: 0.5, more: [0], refused: 66 }]);
});

it.each([
  ["No calls in the last 7 days.", point("22T00", 0, 0)],
  ["1 call in the last 7 days, at no cost.", point("22T00", 0, 1)],
  [`$4.00 for 1,202 ${calls}; the most on Mon 23 Nov 2026 UTC.`, point("22T00", 1, 2), point("23T00", 3, 1200)],
  [`67 ${calls}, 66 of them refused, at no cost.`, point("22T00", 0, 1, 66)],
  [`66 ${calls}, all of them refused.`, point("22T00", 0, 0, 66)],
  [`$2.00 for 70 ${calls}, 66 of them refused; the most on Sun 22 Nov 2026 UTC.`, point("22T00", 2, 4, 66)],
])("%s", (sentence, ...points) => expect(usageSentence(points, "7d")).toBe(sentence));
