import { sql } from "kysely";
import { toUsd } from "#contract/money.ts";
import type { SpendSoFar } from "#contract/overview.ts";
import { dayMs, hourMs, startOfUtcDay, startOfUtcMonth, startOfUtcWeek } from "#contract/time.ts";
import type { Context } from "../context.ts";

/** USD by the hours that it was spent in. */
export interface SpendSums {
  today: number;
  /** yesterday's whole hours before the one that is under way today, and that one */
  yesterdayHours: number;
  yesterdayHour: number;
  week: number;
  /** last week's days before this one's, and that day */
  lastWeekDays: number;
  lastWeekDay: number;
  month: number;
}

/** What was spent in the UTC day, week and month that are under way, from the hourly rollup. */
export async function soFar(ctx: Context, workspaces: readonly string[]): Promise<SpendSoFar> {
  const now = ctx.now();
  const { today, yesterday, hourYesterday, week, lastWeek, dayLastWeek, month } = beginnings(now);
  const between = (from: Date, to: Date) => sql`filter (where u.hour >= ${from} and u.hour < ${to})`;
  const since = (from: Date) => sql`filter (where u.hour >= ${from})`;
  const first = new Date(Math.min(month.getTime(), lastWeek.getTime()));
  const { rows } = await sql<Record<keyof SpendSums, bigint | null>>`
    select sum(u.usage) ${since(today)}::int8 as today,
      sum(u.usage) ${between(yesterday, hourYesterday)}::int8 as "yesterdayHours",
      sum(u.usage) ${between(hourYesterday, after(hourYesterday, hourMs))}::int8 as "yesterdayHour",
      sum(u.usage) ${since(week)}::int8 as week,
      sum(u.usage) ${between(lastWeek, dayLastWeek)}::int8 as "lastWeekDays",
      sum(u.usage) ${between(dayLastWeek, after(dayLastWeek, dayMs))}::int8 as "lastWeekDay",
      sum(u.usage) ${since(month)}::int8 as month
    from unnest(${workspaces}::uuid[]) as w (id)
    join usage_hourly u on u.workspace_id = w.id and u.hour >= ${first}`.execute(ctx.store.db);
  const usd = (member: keyof SpendSums) => toUsd(rows[0]?.[member] ?? 0n);
  const sums = {
    today: usd("today"),
    yesterdayHours: usd("yesterdayHours"),
    yesterdayHour: usd("yesterdayHour"),
    week: usd("week"),
    lastWeekDays: usd("lastWeekDays"),
    lastWeekDay: usd("lastWeekDay"),
    month: usd("month"),
  };
  return spendSoFar(sums, now);
}

/** Of the hour and of the day that are under way, what they had before counts by the part that has passed. */
export function spendSoFar(sums: SpendSums, now: Date): SpendSoFar {
  const { today, month } = beginnings(now);
  const ofDay = (now.getTime() - today.getTime()) / dayMs;
  const ofHour = (now.getTime() % hourMs) / hourMs;
  const monthEnds = new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1, 0));
  const elapsedDays = now.getUTCDate() - 1 + ofDay;
  return {
    today: sums.today,
    yesterday_by_now: sums.yesterdayHours + sums.yesterdayHour * ofHour,
    week: sums.week,
    last_week_by_now: sums.lastWeekDays + sums.lastWeekDay * ofDay,
    month: sums.month,
    month_at_this_pace: elapsedDays < 1 ? null : (sums.month / elapsedDays) * monthEnds.getUTCDate(),
    month_ends: monthEnds.toISOString(),
  };
}

export function beginnings(now: Date) {
  const today = startOfUtcDay(now);
  const week = startOfUtcWeek(now);
  const yesterday = after(today, -dayMs);
  return {
    today,
    yesterday,
    hourYesterday: after(yesterday, now.getUTCHours() * hourMs),
    week,
    lastWeek: after(week, -7 * dayMs),
    dayLastWeek: after(today, -7 * dayMs),
    month: startOfUtcMonth(now),
  };
}

function after(instant: Date, ms: number): Date {
  return new Date(instant.getTime() + ms);
}
