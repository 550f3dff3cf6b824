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
}

export interface SimulatedDay {
  at: string;
  /** USD that counted toward the limit by the end of the day, without a limit */
  spent: number;
  /** of that, what the limit would have left no room for */
  beyond: number;
  /** calls that would have been refused: the day's share that lies beyond, since single calls are not told apart */
  refused: number;
}

/**
 * What a limit would have done in the last 30 days, had it been set before them.
 *
 * @param points days in order, the last one today
 * @param total USD that the key has spent in all, for a limit that never resets
 */
export function simulateLimit(
  points: readonly UsagePoint[],
  { limit, reset, countByok }: SimulatedLimit,
  total: number,
): SimulatedDay[] {
  const costOf = ({ usage, byok_usage }: UsagePoint) => usage + (countByok ? byok_usage : 0);
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

/** What it would have done, in one sentence. */
export function simulationSentence(days: readonly SimulatedDay[], { reset }: SimulatedLimit): string {
  const hit = days.filter(({ refused }) => refused > 0);
  const calls = hit.reduce((sum, { refused }) => sum + refused, 0);
  if (calls > 0) {
    return `In the last 30 days it would have refused about ${formatCount(calls)} ${calls === 1 ? "call" : "calls"}, on ${hit.length} of ${days.length} days.`;
  }
  const most = Math.max(0, ...days.map(({ spent }) => spent));
  const peak = reset === null ? `${formatUsd(most)} in all` : `at most ${formatUsd(most)} ${periods[reset]}`;
  return `In the last 30 days it would have refused nothing: the key spent ${peak}.`;
}
