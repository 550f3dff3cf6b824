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
  const isSpent = sql`((k.spent_out_until > ${now} and not k.limit_watch_only) or ${makerIsSpent(now)})`;
  return {
    disabled: sql`k.disabled`,
    expired: sql`not k.disabled and k.expires_at <= ${now}`,
    over_limit: sql`${works} and ${isSpent}`,
    active: sql`${works} and ${isSpent} is not true`,
  }[status];
}

/**
 * Whether a key was made with another one whose limit is spent: calls with it are refused too. A replaced key and its
 * successors share what they spend.
 */
export function makerIsSpent(now: Date): RawBuilder<unknown> {
  return sql`(k.made_by is not null and exists (
    select from api_keys made_with join api_keys maker on maker.spend_id = made_with.spend_id
    where made_with.hash = k.made_by and maker.deleted_at is null
      and maker.spent_out_until > ${now} and not maker.limit_watch_only))`;
}
