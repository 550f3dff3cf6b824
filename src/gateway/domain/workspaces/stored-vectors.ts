import { dayMs } from "#contract/time.ts";
import type { Store } from "../../storage/store.ts";
import { tidyItems } from "./answered-items.ts";
import { tidyAnswers } from "./cached-answers.ts";
import type { WorkspaceRow } from "./row.ts";

/** A workspace's cache of vectors that outlives the process, as calls need it. */
export interface EmbeddingCachePolicy {
  /** of this cache: one that is turned off or emptied ends, and another one has another id */
  readonly id: string;
  readonly workspaceId: string;
  readonly mostBytes: number;
  /** older entries are not used; null: none is too old */
  readonly mostAgeMs: number | null;
}

type Settings = Pick<WorkspaceRow, "id" | "embedding_cache_mb" | "embedding_cache_days">;

/** A cache as the settings of its workspace bound it; null where they turn it off. */
export function cachePolicyOf(
  id: string,
  { id: workspaceId, embedding_cache_mb: mb, embedding_cache_days: days }: Settings,
): EmbeddingCachePolicy | null {
  if (mb === null) return null;
  return { id, workspaceId, mostBytes: mb * mbBytes, mostAgeMs: days === null ? null : days * dayMs };
}

export interface StoredVector {
  readonly key: Buffer;
  readonly sealed: Buffer;
}

type Query = Pick<Store["pool"], "query">;

/** Beyond what is sealed: an entry's key, its times and its places in the indexes, bytes. */
const overheadBytes = 200;
export const mbBytes = 1_000_000;

const readText = `
select key, sealed, used_at from embedding_cache_entries
where workspace_id = $1 and cache_id = $2 and key = any($3::bytea[]) and created_at >= $4`;

const touchText = `
update embedding_cache_entries set used_at = $4
where workspace_id = $1 and cache_id = $2 and key = any($3::bytea[]) and used_at < $5`;

/**
 * The entries with these keys. When an entry was last used is written once a day, so that reading does not write.
 * @returns also the keys for which it is due
 */
export async function readVectors(
  pool: Query,
  { id, workspaceId, mostAgeMs }: EmbeddingCachePolicy,
  keys: readonly Buffer[],
  now: Date,
): Promise<{ found: StoredVector[]; stale: Buffer[] }> {
  const oldest = mostAgeMs === null ? new Date(0) : new Date(now.getTime() - mostAgeMs);
  const { rows } = await pool.query<StoredVector & { used_at: Date }>({
    name: "embedding-cache-read",
    text: readText,
    values: [workspaceId, id, keys, oldest],
  });
  const since = now.getTime() - dayMs;
  return { found: rows, stale: rows.filter(({ used_at }) => used_at.getTime() < since).map(({ key }) => key) };
}

export async function touchVectors(
  pool: Query,
  { id, workspaceId }: EmbeddingCachePolicy,
  keys: readonly Buffer[],
  now: Date,
): Promise<void> {
  const values = [workspaceId, id, keys, now, new Date(now.getTime() - dayMs)];
  await pool.query({ name: "embedding-cache-touch", text: touchText, values });
}

/** The row of the cache is locked first: two processes that write to one cache wait for each other. */
const writeText = `
with cache as (
  select id, workspace_id from embedding_caches where id = $1 and ended_at is null for update
), added as (
  insert into embedding_cache_entries as e (workspace_id, cache_id, key, created_at, used_at, bytes, sealed)
  select c.workspace_id, c.id, n.key, $4, $4, length(n.sealed) + ${overheadBytes}, n.sealed
  from cache c, unnest($2::bytea[], $3::bytea[]) as n (key, sealed)
  on conflict (workspace_id, cache_id, key) do update
    set sealed = excluded.sealed, created_at = excluded.created_at, used_at = excluded.used_at
    where e.created_at < $5
  returning bytes, (xmax = 0) as is_new
), counted as (
  select coalesce(sum(bytes), 0)::bigint as bytes, count(*) as entries from added where is_new
)
update embedding_caches c set bytes = c.bytes + counted.bytes, entries = c.entries + counted.entries
from counted, cache where c.id = cache.id
returning c.bytes`;

/** Stores new entries, and deletes those unused for longest until the cache is within its bound again. */
export async function writeVectors(
  pool: Query,
  cache: EmbeddingCachePolicy,
  vectors: readonly StoredVector[],
  now: Date,
): Promise<void> {
  const oldest = cache.mostAgeMs === null ? new Date(0) : new Date(now.getTime() - cache.mostAgeMs);
  const { rows } = await pool.query<{ bytes: bigint }>({
    name: "embedding-cache-write",
    text: writeText,
    values: [cache.id, vectors.map(({ key }) => key), vectors.map(({ sealed }) => sealed), now, oldest],
  });
  // Nothing is returned where the cache has ended: then nothing was stored.
  const bytes = rows[0]?.bytes ?? 0n;
  if (bytes > BigInt(cache.mostBytes)) await evict(pool, cache.id, cache.mostBytes);
}

const mostAtOnce = 500;

/** @param oldest which entries, in which order */
const deleteText = (oldest: string, condition: string) => `
with cache as (
  select id, workspace_id, bytes from embedding_caches where id = $1 for update
), oldest as (
  select key, sum(bytes) over (order by position) - bytes as before from (
    select e.key, e.bytes, row_number() over () as position from (
      select e.key, e.bytes from embedding_cache_entries e, cache c
      where e.workspace_id = c.workspace_id and e.cache_id = c.id ${oldest} limit ${mostAtOnce}
    ) e
  ) e
), gone as (
  delete from embedding_cache_entries e using oldest o, cache c
  where e.workspace_id = c.workspace_id and e.cache_id = c.id and e.key = o.key and ${condition}
  returning e.bytes
), counted as (
  select coalesce(sum(bytes), 0)::bigint as bytes, count(*) as entries from gone
)
update embedding_caches c set bytes = c.bytes - counted.bytes, entries = c.entries - counted.entries
from counted where c.id = $1
returning counted.entries`;

const evictText = deleteText("order by e.used_at, e.key", "o.before < c.bytes - $2");
const agedText = deleteText("and e.created_at < $2 order by e.created_at", "true");
const allText = deleteText("", "true");

async function deleteUntilNone(pool: Query, name: string, text: string, values: unknown[]): Promise<number> {
  let deleted = 0;
  for (;;) {
    const { rows } = await pool.query<{ entries: bigint }>({ name, text, values });
    const entries = Number(rows[0]?.entries ?? 0n);
    deleted += entries;
    if (entries < mostAtOnce) return deleted;
  }
}

async function evict(pool: Query, id: string, mostBytes: number): Promise<void> {
  await deleteUntilNone(pool, "embedding-cache-evict", evictText, [id, mostBytes]);
}

interface CacheRow {
  id: string;
  ended: boolean;
  bytes: bigint;
  most_mb: number | null;
  most_days: number | null;
}

/** Deletes what ended caches hold, what is too old, and what is beyond a bound that was lowered. */
export async function tidyCaches({ pool }: Pick<Store, "pool">, now: Date): Promise<void> {
  const { rows } = await pool.query<CacheRow>(
    `select c.id, c.ended_at is not null as ended, c.bytes, w.embedding_cache_mb as most_mb,
       w.embedding_cache_days as most_days
     from embedding_caches c join workspaces w on w.id = c.workspace_id`,
  );
  for (const { id, ended, bytes, most_mb: mostMb, most_days: mostDays } of rows) {
    if (ended) {
      await deleteUntilNone(pool, "embedding-cache-end", allText, [id]);
      await pool.query("delete from embedding_caches where id = $1 and ended_at is not null", [id]);
      continue;
    }
    if (mostDays !== null) await deleteOlder(pool, id, new Date(now.getTime() - mostDays * dayMs));
    if (mostMb !== null && bytes > BigInt(mostMb) * BigInt(mbBytes)) await evict(pool, id, mostMb * mbBytes);
  }
}

async function deleteOlder(pool: Query, id: string, before: Date): Promise<number> {
  return await deleteUntilNone(pool, "embedding-cache-aged", agedText, [id, before]);
}

/** Deletes the entries of all caches that were stored before an instant. @returns how many */
export async function pruneCaches({ pool }: Pick<Store, "pool">, before: Date): Promise<number> {
  const { rows } = await pool.query<{ id: string }>("select id from embedding_caches");
  let deleted = 0;
  for (const { id } of rows) deleted += await deleteOlder(pool, id, before);
  return deleted;
}

/**
 * Empties all caches: their keys are derived from the secret key, so that no entry is found again under another one.
 * @returns how many entries there were
 */
export async function emptyCaches({ pool }: Pick<Store, "pool">): Promise<number> {
  const { rows } = await pool.query<{ id: string }>("select id from embedding_caches");
  let deleted = 0;
  for (const { id } of rows) deleted += await deleteUntilNone(pool, "embedding-cache-end", allText, [id]);
  return deleted;
}

const tidyEveryMs = 60_000;

/**
 * Tidies from time to time, until the function that it returns is called.
 * @param mostAnswerBytes of a workspace's response cache
 */
export function scheduleTidying(store: Store, now: () => Date, mostAnswerBytes: number): () => void {
  let running = false;
  const round = async () => {
    if (running) return;
    running = true;
    try {
      await tidyCaches(store, now());
      await tidyAnswers(store, mostAnswerBytes, now());
      await tidyItems(store, now());
    } catch {
      // The next round makes up for it.
    } finally {
      running = false;
    }
  };
  const timer = setInterval(() => void round(), tidyEveryMs);
  timer.unref();
  return () => clearInterval(timer);
}
