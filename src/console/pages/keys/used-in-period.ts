import type { KeyRecord } from "#contract/keys.ts";
import type { LimitReset } from "#contract/time.ts";

/** What counts against a limit with this reset: the figures of the record's own period. */
export function usedInPeriod(key: KeyRecord, reset: LimitReset | null, countByok: boolean): number {
  const own = { daily: key.usage_daily, weekly: key.usage_weekly, monthly: key.usage_monthly, none: key.usage };
  const byok = {
    daily: key.byok_usage_daily,
    weekly: key.byok_usage_weekly,
    monthly: key.byok_usage_monthly,
    none: key.byok_usage,
  };
  const period = reset ?? "none";
  return own[period] + (countByok ? byok[period] : 0);
}
