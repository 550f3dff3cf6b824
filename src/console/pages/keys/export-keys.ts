import { listKeys, type KeyRecord } from "#contract/keys.ts";
import { now } from "../../api/clock.ts";
import { call } from "../../api/call.ts";
import { download } from "../../shell/download.ts";
import { csvName, toCsv } from "../../table/csv.ts";
import { csvHeader, csvRow } from "./keys-csv.ts";
import type { KeysQuery } from "./use-keys.ts";

/** Reads every key that the query matches, page by page, whatever part of them the table has loaded. */
export async function readAllKeys(
  query: KeysQuery,
  signal: AbortSignal,
  progress: (read: number) => void,
): Promise<KeyRecord[]> {
  const keys: KeyRecord[] = [];
  let cursor: string | null = null;
  do {
    const page: { data: KeyRecord[]; next_cursor: string | null } = await call(
      listKeys,
      { query: { ...query, ...(cursor !== null && { cursor }) } },
      { signal },
    );
    keys.push(...page.data);
    progress(keys.length);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return keys;
}

/** Writes keys to a CSV file named after the workspace and the time. */
export function downloadKeys(keys: readonly KeyRecord[], workspace: string): void {
  download(csvName("keys", workspace, now()), toCsv(csvHeader, keys.map(csvRow)), "text/csv;charset=utf-8");
}
