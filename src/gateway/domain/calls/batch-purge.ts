import { sql } from "kysely";
import { batchDays } from "#contract/batches.ts";
import { dayMs, minuteMs } from "#contract/time.ts";
import type { Deps } from "../context.ts";
import { isBatch, requestRowBytes } from "./batches.ts";

/** A batch comes within one HTTP request, which has two minutes. */
const receivedMs = 10 * minuteMs;
/** Batches that are marked in one statement. */
const mostMarked = 1_000;

/**
 * Marks batches as deleted that ended long ago, did not come whole, or are of a deleted workspace.
 * @returns whether there may be more
 */
export async function markForPurge({ store, now }: Pick<Deps, "store" | "now">): Promise<boolean> {
  const at = now();
  const [ended, received] = [batchDays * dayMs, receivedMs].map((ms) => new Date(at.getTime() - ms));
  const due = [
    sql`select workspace_id, created_at, id from batches
      where ended_at < ${ended} and status <> 'deleted' limit ${mostMarked}`,
    sql`select workspace_id, created_at, id from batches
      where ended_at is null and status = 'receiving' and created_at < ${received} limit ${mostMarked}`,
    sql`select b.workspace_id, b.created_at, b.id from workspaces w
      join batch_space s on s.workspace_id = w.id and s.bytes > 0
      join batches b on b.workspace_id = w.id
      where w.deleted_at is not null and b.status <> 'deleted' limit ${mostMarked}`,
  ];
  let isFull = false;
  for (const each of due) {
    const { rows } = await sql`
      update batches b set status = 'deleted', sealed = '', ended_at = coalesce(b.ended_at, ${at}) from (${each}) as due
      where b.workspace_id = due.workspace_id and b.created_at = due.created_at and b.id = due.id
      returning 1`.execute(store.db);
    isFull ||= rows.length === mostMarked;
  }
  return isFull;
}

/** Rows that are deleted in one statement, and the bytes after which there are no more of them. */
const mostDeleted = 1_000;
const deletedBytes = 4_194_304;

/**
 * Deletes some rows of a batch that is deleted, and the batch once it has none: its workspace gets their space back.
 * Statements that name the batch, so that no plan reads all of its rows: the embedded store has no fresh statistics.
 * @returns whether there may be more
 */
export async function purgeBatches({ store }: Pick<Deps, "store">): Promise<boolean> {
  const batch = await store.db
    .selectFrom("batches")
    .select(["workspace_id", "created_at", "id"])
    .where(sql<boolean>`status = 'deleted'`)
    .orderBy("workspace_id")
    .orderBy("created_at")
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  if (batch === undefined) return false;
  const isOfBatch = sql<boolean>`
    workspace_id = ${batch.workspace_id} and created_at = ${batch.created_at} and batch_id = ${batch.id}`;
  const { rows } = await sql<{ last: number | null }>`
    select max(n) as last from (
      select n, sum(size) over (order by n) - size as before from (
        select n, ${size} as size from batch_requests where ${isOfBatch} order by n limit ${mostDeleted}
      ) page
    ) counted where before < ${deletedBytes}`.execute(store.db);
  const last = rows[0]?.last ?? null;
  if (last === null) {
    await sql`
      with removed as (delete from batches where ${isBatch(batch)} and status = 'deleted' returning bytes)
      update batch_space s set bytes = s.bytes - removed.bytes from removed
      where s.workspace_id = ${batch.workspace_id}`.execute(store.db);
    return true;
  }
  await sql`
    with gone as (
      delete from batch_requests where ${isOfBatch} and n <= ${last} returning ${size} as size
    ), freed as (
      select coalesce(sum(size), 0)::bigint as size from gone
    ), smaller as (
      update batches b set bytes = b.bytes - freed.size from freed where ${isBatch(batch)}
    )
    update batch_space s set bytes = s.bytes - freed.size from freed
    where s.workspace_id = ${batch.workspace_id}`.execute(store.db);
  return true;
}

const size = sql`coalesce(octet_length(request), 0) + coalesce(octet_length(result), 0) + ${requestRowBytes}::integer`;
