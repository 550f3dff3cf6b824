import { type RawBuilder, sql } from "kysely";
import type { KeyStatus } from "#contract/keys.ts";

/** Statuses in an order: what is not working first, which its owner may not know. */
export function statusRank(now: Date): RawBuilder<unknown> {
  return sql`case when ${hasStatus("disabled", now)} then 3 when ${hasStatus("expired", now)} then 1
    when ${hasStatus("over_limit", now)} then 0 else 2 end`;
}

/**
 * The SQL condition for each status of `api_keys k`. Every key has exactly one status; active keys are counted by it.
 */
export function hasStatus(status: KeyStatus, now: Date): RawBuilder<unknown> {
  const works = sql`not k.disabled and (k.expires_at is null or k.expires_at > ${now})`;
  return {
    disabled: sql`k.disabled`,
    expired: sql`not k.disabled and k.expires_at <= ${now}`,
    over_limit: sql`${works} and k.spent_out_until > ${now} and not k.limit_watch_only`,
    active: sql`${works} and (k.spent_out_until is null or k.spent_out_until <= ${now} or k.limit_watch_only)`,
  }[status];
}
