import { randomUUID } from "node:crypto";
import { sql, type Transaction } from "kysely";
import type { clearEmbeddingCache, getEmbeddingCache } from "#contract/embedding-cache.ts";
import type { Output, Parsed } from "#contract/endpoint.ts";
import { toUsd } from "#contract/money.ts";
import { dayMs, startOfUtcDay } from "#contract/time.ts";
import type { Tables } from "../../storage/tables.ts";
import { recordChange } from "../audit.ts";
import type { Context } from "../context.ts";
import { refuseUnlessManagement } from "../permission.ts";
import { findWorkspace, lockWorkspace, type WorkspaceRow } from "./row.ts";
import { mbBytes, tidyCaches } from "./stored-vectors.ts";

/** Begins a workspace's cache, or ends it with all that it holds, as its settings say now. */
export async function followSettings(
  trx: Transaction<Tables>,
  { id, embedding_cache_mb: mostMb, deleted_at: deletedAt }: WorkspaceRow,
  now: Date,
): Promise<void> {
  if (mostMb === null || deletedAt !== null) {
    await endCache(trx, id, now);
    return;
  }
  await trx
    .insertInto("embedding_caches")
    .values({ id: randomUUID(), workspace_id: id, created_at: now, ended_at: null })
    .onConflict((conflict) => conflict.column("workspace_id").where("ended_at", "is", null).doNothing())
    .execute();
}

/** @returns how many entries it held */
export async function endCache(trx: Transaction<Tables>, workspaceId: string, now: Date): Promise<number> {
  const ended = await trx
    .updateTable("embedding_caches")
    .set({ ended_at: now })
    .where("workspace_id", "=", workspaceId)
    .where("ended_at", "is", null)
    .returning("entries")
    .executeTakeFirst();
  return Number(ended?.entries ?? 0n);
}

/** Deletes what ended caches hold. A store that is away at this moment is tidied later. */
export async function tidySoon(ctx: Context): Promise<void> {
  await tidyCaches(ctx.store, ctx.now()).catch(() => {});
}

/** Empties a workspace's cache. Nothing of it is used from then on. @param reference id or slug */
export async function clear(ctx: Context, reference: string): Promise<Output<typeof clearEmbeddingCache>> {
  refuseUnlessManagement(ctx);
  const entries = await ctx.store.db.transaction().execute(async (trx) => {
    const workspace = await lockWorkspace(trx, reference);
    const held = await endCache(trx, workspace.id, ctx.now());
    await followSettings(trx, workspace, ctx.now());
    await recordChange(trx, ctx, {
      action: "clearEmbeddingCache",
      target: { type: "workspace", id: workspace.id, name: workspace.name, workspaceId: workspace.id },
      before: { entries: held },
      after: { entries: 0 },
    });
    return held;
  });
  await ctx.accounts.changed(ctx);
  void tidySoon(ctx);
  return { data: { entries } };
}

interface SavedRow {
  date: string;
  saved: bigint;
  inputs: bigint;
  calls: bigint;
}

/** What a workspace's cache holds, and what it saved, from the hourly sums. @param reference id or slug */
export async function get(
  ctx: Context,
  reference: string,
  { last = 30 }: Parsed<typeof getEmbeddingCache>["query"],
): Promise<Output<typeof getEmbeddingCache>> {
  refuseUnlessManagement(ctx);
  const { db } = ctx.store;
  const workspace = await findWorkspace(db, reference);
  const cache = await db
    .selectFrom("embedding_caches")
    .selectAll()
    .where("workspace_id", "=", workspace.id)
    .where("ended_at", "is", null)
    .executeTakeFirst();
  const today = startOfUtcDay(ctx.now());
  const since = new Date(today.getTime() - (last - 1) * dayMs);
  const { rows } = await sql<SavedRow>`
    select to_char(hour at time zone 'UTC', 'YYYY-MM-DD') as date, sum(stored_saved)::int8 as saved,
      sum(stored_inputs)::int8 as inputs, sum(stored_calls)::int8 as calls
    from usage_hourly where workspace_id = ${workspace.id} and hour >= ${since}
    group by 1`.execute(db);
  const byDate = new Map(rows.map((row) => [row.date, row]));
  const days = Array.from({ length: last }, (_, index) => {
    const date = new Date(since.getTime() + index * dayMs).toISOString().slice(0, 10);
    const row = byDate.get(date);
    return {
      date,
      saved: toUsd(row?.saved ?? 0n),
      inputs: Number(row?.inputs ?? 0n),
      calls: Number(row?.calls ?? 0n),
    };
  });
  const saved = rows.reduce((sum, row) => sum + row.saved, 0n);
  const count = (member: "inputs" | "calls") => days.reduce((sum, day) => sum + day[member], 0);
  return {
    data: {
      enabled: cache !== undefined,
      since: cache?.created_at.toISOString() ?? null,
      entries: Number(cache?.entries ?? 0n),
      bytes: Number(cache?.bytes ?? 0n),
      max_bytes: workspace.embedding_cache_mb === null ? null : workspace.embedding_cache_mb * mbBytes,
      max_age_days: workspace.embedding_cache_days,
      savings: {
        since: since.toISOString(),
        saved: toUsd(saved),
        inputs: count("inputs"),
        calls: count("calls"),
        days,
      },
    },
  };
}
