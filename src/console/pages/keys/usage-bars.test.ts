import { expect, it, describe } from "vitest";
import * as simulation from "./limit-simulation.ts";
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

it.each<[string, ...UsagePoint[]]>([
  ["No calls in the last 7 days.", point("22T00", 0, 0)],
  ["1 call in the last 7 days, at no cost.", point("22T00", 0, 1)],
  [`$4.00 for 1,202 ${calls}; the most on Mon 23 Nov 2026 UTC.`, point("22T00", 1, 2), point("23T00", 3, 1200)],
  [`67 ${calls}, 66 of them refused, at no cost.`, point("22T00", 0, 1, 66)],
  [`66 ${calls}, all of them refused.`, point("22T00", 0, 0, 66)],
  [`$2.00 for 70 ${calls}, 66 of them refused; the most on Sun 22 Nov 2026 UTC.`, point("22T00", 2, 4, 66)],
])("%s", (sentence, ...points) => expect(usageSentence(points, "7d")).toBe(sentence));

const { addPoints, simulateLimit, simulateNewLimit, simulatedDays, simulationSentence } = simulation;

/** Days up to Monday, 30 November 2026: each with its spend in USD, and ten calls. */
function days(...spends: number[]): UsagePoint[] {
  const first = Date.parse("2026-11-30T00:00:00Z") - (spends.length - 1) * 86_400_000;
  const rest = { byok_usage: 1, requests: 10, refused: 0, prompt_tokens: 0, completion_tokens: 0 };
  return spends.map((usage, day) => ({ at: new Date(first + day * 86_400_000).toISOString(), usage, ...rest }));
}
const limit = (more: Partial<simulation.SimulatedLimit> = {}): simulation.SimulatedLimit => ({
  limit: 10,
  reset: "daily",
  countByok: false,
  watchOnly: false,
  ...more,
});
const refused = (simulated: readonly { refused: number }[]) => simulated.map((day) => day.refused);
const dollars = days(...Array.from({ length: 61 }, () => 1));

it.each([
  ["refuses the share of a day's calls that lies beyond it", days(5, 10, 20, 40), {}, 0, [0, 0, 5, 8]],
  ["is not passed by rounding", days(0.1, 0.2, 0.30000000000000004), { limit: 0.3 }, 0, [0, 0, 0]],
  ["that never resets counts what was spent before", days(2, 2), { reset: null }, 11, [0, 5]],
  ["counts no provider keys", days(5, 5), { limit: 5 }, 0, [0, 0]],
  ["counts provider keys where they count", days(5, 5), { limit: 5, countByok: true }, 0, [2, 2]],
])("a simulated limit %s", (_, points, more, spent, calls) =>
  expect(refused(simulateLimit(points, limit(more), spent))).toEqual(calls),
);

it("a simulated limit that resets on Mondays counts from there on, and refuses all calls once it is spent", () => {
  // Friday to Monday
  const found = simulateLimit(days(6, 8, 3, 4), limit({ reset: "weekly" }), 0);
  expect(found.map(({ spent }) => spent)).toEqual([6, 14, 17, 4]);
  expect(found.map(({ beyond }) => beyond)).toEqual([0, 4, 7, 0]);
  expect(refused(found)).toEqual([0, 5, 10, 0]);
});

it("a simulated limit shows thirty days, of which the first belongs to a month that began before", () => {
  const found = simulateLimit(dollars, limit({ reset: "monthly", limit: 25 }), 0);
  expect(found).toHaveLength(simulatedDays);
  expect(found[0]).toMatchObject({ at: "2026-11-01T00:00:00.000Z", spent: 1 });
  const beyond = found.flatMap(({ refused, at }) => (refused > 0 ? [Number(at.slice(8, 10))] : []));
  expect(beyond).toEqual([26, 27, 28, 29, 30]);
});

it.each([
  [{}, [5, 20], "it would have refused about 5 calls, on 1 of 2 days."],
  [{}, [5, 7], "it would have refused nothing: the key spent at most $7.00 a day."],
  [{ watchOnly: true }, [5, 20], "about 5 calls would have gone beyond it, on 1 of 2 days."],
  [{ watchOnly: true }, [5, 7], "no call would have gone beyond it: the key spent at most $7.00 a day."],
])("a simulated limit of %j says what it would have done with %j", (more, spends, words) => {
  const found = simulateLimit(days(...spends), limit(more), 0);
  expect(simulationSentence(found, limit(more))).toBe(`In the last 30 days ${words}`);
});

describe("a simulated limit of a key that does not exist yet", () => {
  it("is tried on the calls of several keys together, from the first of the thirty days or of its period", () => {
    const one = days(1, 2, 3);
    const sum = addPoints([one, days(10, 0, 0.5)]);
    expect(sum.map(({ at }) => at)).toEqual(one.map(({ at }) => at));
    expect(sum.map(({ usage }) => usage)).toEqual([11, 2, 3.5]);
    for (const day of sum) expect(day).toMatchObject({ byok_usage: 2, requests: 20 });
    expect(addPoints([])).toEqual([]);
    expect(refused(simulateNewLimit(sum, limit()))).toEqual([2, 0, 0]);
    const whole = simulateNewLimit(dollars, limit({ reset: null, limit: 29 }));
    expect(whole).toHaveLength(simulatedDays);
    expect(refused(whole)).toEqual([...Array.from({ length: 29 }, () => 0), 10]);
    const monthly = limit({ reset: "monthly", limit: 25 });
    expect(simulateNewLimit(dollars, monthly)).toEqual(simulateLimit(dollars, monthly, 0));
  });

  it.each([
    [{}, [5, 20], "it would have refused about 5, on 1 of 2 days."],
    [{}, [5, 7], "it would have refused none: they cost at most $7.00 a day."],
    [{ watchOnly: true }, [20], "about 5 would have gone beyond it, on 1 of 1 days."],
    [{ watchOnly: true, reset: null }, [3, 4], "none would have gone beyond it: they cost $7.00 in all."],
  ])("of %j says whose calls it was tried on, of %j", (more, spends, words) => {
    const found = simulateNewLimit(days(...spends), limit(more));
    const sentence = `Of the calls of all keys in Production in the last 30 days, ${words}`;
    expect(simulationSentence(found, limit(more), "all keys in Production")).toBe(sentence);
  });
});
