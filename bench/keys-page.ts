// How long one page of the list of keys takes at the server, with a million keys in the store.
// Usage: node bench/keys-page.ts [keys] [embedded|postgres]
import type { Parsed } from "#contract/endpoint.ts";
import type { listKeys } from "#contract/keys.ts";
import * as keys from "#gateway/domain/keys/keys.ts";
import type { PoolClient } from "pg";
import { numberArgument } from "./harness.ts";
import { now, openFilled, printReads, timed, timedPages, workspaceId } from "./store-reads.ts";

type Query = Parsed<typeof listKeys>["query"];

const keysCount = numberArgument(1, 1_000_000);
const engines = process.argv[3] === undefined ? ["embedded", "postgres"] : [process.argv[3]];

const all = { workspace_id: "all", include_disabled: true } as const;
const queries: Record<string, Query> = {
  "newest first": all,
  "newest first, one workspace of 1 %": { ...all, workspace_id: workspaceId(7) },
  "by name": { ...all, sort: "name", order: "asc" },
  "by usage": { ...all, sort: "usage", order: "desc" },
  "by expiry": { ...all, sort: "expires_at", order: "asc" },
  "by last use": { ...all, sort: "last_used_at", order: "desc" },
  "status active": { ...all, status: "active" },
  "status disabled (3 %)": { ...all, status: "disabled" },
  "status expired (5 %)": { ...all, status: "expired" },
  "status over limit (2 %)": { ...all, status: "over_limit" },
  "status disabled, by name": { ...all, status: "disabled", sort: "name", order: "asc" },
  "search: a word of every eighth name": { ...all, q: "search" },
  "search: two words, one name in 128": { ...all, q: "search eu3" },
  "search: a word of 1 name in 1,000": { ...all, q: "kilo" },
  "search: a word of 6 names": { ...all, q: "needle" },
  "search: nothing found": { ...all, q: "zebra" },
  "search: one letter": { ...all, q: "n" },
  "search: a number": { ...all, q: "123456" },
  "search: a label's end": { ...all, q: "sk-gh-v1-a4f" },
  "search: start of a hash": { ...all, q: "00ab" },
  "search: 1 name in 1,000, by name": { ...all, q: "kilo", sort: "name", order: "asc" },
  "search: every eighth name, by usage": { ...all, q: "search", sort: "usage", order: "desc" },
  "search in a workspace of 1 %": { ...all, q: "search", workspace_id: workspaceId(7) },
};

// search_text is what foldForSearch makes of these names and labels.
const insertKeys = `
  with made as (
    select i, encode(sha256(('key ' || i)::bytea), 'hex') as hash,
      (array['search','billing','ingest','batch','mobile','web','agent','eval'])[1 + i % 8] || '-'
        || (array['eu1','eu2','us1','us2'])[1 + (i / 8) % 4] || (case when (i / 32) % 4 = 3 then '-eu3' else '' end)
        || '-' || i || (case when i % 1000 = 500 then '-kilo' else '' end)
        || (case when i % 150000 = 149999 then '-needle' else '' end) as name,
      ('11111111-0000-4000-8000-' || lpad(i::text, 12, '0'))::uuid as spend_id,
      $3::timestamptz - (i || ' seconds')::interval as created_at
    from generate_series($1::int, $2::int) as i
  ), counted as (
    insert into spends (id, total, day, week, month, day_start, week_start, month_start)
    select spend_id, (i * 7919::bigint % 1000003) * 1000000, 0, 0, 0, $3, $3, $3 from made
  )
  insert into api_keys (hash, kind, name, label, workspace_id, created_at, disabled, expires_at, last_used_at, limit_nano,
    spend_id, search_text, spent_out_until)
  select hash, 'ordinary', name, 'sk-gh-v1-' || left(hash, 3) || '...' || right(hash, 4),
    ('00000000-0000-4000-8000-' || lpad((i % 100)::text, 12, '0'))::uuid, created_at, i % 33 = 0,
    case when i % 20 = 1 then $3::timestamptz - interval '1 day' when i % 3 = 0 then $3::timestamptz + (i || ' seconds')::interval end,
    case when i % 10 > 2 then $3::timestamptz - (i * 7919::bigint % 10000000 || ' seconds')::interval end,
    case when i % 2 = 0 then 1000000000 end, spend_id,
    ' ' || replace(name, '-', ' ') || ' ' || left(hash, 3) || ' ' || right(hash, 4),
    case when i % 50 = 4 then $3::timestamptz + interval '1 day' end
  from made`;

const rows: (string | number)[][] = [];
for (const engine of engines) {
  await using store = await openFilled(engine, 100, load);
  const { ctx } = store;
  for (const [name, query] of Object.entries(queries)) {
    const list = (cursor?: string) => keys.list(ctx, cursor === undefined ? query : { ...query, cursor });
    rows.push([engine, name, ...(await timedPages(list))]);
  }
  rows.push([
    engine,
    "(counts of all statuses)",
    ...(await timed(() => keys.count(ctx, { workspace_id: "all" }))),
    "-",
  ]);
}
printReads(`A page of 100 keys of ${keysCount}`, rows);

/** Loads the keys with SQL, the way a restore does: indexes are made at the end. */
async function load(client: PoolClient): Promise<void> {
  const indexes = await client.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes
     where tablename in ('api_keys', 'spends') and indexname not like '%_pkey'`,
  );
  for (const { name } of indexes.rows) await client.query(`drop index ${name}`);
  for (let from = 0; from < keysCount; from += 50_000) {
    await client.query(insertKeys, [from, Math.min(from + 50_000, keysCount) - 1, now]);
  }
  for (const { definition } of indexes.rows) await client.query(definition);
  await client.query("vacuum analyze api_keys");
  await client.query("vacuum analyze spends");
}
