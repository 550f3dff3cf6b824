import { dayMs, hourMs } from "#contract/time.ts";

interface Point {
  at: string;
  usage: number;
}

export interface SpendFigures {
  today: number;
  /** the same part of yesterday */
  yesterdayByNow: number;
  week: number;
  /** the same part of last week */
  lastWeekByNow: number;
  month: number;
  /** the month's projected total at this pace; null on its first day */
  monthAtThisPace: number | null;
  /** the month's last day */
  monthEnds: Date;
}

/**
 * The spend of the current UTC day, week and month, each compared with the same part of the previous one.
 *
 * @param days the last 62 days, the current one last
 * @param hours the last 48 hours, the current one last
 */
export function spendFigures(days: readonly Point[], hours: readonly Point[], now: Date): SpendFigures {
  const today = new Date(days.at(-1)?.at ?? now);
  const ofDay = part(now.getTime() - today.getTime(), dayMs);
  const sinceMonday = (today.getUTCDay() + 6) % 7;
  const dayOfMonth = today.getUTCDate();
  const monthEnds = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1, 0));
  const month = sum(days.slice(-dayOfMonth));
  const elapsedDays = dayOfMonth - 1 + ofDay;
  const lastWeek = days.slice(-8 - sinceMonday, -7);
  return {
    today: days.at(-1)?.usage ?? 0,
    yesterdayByNow: yesterdayByNow(hours, now),
    week: sum(days.slice(-1 - sinceMonday)),
    lastWeekByNow: sum(lastWeek.slice(0, -1)) + (lastWeek.at(-1)?.usage ?? 0) * ofDay,
    month,
    monthAtThisPace: elapsedDays < 1 ? null : (month / elapsedDays) * monthEnds.getUTCDate(),
    monthEnds,
  };
}

/** Whole hours, and of the hour that is under way the part that has passed today. */
function yesterdayByNow(hours: readonly Point[], now: Date): number {
  const current = hours.at(-1);
  if (current === undefined) return 0;
  const hour = new Date(current.at).getUTCHours();
  const last = hours.length - 25;
  const ofHour = part(now.getTime() - Date.parse(current.at), hourMs);
  return sum(hours.slice(Math.max(0, last - hour), Math.max(0, last))) + (hours[last]?.usage ?? 0) * ofHour;
}

function sum(points: readonly Point[]): number {
  return points.reduce((all, point) => all + point.usage, 0);
}

function part(ms: number, whole: number): number {
  return Math.min(1, Math.max(0, ms / whole));
}
