import type { KeyRecord } from "#contract/keys.ts";
import type { CsvValue } from "../../table/csv.ts";

const instant = (iso: string | null) => (iso === null ? null : new Date(iso));

const columns: readonly [head: string, value: (key: KeyRecord) => CsvValue][] = [
  ["hash", (key) => key.hash],
  ["name", (key) => key.name],
  ["label", (key) => key.label],
  ["status", (key) => key.status],
  ["limit_usd", (key) => key.limit],
  ["limit_remaining_usd", (key) => key.limit_remaining],
  ["limit_reset", (key) => key.limit_reset],
  ["limit_resets_at", (key) => instant(key.limit_resets_at)],
  ["include_byok_in_limit", (key) => key.include_byok_in_limit],
  ["usage_usd", (key) => key.usage],
  ["usage_daily_usd", (key) => key.usage_daily],
  ["usage_weekly_usd", (key) => key.usage_weekly],
  ["usage_monthly_usd", (key) => key.usage_monthly],
  ["byok_usage_usd", (key) => key.byok_usage],
  ["byok_usage_daily_usd", (key) => key.byok_usage_daily],
  ["byok_usage_weekly_usd", (key) => key.byok_usage_weekly],
  ["byok_usage_monthly_usd", (key) => key.byok_usage_monthly],
  ["workspace_id", (key) => key.workspace_id],
  ["expires_at", (key) => instant(key.expires_at)],
  ["last_used_at", (key) => instant(key.last_used_at)],
  ["created_at", (key) => instant(key.created_at)],
  ["updated_at", (key) => instant(key.updated_at)],
  ["creator_user_id", (key) => key.creator_user_id],
];

export const csvHeader = columns.map(([head]) => head);

/** One key as a CSV record: full precision, UTC, and nothing that is secret (the record holds none). */
export function csvRow(key: KeyRecord): CsvValue[] {
  return columns.map(([, value]) => value(key));
}
