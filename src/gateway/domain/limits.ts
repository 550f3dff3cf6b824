import { nextReset, startOfUtcDay, startOfUtcMonth, startOfUtcWeek, type LimitReset } from "#contract/time.ts";
import type { NanoUsd } from "#contract/money.ts";

/**
 * A running count of money: all of it, and that of the UTC day, week and month in which it was last written.
 * A period's figure only counts while `now` is still in that period, so nothing ever has to be reset.
 */
export interface Spend {
  total: NanoUsd;
  day: NanoUsd;
  week: NanoUsd;
  month: NanoUsd;
  byokTotal: NanoUsd;
  byokDay: NanoUsd;
  byokWeek: NanoUsd;
  byokMonth: NanoUsd;
  /** starts of the periods that the six figures above belong to */
  dayStart: Date;
  weekStart: Date;
  monthStart: Date;
}

/** What a key's owner set. `limit` null: unlimited. */
export interface LimitSettings {
  limit: NanoUsd | null;
  reset: LimitReset | null;
  includeByok: boolean;
}

/**
 * The eight figures as they stand at `now`. A period that began after `now` still counts: another process's clock is
 * a little ahead, and its money is spent all the same.
 */
export function currentSpend(spend: Spend, now: Date) {
  const [total, byokTotal] = spentSince(spend, null, now);
  const [day, byokDay] = spentSince(spend, "daily", now);
  const [week, byokWeek] = spentSince(spend, "weekly", now);
  const [month, byokMonth] = spentSince(spend, "monthly", now);
  return { total, day, week, month, byokTotal, byokDay, byokWeek, byokMonth };
}

/** What counts toward the limit at `now`: the spend of the current period, with BYOK usage if the key says so. */
export function spentTowardLimit({ reset, includeByok }: LimitSettings, spend: Spend, now: Date): NanoUsd {
  const [own, byok] = spentSince(spend, reset, now);
  return includeByok ? own + byok : own;
}

const nothing = [0n, 0n] as const;

function spentSince(spend: Spend, reset: LimitReset | null, now: Date): readonly [own: NanoUsd, byok: NanoUsd] {
  switch (reset) {
    case null:
      return [spend.total, spend.byokTotal];
    case "daily":
      return spend.dayStart >= startOfUtcDay(now) ? [spend.day, spend.byokDay] : nothing;
    case "weekly":
      return spend.weekStart >= startOfUtcWeek(now) ? [spend.week, spend.byokWeek] : nothing;
    case "monthly":
      return spend.monthStart >= startOfUtcMonth(now) ? [spend.month, spend.byokMonth] : nothing;
  }
}

/** What is left of the limit at `now`, never below zero; null without a limit. */
export function limitRemaining(settings: LimitSettings, spend: Spend, now: Date): NanoUsd | null {
  if (settings.limit === null) return null;
  const left = settings.limit - spentTowardLimit(settings, spend, now);
  return left > 0n ? left : 0n;
}

/** When the limit resets next; null without a limit or without a reset. */
export function limitResetsAt(settings: LimitSettings, now: Date): Date | null {
  return settings.limit === null || settings.reset === null ? null : nextReset(settings.reset, now);
}

/**
 * The spend after `amount` was charged at `at`. Figures of periods that are over start anew; a charge that comes late,
 * from a period before the one being counted, moves the totals alone. `ledger-commit.ts` says the same in SQL.
 */
export function addSpend(spend: Spend, amount: { own: NanoUsd; byok: NanoUsd }, at: Date): Spend {
  const add = (kept: Date, own: NanoUsd, byok: NanoUsd, start: Date) => {
    if (kept > start) return { own, byok, start: kept };
    if (kept < start) return { own: amount.own, byok: amount.byok, start };
    return { own: own + amount.own, byok: byok + amount.byok, start };
  };
  const day = add(spend.dayStart, spend.day, spend.byokDay, startOfUtcDay(at));
  const week = add(spend.weekStart, spend.week, spend.byokWeek, startOfUtcWeek(at));
  const month = add(spend.monthStart, spend.month, spend.byokMonth, startOfUtcMonth(at));
  return {
    total: spend.total + amount.own,
    day: day.own,
    week: week.own,
    month: month.own,
    byokTotal: spend.byokTotal + amount.byok,
    byokDay: day.byok,
    byokWeek: week.byok,
    byokMonth: month.byok,
    dayStart: day.start,
    weekStart: week.start,
    monthStart: month.start,
  };
}

/** A spend of nothing, as of `now`. */
export function noSpend(now: Date): Spend {
  return {
    total: 0n,
    day: 0n,
    week: 0n,
    month: 0n,
    byokTotal: 0n,
    byokDay: 0n,
    byokWeek: 0n,
    byokMonth: 0n,
    dayStart: startOfUtcDay(now),
    weekStart: startOfUtcWeek(now),
    monthStart: startOfUtcMonth(now),
  };
}

/** A row of `spends` as the pure functions take it. */
export function spendOfRow(row: {
  total: bigint;
  day: bigint;
  week: bigint;
  month: bigint;
  byok_total: bigint;
  byok_day: bigint;
  byok_week: bigint;
  byok_month: bigint;
  day_start: Date;
  week_start: Date;
  month_start: Date;
}): Spend {
  return {
    total: row.total,
    day: row.day,
    week: row.week,
    month: row.month,
    byokTotal: row.byok_total,
    byokDay: row.byok_day,
    byokWeek: row.byok_week,
    byokMonth: row.byok_month,
    dayStart: row.day_start,
    weekStart: row.week_start,
    monthStart: row.month_start,
  };
}
