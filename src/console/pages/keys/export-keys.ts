import { listKeys, type KeyRecord } from "#contract/keys.ts";
import { now } from "../../api/clock.ts";
import { call } from "../../api/call.ts";
import { readPages } from "../../api/read-pages.ts";
import { download } from "../../shell/download.ts";
import { columnsToCsv, csvName, type CsvColumn } from "../../csv.ts";
import type { KeysQuery } from "./use-keys.ts";

/** Reads every key that the query matches, page by page, whatever part of them the table has loaded. */
export async function readAllKeys(
  query: KeysQuery,
  signal: AbortSignal,
  progress: (read: number) => void,
): Promise<KeyRecord[]> {
  const page = (cursor: string | null) =>
    call(listKeys, { query: { ...query, ...(cursor !== null && { cursor }) } }, { signal });
  return (await readPages(page, { progress })).rows;
}

const instant = (iso: string | null) => (iso === null ? null : new Date(iso));

/** Full precision, UTC, and nothing that is secret (the record holds none). */
const columns: readonly CsvColumn<KeyRecord>[] = [
  ["hash", (key) => key.hash],
  ["name", (key) => key.name],
  ["label", (key) => key.label],
  ["status", (key) => key.status],
  ["limit_usd", (key) => key.limit],
  ["limit_remaining_usd", (key) => key.limit_remaining],
  ["limit_reset", (key) => key.limit_reset],
  ["limit_resets_at", (key) => instant(key.limit_resets_at)],
  ["lasts_until", (key) => instant(key.lasts_until)],
  ["lasts_reason", (key) => key.lasts_reason],
  ["include_byok_in_limit", (key) => key.include_byok_in_limit],
  ["limit_watch_only", (key) => key.limit_watch_only],
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

/** Writes keys to a CSV file named after the workspace and the time. */
export function downloadKeys(keys: readonly KeyRecord[], workspace: string): void {
  download(csvName("keys", workspace, now()), columnsToCsv(columns, keys), "text/csv;charset=utf-8");
}
