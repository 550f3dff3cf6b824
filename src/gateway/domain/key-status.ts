import { type RawBuilder, sql } from "kysely";
import type { KeyStatus } from "#contract/keys.ts";

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
