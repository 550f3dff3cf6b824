import { startOfPeriod, type LimitReset } from "#contract/time.ts";
import { formatCount, formatUsd } from "../../format.ts";
import type { UsagePoint } from "./usage-bars.ts";

/** The days that are looked back on, and those that have to be read for them: their first may lie in a long month. */
export const simulatedDays = 30;
export const readDays = simulatedDays + 31;

export interface SimulatedLimit {
  limit: number;
  /** null: it never resets */
  reset: LimitReset | null;
  countByok: boolean;
  /** it is only watched: calls beyond it are counted, not refused */
  watchOnly: boolean;
}

/** A day's spend and calls: of one key, or of several together. */
export type SimulatedPoint = Pick<UsagePoint, "at" | "usage" | "byok_usage" | "requests">;

export interface SimulatedDay {
  at: string;
  /** USD that counted toward the limit by the end of the day, without a limit */
  spent: number;
  /** of that, what the limit would have left no room for */
  beyond: number;
  /** calls that the limit would have refused, or that would have gone beyond it if it is only watched: the day's share that lies beyond, since single calls are not told apart */
  refused: number;
}

/**
 * What a limit would have done in the last 30 days, had it been set before them.
 *
 * @param points days in order, the last one today
 * @param total USD that the key has spent in all, for a limit that never resets
 */
export function simulateLimit(
  points: readonly SimulatedPoint[],
  { limit, reset, countByok }: SimulatedLimit,
  total: number,
): SimulatedDay[] {
  const costOf = ({ usage, byok_usage }: SimulatedPoint) => usage + (countByok ? byok_usage : 0);
  let spent = reset === null ? Math.max(0, total - points.reduce((sum, point) => sum + costOf(point), 0)) : 0;
  let period = "";
  const days = points.map((point) => {
    const current = reset === null ? "" : startOfPeriod(reset, new Date(point.at)).toISOString();
    if (current !== period) spent = 0;
    period = current;
    const cost = costOf(point);
    const before = spent;
    spent += cost;
    const over = Math.max(0, spent - Math.max(limit, before));
    // what adds up in floating point lies a little beside the limit that it meets
    const isOver = over > 1e-9;
    return {
      at: point.at,
      spent,
      beyond: Math.max(0, spent - limit),
      refused: isOver ? Math.ceil((over / cost) * point.requests) : 0,
    };
  });
  return days.slice(-simulatedDays);
}

const periods = { daily: "a day", weekly: "a week", monthly: "a month" } as const;

/**
 * What it would have done to a key that had made other keys' calls of the last 30 days. A limit that never resets begins
 * with the first of them.
 */
export function simulateNewLimit(points: readonly SimulatedPoint[], limit: SimulatedLimit): SimulatedDay[] {
  return limit.reset === null ? simulateLimit(points.slice(-simulatedDays), limit, 0) : simulateLimit(points, limit, 0);
}

/** The days of several keys added up. All have the same days. */
export function addPoints(series: readonly (readonly SimulatedPoint[])[]): SimulatedPoint[] {
  const [first = [], ...others] = series;
  return first.map((point, index) => {
    const sum = { at: point.at, usage: point.usage, byok_usage: point.byok_usage, requests: point.requests };
    for (const other of others) {
      sum.usage += other[index]?.usage ?? 0;
      sum.byok_usage += other[index]?.byok_usage ?? 0;
      sum.requests += other[index]?.requests ?? 0;
    }
    return sum;
  });
}

/**
 * What it would have done, in one sentence.
 *
 * @param of whose calls a new key is tried on; absent: the key's own
 */
export function simulationSentence(
  days: readonly SimulatedDay[],
  { reset, watchOnly }: SimulatedLimit,
  of?: string,
): string {
  const opening =
    of === undefined ? `In the last ${simulatedDays} days` : `Of the calls of ${of} in the last ${simulatedDays} days,`;
  const did = (what: string) =>
    watchOnly ? `${opening} ${what} would have gone beyond it` : `${opening} it would have refused ${what}`;
  const hit = days.filter(({ refused }) => refused > 0);
  const calls = hit.reduce((sum, { refused }) => sum + refused, 0);
  if (calls > 0) {
    const noun = of === undefined ? (calls === 1 ? " call" : " calls") : "";
    return `${did(`about ${formatCount(calls)}${noun}`)}, on ${hit.length} of ${days.length} days.`;
  }
  const most = Math.max(0, ...days.map(({ spent }) => spent));
  const peak = reset === null ? `${formatUsd(most)} in all` : `at most ${formatUsd(most)} ${periods[reset]}`;
  const nothing = of === undefined ? (watchOnly ? "no call" : "nothing") : "none";
  return `${did(nothing)}: ${of === undefined ? "the key spent" : "they cost"} ${peak}.`;
}
