import type { LastsReason } from "#contract/lasts.ts";
import type { NanoUsd } from "#contract/money.ts";
import { dayMs, hourMs, startOfPeriod, type LimitReset } from "#contract/time.ts";
import { currentSpend, limitRemaining, limitResetsAt, type LimitSettings, type Spend } from "./limits.ts";

/** Until when a key or a budget lasts; without an instant where none can be named. */
export interface Lasts {
  readonly reason: LastsReason;
  readonly until: Date | null;
}

/** The members of a record. */
export function lastsRecord(of: Limited, now: Date) {
  const { until, reason } = lasts(of, now);
  return { lasts_until: until?.toISOString() ?? null, lasts_reason: reason };
}

/** The pace of less time than this says nothing. */
export function leastMs(reset: LimitReset | null): number {
  return reset === "daily" ? hourMs : dayMs;
}

/** No later day is named: the pace of a few weeks says little of the years after. */
export const furthestMs = 366 * dayMs;

/**
 * The count that the pace is read from: the limit's own period, or without a reset the week or the month, whichever
 * began earlier.
 */
export function paceWindow(reset: LimitReset | null, now: Date): { period: "day" | "week" | "month"; start: Date } {
  if (reset === "daily") return { period: "day", start: startOfPeriod("daily", now) };
  const [week, month] = [startOfPeriod("weekly", now), startOfPeriod("monthly", now)];
  if (reset === "weekly" || (reset === null && week < month)) return { period: "week", start: week };
  return { period: "month", start: month };
}

export interface Limited {
  /** `limit` null: no limit refuses its calls, which is so for one that is only watched too */
  readonly settings: LimitSettings;
  readonly spend: Spend;
  /** since when calls are counted: the creation of the first key that counts here, or of the workspace */
  readonly since: Date;
  readonly expiresAt: Date | null;
}

/**
 * The rule of "Lasts until", as docs/limits.md states it: what is left, at the pace of the settled spend of the current
 * period, unless the limit resets or the key expires before. `spend-order.ts` in keys does the same in SQL.
 */
export function lasts({ settings, spend, since, expiresAt }: Limited, now: Date): Lasts {
  if (expiresAt !== null && expiresAt <= now) return { reason: "ended", until: null };
  const left = limitRemaining(settings, spend, now);
  if (left === 0n) return { reason: "spent", until: null };
  const byLimit = left === null ? ({ reason: "no_limit", until: null } as const) : runOut(settings, left);
  if (expiresAt === null || (byLimit.until !== null && byLimit.until < expiresAt)) return byLimit;
  return { reason: "expiry", until: expiresAt };

  function runOut({ reset, includeByok }: LimitSettings, balance: NanoUsd): Lasts {
    const { period, start } = paceWindow(reset, now);
    const elapsed = now.getTime() - Math.max(start.getTime(), since.getTime());
    if (elapsed < leastMs(reset)) return { reason: "too_early", until: null };
    const { own, overrun, byok, byokOverrun } = currentSpend(spend, now)[period];
    const spent = own + overrun + (includeByok ? byok + byokOverrun : 0n);
    const after = spent === 0n ? null : (balance * BigInt(elapsed)) / spent;
    if (after === null || after > furthestMs) return { reason: "not_at_this_pace", until: null };
    const until = new Date(now.getTime() + Number(after));
    const resetsAt = limitResetsAt(settings, spend, now);
    if (resetsAt !== null && until >= resetsAt) return { reason: "not_at_this_pace", until: null };
    return { reason: "limit", until };
  }
}
