import { describe, expect, it } from "vitest";
import {
  addPoints,
  simulateLimit,
  simulateNewLimit,
  simulatedDays,
  simulationSentence,
  type SimulatedLimit,
} from "./limit-simulation.ts";
import type { UsagePoint } from "./usage-bars.ts";

/** Days up to Monday, 30 November 2026: each with its spend in USD, and ten calls. */
function days(...spends: number[]): UsagePoint[] {
  const last = Date.parse("2026-11-30T00:00:00Z");
  return spends.map((usage, index) => ({
    at: new Date(last - (spends.length - 1 - index) * 86_400_000).toISOString(),
    usage,
    byok_usage: 1,
    requests: 10,
    refused: 0,
    prompt_tokens: 0,
    completion_tokens: 0,
  }));
}
const limit = (more: Partial<SimulatedLimit>): SimulatedLimit => ({
  limit: 10,
  reset: "daily",
  countByok: false,
  watchOnly: false,
  ...more,
});
const refusals = (points: UsagePoint[], set: SimulatedLimit, total = 0) =>
  simulateLimit(points, set, total).map(({ refused }) => refused);

describe("a simulated limit", () => {
  it("that resets each day refuses the share of a day's calls that lies beyond it", () => {
    expect(refusals(days(5, 10, 20, 40), limit({}))).toEqual([0, 0, 5, 8]);
    expect(refusals(days(0.1, 0.2, 0.30000000000000004), limit({ limit: 0.3 }))).toEqual([0, 0, 0]);
  });

  it("that resets on Mondays counts from there on, and refuses all calls once it is spent", () => {
    // Friday to Monday
    const found = simulateLimit(days(6, 8, 3, 4), limit({ reset: "weekly" }), 0);
    expect(found.map(({ spent, beyond, refused }) => [spent, beyond, refused])).toEqual([
      [6, 0, 0],
      [14, 4, 5],
      [17, 7, 10],
      [4, 0, 0],
    ]);
  });

  it("that never resets counts what was spent before, and provider keys only where they count", () => {
    expect(refusals(days(2, 2), limit({ reset: null }), 11)).toEqual([0, 5]);
    expect(refusals(days(5, 5), limit({ limit: 5 }))).toEqual([0, 0]);
    expect(refusals(days(5, 5), limit({ limit: 5, countByok: true }))).toEqual([2, 2]);
  });

  it("shows thirty days, of which the first belongs to a month that began before", () => {
    const points = days(...Array.from({ length: 61 }, () => 1));
    const found = simulateLimit(points, limit({ reset: "monthly", limit: 25 }), 0);
    expect(found).toHaveLength(simulatedDays);
    expect(found[0]).toMatchObject({ at: "2026-11-01T00:00:00.000Z", spent: 1 });
    expect(found.filter(({ refused }) => refused > 0).map(({ at }) => at.slice(8, 10))).toEqual([
      "26",
      "27",
      "28",
      "29",
      "30",
    ]);
  });

  it("says what it would have done", () => {
    const of = (set: SimulatedLimit, ...spends: number[]) =>
      simulationSentence(simulateLimit(days(...spends), set, 0), set);
    expect(of(limit({}), 5, 20)).toBe("In the last 30 days it would have refused about 5 calls, on 1 of 2 days.");
    expect(of(limit({}), 5, 7)).toBe(
      "In the last 30 days it would have refused nothing: the key spent at most $7.00 a day.",
    );
    expect(of(limit({ watchOnly: true }), 5, 20)).toBe(
      "In the last 30 days about 5 calls would have gone beyond it, on 1 of 2 days.",
    );
    expect(of(limit({ watchOnly: true }), 5, 7)).toBe(
      "In the last 30 days no call would have gone beyond it: the key spent at most $7.00 a day.",
    );
  });
});

describe("a simulated limit of a key that does not exist yet", () => {
  it("is tried on the calls of several keys together, by days", () => {
    const [one, other] = [days(1, 2, 3), days(10, 0, 0.5)];
    const sum = addPoints([one, other]);
    expect(sum.map(({ at, usage, byok_usage, requests }) => [at, usage, byok_usage, requests])).toEqual([
      [one[0]?.at, 11, 2, 20],
      [one[1]?.at, 2, 2, 20],
      [one[2]?.at, 3.5, 2, 20],
    ]);
    expect(addPoints([])).toEqual([]);
    expect(simulateNewLimit(sum, limit({})).map(({ refused }) => refused)).toEqual([2, 0, 0]);
  });

  it("begins with the first of the thirty days if it never resets, and with its period if it does", () => {
    const points = days(...Array.from({ length: 61 }, () => 1));
    const whole = simulateNewLimit(points, limit({ reset: null, limit: 29 }));
    expect(whole).toHaveLength(simulatedDays);
    expect(whole.map(({ refused }) => refused)).toEqual([...Array.from({ length: 29 }, () => 0), 10]);
    const monthly = limit({ reset: "monthly", limit: 25 });
    expect(simulateNewLimit(points, monthly)).toEqual(simulateLimit(points, monthly, 0));
  });

  it("says whose calls it was tried on", () => {
    const of = (set: SimulatedLimit, ...spends: number[]) =>
      simulationSentence(simulateNewLimit(days(...spends), set), set, "all keys in Production");
    const opening = "Of the calls of all keys in Production in the last 30 days,";
    expect(of(limit({}), 5, 20)).toBe(`${opening} it would have refused about 5, on 1 of 2 days.`);
    expect(of(limit({}), 5, 7)).toBe(`${opening} it would have refused none: they cost at most $7.00 a day.`);
    expect(of(limit({ watchOnly: true }), 20)).toBe(`${opening} about 5 would have gone beyond it, on 1 of 1 days.`);
    expect(of(limit({ watchOnly: true, reset: null }), 3, 4)).toBe(
      `${opening} none would have gone beyond it: they cost $7.00 in all.`,
    );
  });
});
