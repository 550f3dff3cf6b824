import { nextReset, startOfUtcDay, startOfUtcMonth, startOfUtcWeek, type LimitReset } from "#contract/time.ts";
import type { NanoUsd } from "#contract/money.ts";

/** Money that calls came to, nano-dollars. */
export interface Charge {
  /** charged, for the gateway's provider keys and for the caller's own */
  readonly own: NanoUsd;
  readonly byok: NanoUsd;
  /** counted by providers beyond that: the limit had no room for it */
  readonly overrun: NanoUsd;
  readonly byokOverrun: NanoUsd;
}

export const noCharge: Charge = { own: 0n, byok: 0n, overrun: 0n, byokOverrun: 0n };

/**
 * A running count of money: the total, and that of the UTC day, week and month in which it was last written.
 * A period's count applies only while `now` is in that period, so nothing ever has to be reset.
 */
export interface Spend {
  readonly total: Charge;
  readonly day: Charge;
  readonly week: Charge;
  readonly month: Charge;
  /** starts of the periods that the three above belong to */
  readonly dayStart: Date;
  readonly weekStart: Date;
  readonly monthStart: Date;
}

/** The owner's limit settings. `limit` null: unlimited. */
export interface LimitSettings {
  limit: NanoUsd | null;
  reset: LimitReset | null;
  includeByok: boolean;
  /** the guardrail whose budget it is; absent: it is the limit of the account itself */
  guardrail?: { readonly id: string; readonly name: string };
}

/**
 * The counts at `now`. A period that began after `now` still counts: another process's clock is slightly ahead, and its
 * money is spent all the same.
 */
export function currentSpend(spend: Spend, now: Date) {
  return {
    total: spentSince(spend, null, now),
    day: spentSince(spend, "daily", now),
    week: spentSince(spend, "weekly", now),
    month: spentSince(spend, "monthly", now),
  };
}

/**
 * What counts toward the limit at `now`: the current period's charges and overrun, including the caller's own provider
 * keys if the limit says so. It decides whether a call may start, and what is shown as remaining. Only overrun can push
 * it above the limit: charges never exceed it.
 */
export function spentTowardLimit({ reset, includeByok }: LimitSettings, spend: Spend, now: Date): NanoUsd {
  const { own, overrun, byok, byokOverrun } = spentSince(spend, reset, now);
  return own + overrun + (includeByok ? byok + byokOverrun : 0n);
}

/** The charged part of {@link spentTowardLimit}: it excludes overrun, and never exceeds the limit. */
export function chargedTowardLimit({ reset, includeByok }: LimitSettings, spend: Spend, now: Date): NanoUsd {
  const { own, byok } = spentSince(spend, reset, now);
  return own + (includeByok ? byok : 0n);
}

function spentSince(spend: Spend, reset: LimitReset | null, now: Date): Charge {
  switch (reset) {
    case null:
      return spend.total;
    case "daily":
      return spend.dayStart >= startOfUtcDay(now) ? spend.day : noCharge;
    case "weekly":
      return spend.weekStart >= startOfUtcWeek(now) ? spend.week : noCharge;
    case "monthly":
      return spend.monthStart >= startOfUtcMonth(now) ? spend.month : noCharge;
  }
}

/** What is left of the limit at `now`, never below zero; null without a limit. */
export function limitRemaining(settings: LimitSettings, spend: Spend, now: Date): NanoUsd | null {
  if (settings.limit === null) return null;
  const left = settings.limit - spentTowardLimit(settings, spend, now);
  return left > 0n ? left : 0n;
}

/**
 * When the limit next resets; null without a limit or without a reset. A period that began after `now` counts
 * ({@link currentSpend}), so it is the end of that one.
 */
export function limitResetsAt(settings: LimitSettings, { dayStart }: Pick<Spend, "dayStart">, now: Date): Date | null {
  if (settings.limit === null || settings.reset === null) return null;
  return nextReset(settings.reset, dayStart > now ? dayStart : now);
}

/**
 * The counts after charging `amount` at `at`. Counts of past periods restart; a late charge, from a period before the
 * current one, only changes the totals. `commit.ts` does the same in SQL.
 */
export function addSpend(spend: Spend, amount: Charge, at: Date): Spend {
  const add = (kept: Date, sum: Charge, start: Date) => {
    if (kept > start) return { sum, start: kept };
    return { sum: kept < start ? amount : addCharge(sum, amount), start };
  };
  const day = add(spend.dayStart, spend.day, startOfUtcDay(at));
  const week = add(spend.weekStart, spend.week, startOfUtcWeek(at));
  const month = add(spend.monthStart, spend.month, startOfUtcMonth(at));
  return {
    total: addCharge(spend.total, amount),
    day: day.sum,
    week: week.sum,
    month: month.sum,
    dayStart: day.start,
    weekStart: week.start,
    monthStart: month.start,
  };
}

export function addCharge(one: Charge, other: Charge): Charge {
  return {
    own: one.own + other.own,
    byok: one.byok + other.byok,
    overrun: one.overrun + other.overrun,
    byokOverrun: one.byokOverrun + other.byokOverrun,
  };
}

/** Zero spending, as of `now`. */
export function noSpend(now: Date): Spend {
  return {
    total: noCharge,
    day: noCharge,
    week: noCharge,
    month: noCharge,
    dayStart: startOfUtcDay(now),
    weekStart: startOfUtcWeek(now),
    monthStart: startOfUtcMonth(now),
  };
}

const periods = ["total", "day", "week", "month"] as const;
const prefixes = ["", "byok_", "overrun_", "byok_overrun_"] as const;
type SpendColumn = `${(typeof prefixes)[number]}${(typeof periods)[number]}`;

/** The columns of `spends` that count money, for each of the four kinds, in order, all four periods. */
export const spendColumns: readonly SpendColumn[] = prefixes.flatMap((prefix) =>
  periods.map((period): SpendColumn => `${prefix}${period}`),
);

type SpendRow = Readonly<Record<SpendColumn, bigint>> & {
  readonly day_start: Date;
  readonly week_start: Date;
  readonly month_start: Date;
};

/** A row of `spends` in the form that the pure functions take. */
export function spendOfRow(row: SpendRow): Spend {
  const charge = (period: (typeof periods)[number]): Charge => ({
    own: row[period],
    byok: row[`byok_${period}`],
    overrun: row[`overrun_${period}`],
    byokOverrun: row[`byok_overrun_${period}`],
  });
  return {
    total: charge("total"),
    day: charge("day"),
    week: charge("week"),
    month: charge("month"),
    dayStart: row.day_start,
    weekStart: row.week_start,
    monthStart: row.month_start,
  };
}
