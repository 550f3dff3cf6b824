import { randomUUID } from "node:crypto";
import { type Kysely, sql } from "kysely";
import type { Output, Parsed } from "#contract/endpoint.ts";
import type { KeyStatus } from "#contract/keys.ts";
import { toUsd } from "#contract/money.ts";
import type {
  CreateWorkspaceBody,
  listWorkspaces,
  UpdateWorkspaceBody,
  WorkspaceRecord,
} from "#contract/workspaces.ts";
import type { Tables } from "../../storage/tables.ts";
import { recordChange } from "../audit.ts";
import type { Context } from "../context.ts";
import * as idempotency from "../idempotency.ts";
import { hasStatus } from "../key-status.ts";
import { endCache, followSettings, tidySoon } from "./embedding-cache.ts";
import { tightestBudget } from "./budgets.ts";
import { currentSpend, noSpend, spendOfRow } from "../ledger/limits.ts";
import { patched, pick } from "../patch.ts";
import { refuseUnlessManagement } from "../permission.ts";
import { Refusal } from "../refusal.ts";
import { refuseStale, type Versioned, versionOf } from "../version.ts";
import {
  findWorkspace,
  insertWorkspace,
  lockWorkspace,
  noSuchWorkspace,
  workspaceDefaults,
  type WorkspaceRow,
} from "./row.ts";
import { countOf } from "../count-of.ts";

type List = typeof listWorkspaces;
type One = Promise<Versioned<WorkspaceRecord>>;

const pageSize = 50;
/** Counting a workspace's keys by status stops here: a table does not need a count of a million. */
const mostCounted = 10_000;

/** The default workspace first, then by age. */
export async function list(ctx: Context, query: Parsed<List>["query"]): Promise<Output<List>> {
  refuseUnlessManagement(ctx);
  const { db } = ctx.store;
  const rows = await db
    .selectFrom("workspaces")
    .selectAll()
    .where("deleted_at", "is", null)
    .orderBy("is_default", "desc")
    .orderBy("created_at")
    .orderBy("id")
    .limit(query.limit ?? pageSize)
    .offset(query.offset ?? 0)
    .execute();
  const total = await countOf(db.selectFrom("workspaces").where("deleted_at", "is", null));
  return { data: await records(ctx, rows), total_count: total };
}

/** @param reference id or slug */
export async function get(ctx: Context, reference: string): One {
  refuseUnlessManagement(ctx);
  return await one(ctx, await findWorkspace(ctx.store.db, reference));
}

/** @param idempotencyKey the Idempotency-Key header; a repeat with it makes no second one, and answers the first */
export async function create(ctx: Context, body: CreateWorkspaceBody, idempotencyKey: string | null = null): One {
  refuseUnlessManagement(ctx);
  const id = randomUUID();
  const once: idempotency.Once = { key: idempotencyKey, endpoint: "createWorkspace", request: body, targetId: id };
  const row = await uniqueSlug(body.slug, () =>
    ctx.store.db.transaction().execute(async (trx) => {
      const first = await idempotency.claim(trx, ctx, once);
      if (first !== null) return first;
      const row = await insertWorkspace(
        trx,
        { settings: body, id, isDefault: false, createdBy: ctx.actor.name },
        ctx.now(),
      );
      await followSettings(trx, row, ctx.now());
      await recordChange(trx, ctx, {
        action: "createWorkspace",
        target: target(row),
        before: null,
        after: pick(row, workspaceDefaults),
      });
      return row;
    }),
  );
  return typeof row === "string" ? await idempotency.repeated(() => get(ctx, row)) : await one(ctx, row);
}

/**
 * @param reference id or slug
 * @param ifVersions the versions that the caller accepts; null for any
 * @throws Refusal conflict where the record has none of these versions; nothing is changed then
 */
export async function update(
  ctx: Context,
  reference: string,
  body: UpdateWorkspaceBody,
  ifVersions: readonly string[] | null = null,
): One {
  refuseUnlessManagement(ctx);
  const { row, changed } = await uniqueSlug(body.slug ?? "", () =>
    ctx.store.db.transaction().execute(async (trx) => {
      const before = await lockWorkspace(trx, reference);
      refuseStale("workspace", ifVersions, { version: settingsVersion(before), updatedAt: before.updated_at });
      const next = patched(before, body);
      if (next === before) return { row: before, changed: false };
      const row = await trx
        .updateTable("workspaces")
        .set({ ...pick(next, workspaceDefaults), updated_at: ctx.now() })
        .where("id", "=", before.id)
        .returningAll()
        .executeTakeFirstOrThrow();
      await followSettings(trx, row, ctx.now());
      const change = { before: pick(before, workspaceDefaults), after: pick(row, workspaceDefaults) };
      await recordChange(trx, ctx, { action: "updateWorkspace", target: target(row), ...change });
      return { row, changed: true };
    }),
  );
  if (changed) await ctx.accounts.changed(ctx);
  if (changed && row.embedding_cache_mb === null) void tidySoon(ctx);
  return await one(ctx, row);
}

/** @param ifVersions as for a change */
export async function remove(
  ctx: Context,
  reference: string,
  ifVersions: readonly string[] | null = null,
): Promise<{ deleted: true }> {
  refuseUnlessManagement(ctx);
  await ctx.store.db.transaction().execute(async (trx) => {
    // Creating a key takes a share lock on this row, so none can slip in between the count and the deletion.
    const row = await lockWorkspace(trx, reference);
    const { id } = row;
    refuseStale("workspace", ifVersions, { version: settingsVersion(row), updatedAt: row.updated_at });
    if (row.is_default) throw new Refusal("permission_denied", "The default workspace cannot be deleted");
    const working = (await countWorkingKeys(trx, [id], ctx.now())).get(id) ?? noKeys;
    if (working.active_keys + working.over_limit_keys > 0) {
      throw new Refusal("invalid_request", stillHolds(working), { ...working });
    }
    const now = ctx.now();
    await trx.updateTable("workspaces").set({ deleted_at: now }).where("id", "=", id).execute();
    await endCache(trx, id, now);
    await trx
      .updateTable("destinations")
      .set((destination) => ({ enabled: false, version: destination("version", "+", 1), updated_at: now }))
      .where("workspace_id", "=", id)
      .where("enabled", "=", true)
      .execute();
    // Their assignments go with them.
    await trx.deleteFrom("guardrails").where("workspace_id", "=", id).execute();
    await recordChange(trx, ctx, {
      action: "deleteWorkspace",
      target: target(row),
      before: pick(row, workspaceDefaults),
      after: null,
    });
  });
  await ctx.bodies.refresh();
  await ctx.guardrails.changed(ctx);
  void tidySoon(ctx);
  return { deleted: true };
}

async function one(ctx: Context, row: WorkspaceRow): One {
  const [data] = await records(ctx, [row]);
  if (data === undefined) throw noSuchWorkspace();
  return { data, version: settingsVersion(row) };
}

const settingsVersion = (row: WorkspaceRow) => versionOf(pick(row, workspaceDefaults));

async function records(ctx: Context, rows: WorkspaceRow[]): Promise<WorkspaceRecord[]> {
  if (rows.length === 0) return [];
  const ids = rows.map((row) => row.id);
  const now = ctx.now();
  const working = await countWorkingKeys(ctx.store.db, ids, now);
  // The ledger counts a workspace's spending under the workspace's own id.
  const spends = await ctx.store.db.selectFrom("spends").selectAll().where("id", "in", ids).execute();
  const spent = new Map(spends.map((row) => [row.id, spendOfRow(row)] as const));
  const spendOf = (id: string) => spent.get(id) ?? noSpend(now);
  const found = await ctx.store.db
    .selectFrom("workspace_budgets")
    .selectAll()
    .where("workspace_id", "in", ids)
    .execute();
  const budgets = Map.groupBy(found, ({ workspace_id: id }) => id);
  return rows.map((row) => ({
    ...pick(row, workspaceDefaults),
    id: row.id,
    created_at: row.created_at.toISOString(),
    created_by: row.created_by,
    updated_at: row.updated_at?.toISOString() ?? null,
    default_guardrail_id: row.default_guardrail_id,
    include_byok_in_budgets: row.include_byok_in_budgets,
    is_default: row.is_default,
    ...(working.get(row.id) ?? noKeys),
    usage_monthly: toUsd(currentSpend(spendOf(row.id), now).month.own),
    budget: tightestBudget(budgets.get(row.id) ?? [], spendOf(row.id), row.include_byok_in_budgets, now),
  }));
}

type WorkingKeys = Pick<WorkspaceRecord, "active_keys" | "over_limit_keys">;
const noKeys: WorkingKeys = { active_keys: 0, over_limit_keys: 0 };

/** The keys that are neither disabled nor expired, by the statuses that lists of keys have. */
async function countWorkingKeys(db: Kysely<Tables>, ids: string[], now: Date): Promise<Map<string, WorkingKeys>> {
  const counted = (status: KeyStatus) => sql`(
    select count(*) from (
      select 1 from api_keys k
      where k.workspace_id = w.id and k.kind = 'ordinary' and k.purpose is null and k.deleted_at is null
        and ${hasStatus(status, now)}
      limit ${mostCounted}
    ) as found
  )`;
  const { rows } = await sql<{ id: string; active: bigint; over_limit: bigint }>`
    select w.id, ${counted("active")} as active, ${counted("over_limit")} as over_limit
    from unnest(${ids}::uuid[]) as w (id)`.execute(db);
  return new Map(
    rows.map((row) => [row.id, { active_keys: Number(row.active), over_limit_keys: Number(row.over_limit) }]),
  );
}

function stillHolds({ active_keys: active, over_limit_keys: spent }: WorkingKeys): string {
  const figure = (count: number) => (count >= mostCounted ? `${mostCounted} or more` : `${count}`);
  const counts = [
    ...(active > 0 ? [`${figure(active)} active API ${active === 1 ? "key" : "keys"}`] : []),
    ...(spent > 0 ? [`${figure(spent)} API ${spent === 1 ? "key over its limit" : "keys over their limits"}`] : []),
  ];
  return `This workspace has ${counts.join(" and ")}: delete or disable ${active + spent === 1 ? "it" : "them"} first`;
}

function target(row: WorkspaceRow) {
  return { type: "workspace", id: row.id, name: row.name, workspaceId: row.id };
}

const uniqueViolation = "23505";

async function uniqueSlug<T>(slug: string, change: () => Promise<T>): Promise<T> {
  try {
    return await change();
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === uniqueViolation)) throw error;
    throw new Refusal("conflict", `The slug ${slug} belongs to another workspace`, {
      issues: [{ path: "slug", message: "belongs to another workspace" }],
    });
  }
}
