import { type Kysely, sql } from "kysely";
import type { Output, Parsed } from "#contract/endpoint.ts";
import { toUsd } from "#contract/money.ts";
import type {
  CreateWorkspaceBody,
  listWorkspaces,
  UpdateWorkspaceBody,
  WorkspaceRecord,
} from "#contract/workspaces.ts";
import type { Tables } from "../storage/tables.ts";
import { recordChange } from "./audit.ts";
import type { Context } from "./context.ts";
import { currentSpend, spendOfRow } from "./limits.ts";
import { refuseUnlessManagement } from "./permission.ts";
import { Refusal } from "./refusal.ts";
import { findWorkspace, insertWorkspace, noSuchWorkspace, type WorkspaceRow } from "./workspace-row.ts";

type List = typeof listWorkspaces;
type One = Promise<{ data: WorkspaceRecord }>;

const pageSize = 50;
/** Counting a workspace's active keys stops here: a million of them are not counted for a table. */
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
  const { total } = await db
    .selectFrom("workspaces")
    .select(({ fn }) => fn.countAll<bigint>().as("total"))
    .where("deleted_at", "is", null)
    .executeTakeFirstOrThrow();
  return { data: await records(ctx, rows), total_count: Number(total) };
}

/** @param reference id or slug */
export async function get(ctx: Context, reference: string): One {
  refuseUnlessManagement(ctx);
  return await one(ctx, await findWorkspace(ctx.store.db, reference));
}

export async function create(ctx: Context, body: CreateWorkspaceBody): One {
  refuseUnlessManagement(ctx);
  const row = await uniqueSlug(body.slug, () =>
    ctx.store.db.transaction().execute(async (trx) => {
      const row = await insertWorkspace(trx, { ...body, isDefault: false, createdBy: ctx.actor.name }, ctx.now());
      await recordChange(trx, ctx, {
        action: "createWorkspace",
        target: target(row),
        before: null,
        after: members(row),
      });
      return row;
    }),
  );
  return await one(ctx, row);
}

export async function update(ctx: Context, reference: string, body: UpdateWorkspaceBody): One {
  refuseUnlessManagement(ctx);
  const row = await uniqueSlug(body.slug ?? "", () =>
    ctx.store.db.transaction().execute(async (trx) => {
      const before = await findWorkspace(trx, reference);
      const next = { ...before, ...given(body) };
      if (JSON.stringify(members(next)) === JSON.stringify(members(before))) return before;
      const after = await trx
        .updateTable("workspaces")
        .set({ name: next.name, slug: next.slug, ...settings(next), updated_at: ctx.now() })
        .where("id", "=", before.id)
        .returningAll()
        .executeTakeFirstOrThrow();
      const change = { before: members(before), after: members(after) };
      await recordChange(trx, ctx, { action: "updateWorkspace", target: target(after), ...change });
      return after;
    }),
  );
  await ctx.accounts.changed(ctx);
  return await one(ctx, row);
}

export async function remove(ctx: Context, reference: string): Promise<{ deleted: true }> {
  refuseUnlessManagement(ctx);
  await ctx.store.db.transaction().execute(async (trx) => {
    const { id } = await findWorkspace(trx, reference);
    // Keys are made under a share lock of this row, so none can slip in between the count and the deletion.
    const row = await trx
      .selectFrom("workspaces")
      .selectAll()
      .where("id", "=", id)
      .forUpdate()
      .executeTakeFirstOrThrow();
    if (row.deleted_at !== null) throw noSuchWorkspace();
    if (row.is_default) throw new Refusal("permission_denied", "The default workspace cannot be deleted");
    const active = (await countActiveKeys(trx, [id], ctx.now())).get(id) ?? 0;
    if (active > 0) {
      const message = `This workspace has ${active >= mostCounted ? `${mostCounted} or more` : active} active API keys: delete or disable them first`;
      throw new Refusal("invalid_request", message, { active_keys: active });
    }
    await trx.updateTable("workspaces").set({ deleted_at: ctx.now() }).where("id", "=", id).execute();
    await recordChange(trx, ctx, { action: "deleteWorkspace", target: target(row), before: members(row), after: null });
  });
  return { deleted: true };
}

async function one(ctx: Context, row: WorkspaceRow): One {
  const [data] = await records(ctx, [row]);
  if (data === undefined) throw noSuchWorkspace();
  return { data };
}

async function records(ctx: Context, rows: WorkspaceRow[]): Promise<WorkspaceRecord[]> {
  if (rows.length === 0) return [];
  const ids = rows.map((row) => row.id);
  const now = ctx.now();
  const active = await countActiveKeys(ctx.store.db, ids, now);
  // The ledger counts a workspace's spending under the workspace's own id.
  const spends = await ctx.store.db.selectFrom("spends").selectAll().where("id", "in", ids).execute();
  const spent = new Map(spends.map((row) => [row.id, currentSpend(spendOfRow(row), now)] as const));
  return rows.map((row) => ({
    id: row.id,
    slug: row.slug,
    name: row.name,
    ...settings(row),
    created_at: row.created_at.toISOString(),
    created_by: row.created_by,
    updated_at: row.updated_at?.toISOString() ?? null,
    default_guardrail_id: row.default_guardrail_id,
    include_byok_in_budgets: row.include_byok_in_budgets,
    is_default: row.is_default,
    active_keys: active.get(row.id) ?? 0,
    usage_monthly: toUsd(spent.get(row.id)?.month ?? 0n),
  }));
}

async function countActiveKeys(db: Kysely<Tables>, ids: string[], now: Date): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; active: bigint }>`
    select w.id, counted.active
    from unnest(${ids}::uuid[]) as w (id)
    cross join lateral (
      select count(*) as active from (
        select 1 from api_keys
        where workspace_id = w.id and kind = 'ordinary' and purpose is null and deleted_at is null
          and not disabled and (expires_at is null or expires_at > ${now})
        limit ${mostCounted}
      ) as found
    ) as counted`.execute(db);
  return new Map(rows.map((row) => [row.id, Number(row.active)] as const));
}

/** The members that a caller sets. */
function settings(row: WorkspaceRow) {
  return {
    description: row.description,
    default_image_model: row.default_image_model,
    default_provider_sort: row.default_provider_sort,
    default_text_model: row.default_text_model,
    io_logging_api_key_ids: row.io_logging_api_key_ids,
    io_logging_sampling_rate: row.io_logging_sampling_rate,
    is_data_discount_logging_enabled: row.is_data_discount_logging_enabled,
    is_observability_broadcast_enabled: row.is_observability_broadcast_enabled,
    is_observability_io_logging_enabled: row.is_observability_io_logging_enabled,
    requests_per_minute: row.requests_per_minute,
    tokens_per_minute: row.tokens_per_minute,
  };
}

function members(row: WorkspaceRow): Record<string, unknown> {
  return { name: row.name, slug: row.slug, ...settings(row) };
}

/** The members that are there; an absent one keeps its value. */
function given(body: UpdateWorkspaceBody): Partial<WorkspaceRow> {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
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
