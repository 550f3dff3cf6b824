import { randomUUID } from "node:crypto";
import type { Selectable, Transaction } from "kysely";
import type { ByokRecord, CreateByokBody, UpdateByokBody, listByokKeys } from "#contract/byok.ts";
import type { Output, Parsed } from "#contract/endpoint.ts";
import type { ByokKeysTable } from "../storage/provider-tables.ts";
import type { Tables } from "../storage/tables.ts";
import { recordChange } from "./audit.ts";
import { byokPlace } from "./catalog-read.ts";
import type { Context } from "./context.ts";
import { maskSecret } from "./destination-config.ts";
import { refuseUnlessManagement } from "./permission.ts";
import { invalid, notFound } from "./refusal.ts";
import { requireWorkspace } from "./workspace-row.ts";

type Row = Selectable<ByokKeysTable>;
type List = typeof listByokKeys;

/** Adds a workspace's own key at a provider; it is sealed before it is stored and never shown again. */
export async function create(ctx: Context, body: CreateByokBody): Promise<ByokRecord> {
  refuseUnlessManagement(ctx);
  const id = randomUUID();
  const row = await ctx.store.db.transaction().execute(async (trx) => {
    const workspace = await requireWorkspace(trx, body.workspace_id ?? null);
    await requireProvider(trx, body.provider);
    await requireKeys(trx, workspace.id, body.allowed_api_key_hashes ?? null);
    const last = await trx
      .selectFrom("byok_keys")
      .select(({ fn }) => fn.max("sort_order").as("order"))
      .where("workspace_id", "=", workspace.id)
      .where("provider", "=", body.provider)
      .executeTakeFirst();
    const made: Row = {
      id,
      workspace_id: workspace.id,
      provider: body.provider,
      name: body.name ?? null,
      secret: ctx.secrets.seal(body.key, byokPlace(id)),
      label: maskSecret(body.key),
      disabled: body.disabled ?? false,
      is_fallback: body.is_fallback ?? false,
      sort_order: last?.order == null ? 0 : last.order + 1,
      allowed_models: body.allowed_models ?? null,
      allowed_user_ids: body.allowed_user_ids ?? null,
      allowed_api_key_hashes: body.allowed_api_key_hashes ?? null,
      created_at: ctx.now(),
      updated_at: null,
      deleted_at: null,
    };
    await trx.insertInto("byok_keys").values(made).execute();
    await record(trx, ctx, "createBYOKKey", null, made);
    return made;
  });
  await ctx.catalog.changed(ctx);
  return toRecord(row);
}

export async function list(ctx: Context, query: Parsed<List>["query"]): Promise<Output<List>> {
  refuseUnlessManagement(ctx);
  let rows = ctx.store.db.selectFrom("byok_keys").where("deleted_at", "is", null);
  if (query.workspace_id !== undefined) rows = rows.where("workspace_id", "=", query.workspace_id);
  if (query.provider !== undefined) rows = rows.where("provider", "=", query.provider);
  const { total } = await rows.select(({ fn }) => fn.countAll<string | bigint>().as("total")).executeTakeFirstOrThrow();
  const found = await rows
    .selectAll()
    .orderBy("provider")
    .orderBy("sort_order")
    .orderBy("id")
    .offset(query.offset ?? 0)
    .limit(query.limit ?? 50)
    .execute();
  return { data: found.map(toRecord), total_count: Number(total) };
}

export async function get(ctx: Context, id: string): Promise<ByokRecord> {
  refuseUnlessManagement(ctx);
  return toRecord(await ctx.store.db.transaction().execute((trx) => lock(trx, id)));
}

/** Changes what is given. A new `key` is sealed in the place of the old one, which is gone then. */
export async function update(ctx: Context, id: string, body: UpdateByokBody): Promise<ByokRecord> {
  refuseUnlessManagement(ctx);
  const row = await ctx.store.db.transaction().execute(async (trx) => {
    const before = await lock(trx, id);
    if (body.allowed_api_key_hashes) await requireKeys(trx, before.workspace_id, body.allowed_api_key_hashes);
    const secret =
      body.key === undefined ? {} : { secret: ctx.secrets.seal(body.key, byokPlace(id)), label: maskSecret(body.key) };
    const keep = <T>(given: T | undefined, kept: T): T => (given === undefined ? kept : given);
    const after: Row = {
      ...before,
      ...secret,
      name: keep(body.name, before.name),
      disabled: keep(body.disabled, before.disabled),
      is_fallback: keep(body.is_fallback, before.is_fallback),
      sort_order: keep(body.sort_order, before.sort_order),
      allowed_models: keep(body.allowed_models, before.allowed_models),
      allowed_user_ids: keep(body.allowed_user_ids, before.allowed_user_ids),
      allowed_api_key_hashes: keep(body.allowed_api_key_hashes, before.allowed_api_key_hashes),
      updated_at: ctx.now(),
    };
    const { id: _, ...set } = after;
    await trx.updateTable("byok_keys").set(set).where("id", "=", id).execute();
    await record(trx, ctx, "updateBYOKKey", before, after);
    return after;
  });
  await ctx.catalog.changed(ctx);
  return toRecord(row);
}

/** The row stays, for the ledger refers to it; the secret does not. */
export async function remove(ctx: Context, id: string): Promise<{ deleted: true }> {
  refuseUnlessManagement(ctx);
  await ctx.store.db.transaction().execute(async (trx) => {
    const before = await lock(trx, id);
    await trx.updateTable("byok_keys").set({ deleted_at: ctx.now(), secret: null }).where("id", "=", id).execute();
    await record(trx, ctx, "deleteBYOKKey", before, null);
  });
  await ctx.catalog.changed(ctx);
  return { deleted: true };
}

async function lock(trx: Transaction<Tables>, id: string): Promise<Row> {
  const row = await trx
    .selectFrom("byok_keys")
    .selectAll()
    .where("id", "=", id)
    .where("deleted_at", "is", null)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw notFound("There is no provider key with this id");
  return row;
}

async function requireProvider(trx: Transaction<Tables>, slug: string): Promise<void> {
  const row = await trx.selectFrom("providers").select("kind").where("slug", "=", slug).executeTakeFirst();
  if (!row) throw invalid("provider", `must be the slug of a provider that exists here; ${slug} is none`);
  if (row.kind === "builtin") throw invalid("provider", "must not be the built-in provider, which takes no keys");
}

async function requireKeys(
  trx: Transaction<Tables>,
  workspaceId: string,
  hashes: readonly string[] | null,
): Promise<void> {
  if (hashes === null) return;
  const rows = await trx
    .selectFrom("api_keys")
    .select("hash")
    .where("hash", "in", hashes)
    .where("workspace_id", "=", workspaceId)
    .where("deleted_at", "is", null)
    .execute();
  const known = new Set(rows.map(({ hash }) => hash));
  const index = hashes.findIndex((hash) => !known.has(hash));
  if (index !== -1) throw invalid(`allowed_api_key_hashes.${index}`, "must be the hash of a key of the same workspace");
}

function toRecord(row: Row): ByokRecord {
  return {
    id: row.id,
    provider: row.provider,
    name: row.name,
    label: row.label,
    disabled: row.disabled,
    is_fallback: row.is_fallback,
    sort_order: row.sort_order,
    allowed_models: row.allowed_models,
    allowed_user_ids: row.allowed_user_ids,
    allowed_api_key_hashes: row.allowed_api_key_hashes,
    created_at: row.created_at.toISOString(),
    workspace_id: row.workspace_id,
    declared_zdr: null,
    is_byok_only: false,
    is_required: false,
  };
}

async function record(
  trx: Transaction<Tables>,
  ctx: Context,
  action: string,
  before: Row | null,
  after: Row | null,
): Promise<void> {
  const row = after ?? before;
  if (!row) return;
  const replaced = before !== null && after !== null && before.secret !== after.secret;
  await recordChange(trx, ctx, {
    action,
    target: { type: "byok_key", id: row.id, name: row.name ?? row.label, workspaceId: row.workspace_id },
    before: before && toRecord(before),
    // A new key may have the mask of the old one; that it changed is said all the same.
    after: after && { ...toRecord(after), ...(replaced ? { key: "changed" } : {}) },
  });
}
