import { nextReset, startOfPeriod, startOfUtcDay, startOfUtcMonth, startOfUtcWeek, type LimitReset } from "#contract/time.ts";
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

/** The eight figures as they stand at `now`. */
export function currentSpend(spend: Spend, now: Date) {
  const sameDay = spend.dayStart.getTime() === startOfUtcDay(now).getTime();
  const sameWeek = spend.weekStart.getTime() === startOfUtcWeek(now).getTime();
  const sameMonth = spend.monthStart.getTime() === startOfUtcMonth(now).getTime();
  return {
    total: spend.total,
    day: sameDay ? spend.day : 0n,
    week: sameWeek ? spend.week : 0n,
    month: sameMonth ? spend.month : 0n,
    byokTotal: spend.byokTotal,
    byokDay: sameDay ? spend.byokDay : 0n,
    byokWeek: sameWeek ? spend.byokWeek : 0n,
    byokMonth: sameMonth ? spend.byokMonth : 0n,
  };
}

/** What counts toward the limit at `now`: the spend of the current period, with BYOK usage if the key says so. */
export function spentTowardLimit(settings: LimitSettings, spend: Spend, now: Date): NanoUsd {
  const current = currentSpend(spend, now);
  const [own, byok] = {
    none: [current.total, current.byokTotal] as const,
    daily: [current.day, current.byokDay] as const,
    weekly: [current.week, current.byokWeek] as const,
    monthly: [current.month, current.byokMonth] as const,
  }[settings.reset ?? "none"];
  return settings.includeByok ? own + byok : own;
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

/** The spend after `amount` was added at `now`; figures of periods that are over start anew. */
export function addSpend(spend: Spend, amount: { own: NanoUsd; byok: NanoUsd }, now: Date): Spend {
  const current = currentSpend(spend, now);
  return {
    total: current.total + amount.own,
    day: current.day + amount.own,
    week: current.week + amount.own,
    month: current.month + amount.own,
    byokTotal: current.byokTotal + amount.byok,
    byokDay: current.byokDay + amount.byok,
    byokWeek: current.byokWeek + amount.byok,
    byokMonth: current.byokMonth + amount.byok,
    dayStart: startOfUtcDay(now),
    weekStart: startOfUtcWeek(now),
    monthStart: startOfUtcMonth(now),
  };
}

/** A spend of nothing, as of `now`. */
export function noSpend(now: Date): Spend {
  return {
    total: 0n, day: 0n, week: 0n, month: 0n,
    byokTotal: 0n, byokDay: 0n, byokWeek: 0n, byokMonth: 0n,
    dayStart: startOfPeriod("daily", now), weekStart: startOfPeriod("weekly", now), monthStart: startOfPeriod("monthly", now),
  };
}
