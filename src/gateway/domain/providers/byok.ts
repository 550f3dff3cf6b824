import { randomUUID } from "node:crypto";
import { type Selectable, sql, type Transaction } from "kysely";
import type { EndpointName } from "#contract/api.ts";
import {
  type ByokRecord,
  type CreateByokBody,
  type UpdateByokBody,
  type listByokKeys,
  mostByokAllowedKeys,
} from "#contract/byok.ts";
import type { Output, Parsed } from "#contract/endpoint.ts";
import type { ByokKeysTable } from "../../storage/provider-tables.ts";
import type { Tables } from "../../storage/tables.ts";
import { recordChange } from "../audit.ts";
import { byokAad } from "../secrets/aad.ts";
import type { Context } from "../context.ts";
import * as idempotency from "../idempotency.ts";
import { isMask, maskSecret } from "../secrets/mask.ts";
import { type Follow, withSuccessor } from "../keys/rotation.ts";
import { given, patched, pick } from "../patch.ts";
import { refuseUnlessManagement } from "../permission.ts";
import { openSecret } from "../routing/catalog-read.ts";
import { originOf } from "../routing/provider-address.ts";
import { invalid, notFound } from "../refusal.ts";
import { requireWorkspace } from "../workspaces/row.ts";
import { countOf } from "../count-of.ts";
import { keepUserIds } from "../user-id.ts";

type Row = Selectable<ByokKeysTable>;

/**
 * A provider key's settings apart from the key itself, each with its default. Creation, PATCH, record and audit row are
 * derived from this table.
 */
const byokDefaults: Pick<Row, keyof UpdateByokBody & keyof Row> = {
  name: null,
  disabled: false,
  is_fallback: false,
  sort_order: 0,
  allowed_models: null,
  allowed_user_ids: null,
  allowed_api_key_hashes: null,
};

type List = typeof listByokKeys;

/**
 * Adds a workspace's own key at a provider; it is sealed before it is stored and never shown again.
 * @param idempotencyKey the Idempotency-Key header; a repeat with it makes no second one, and answers the first
 */
export async function create(
  ctx: Context,
  body: CreateByokBody,
  idempotencyKey: string | null = null,
): Promise<ByokRecord> {
  refuseUnlessManagement(ctx);
  const id = randomUUID();
  const { key, provider, workspace_id, ...settings } = body;
  const once: idempotency.Once = { key: idempotencyKey, endpoint: "createByokKey", request: body, targetId: id };
  const row = await ctx.store.db.transaction().execute(async (trx) => {
    const first = await idempotency.claim(trx, ctx, once);
    if (first !== null) return first;
    const workspace = await requireWorkspace(trx, workspace_id ?? null);
    const origin = await originOfProvider(trx, provider);
    await requireKeys(trx, workspace.id, settings.allowed_api_key_hashes ?? null);
    const last = await trx
      .selectFrom("byok_keys")
      .select(({ fn }) => fn.max("sort_order").as("order"))
      .where("workspace_id", "=", workspace.id)
      .where("provider", "=", provider)
      .executeTakeFirst();
    const made: Row = {
      ...byokDefaults,
      ...given(settings),
      ...(await keptUsers(trx, settings)),
      ...sealed(ctx, id, key, null),
      id,
      workspace_id: workspace.id,
      provider,
      origin,
      sort_order: last?.order == null ? 0 : last.order + 1,
      created_at: ctx.now(),
      updated_at: null,
      deleted_at: null,
    };
    await trx.insertInto("byok_keys").values(made).execute();
    await record(trx, ctx, "createByokKey", { before: null, after: made });
    return made;
  });
  if (typeof row === "string") return await idempotency.repeated(() => get(ctx, row));
  await ctx.catalog.changed(ctx);
  return toRecord(row);
}

export async function list(ctx: Context, query: Parsed<List>["query"]): Promise<Output<List>> {
  refuseUnlessManagement(ctx);
  let rows = ctx.store.db.selectFrom("byok_keys").where("deleted_at", "is", null);
  if (query.workspace_id !== undefined) rows = rows.where("workspace_id", "=", query.workspace_id);
  if (query.provider !== undefined) rows = rows.where("provider", "=", query.provider);
  const total = await countOf(rows);
  const found = await rows
    .selectAll()
    .orderBy("provider")
    .orderBy("sort_order")
    .orderBy("id")
    .offset(query.offset ?? 0)
    .limit(query.limit ?? 50)
    .execute();
  return { data: found.map(toRecord), total_count: total };
}

export async function get(ctx: Context, id: string): Promise<ByokRecord> {
  refuseUnlessManagement(ctx);
  return toRecord(await ctx.store.db.transaction().execute((trx) => lockByokKey(trx, id)));
}

/** The users of a body as keys name them. */
async function keptUsers(
  trx: Transaction<Tables>,
  { allowed_user_ids: ids }: Pick<UpdateByokBody, "allowed_user_ids">,
) {
  return ids == null ? {} : { allowed_user_ids: [...new Set(await keepUserIds(trx, ids))] };
}

/** Changes what is given. A new `key` is sealed and replaces the old one, which is gone then; a masked one keeps it. */
export async function update(ctx: Context, id: string, body: UpdateByokBody): Promise<ByokRecord> {
  refuseUnlessManagement(ctx);
  const { key, ...settings } = body;
  const { row, changed } = await ctx.store.db.transaction().execute(async (trx) => {
    const before = await lockByokKey(trx, id);
    // Hashes that were in the list before are accepted: their keys may have been deleted since.
    const listed = new Set(before.allowed_api_key_hashes);
    await requireKeys(trx, before.workspace_id, settings.allowed_api_key_hashes ?? null, listed);
    const isNewKey = key !== undefined && !isMask(key);
    if (settings.disabled === false && !isNewKey) await refuseStrayed(trx, before);
    const secret = isNewKey && {
      ...sealed(ctx, id, key, before.secret),
      origin: await originOfProvider(trx, before.provider),
    };
    const next = patched(before, { ...settings, ...(await keptUsers(trx, settings)), ...secret });
    if (next === before) return { row: before, changed: false };
    const { id: _, ...row } = { ...next, updated_at: ctx.now() };
    await trx.updateTable("byok_keys").set(row).where("id", "=", id).execute();
    await record(trx, ctx, "updateByokKey", { before, after: next });
    return { row: next, changed: true };
  });
  if (changed) await ctx.catalog.changed(ctx);
  return toRecord(row);
}

/**
 * Disables the keys of a provider that has moved or was deleted: moving a provider must not redirect other people's
 * keys. Call it within the change's transaction.
 * @param origin the provider's new origin; null: it has none
 */
export async function disableStrayed(
  trx: Transaction<Tables>,
  ctx: Context,
  provider: string,
  origin: string | null,
): Promise<void> {
  const rows = await trx
    .selectFrom("byok_keys")
    .selectAll()
    .where("provider", "=", provider)
    .where("deleted_at", "is", null)
    .where("disabled", "=", false)
    .forUpdate()
    .execute();
  for (const row of rows) {
    if (origin !== null && row.origin === origin) continue;
    const after = { ...row, disabled: true, updated_at: ctx.now() };
    await trx
      .updateTable("byok_keys")
      .set({ disabled: true, updated_at: after.updated_at })
      .where("id", "=", row.id)
      .execute();
    await record(trx, ctx, "updateByokKey", { before: row, after });
  }
}

/** Where a provider key is for certain keys only, the successor of one of them may use it too. */
export const allowSuccessor: Follow = async (trx, ctx, succession) => {
  const rows = await trx
    .selectFrom("byok_keys")
    .selectAll()
    .where(sql<boolean>`${succession.hash} = any(allowed_api_key_hashes)`)
    .where("deleted_at", "is", null)
    .orderBy("id")
    .forUpdate()
    .execute();
  for (const row of rows) {
    const hashes = await withSuccessor(trx, row.allowed_api_key_hashes ?? [], succession, {
      most: mostByokAllowedKeys,
      now: ctx.now(),
    });
    const after = { ...row, allowed_api_key_hashes: hashes, updated_at: ctx.now() };
    const { id, ...columns } = after;
    await trx.updateTable("byok_keys").set(columns).where("id", "=", id).execute();
    await record(trx, ctx, "updateByokKey", { before: row, after });
  }
  return rows.length === 0 ? null : () => ctx.catalog.changed(ctx);
};

/** The row stays, because the ledger refers to it; the secret does not. */
export async function remove(ctx: Context, id: string): Promise<{ deleted: true }> {
  refuseUnlessManagement(ctx);
  await ctx.store.db.transaction().execute(async (trx) => {
    const before = await lockByokKey(trx, id);
    await trx.updateTable("byok_keys").set({ deleted_at: ctx.now(), secret: null }).where("id", "=", id).execute();
    await record(trx, ctx, "deleteByokKey", { before, after: null });
  });
  await ctx.catalog.changed(ctx);
  return { deleted: true };
}

/** A key that is not deleted, locked until the transaction ends. @throws Refusal when there is none */
export async function lockByokKey(trx: Transaction<Tables>, id: string): Promise<Row> {
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

/** @param stored reused where it holds the same key */
function sealed(ctx: Context, id: string, key: string, stored: string | null): Pick<Row, "secret" | "label"> {
  if (isMask(key)) throw invalid("key", "is a masked value, not the key: send the key itself");
  const same = stored !== null && openSecret(ctx, stored, byokAad(id)).text === key;
  return { secret: same ? stored : ctx.secrets.seal(key, byokAad(id)), label: maskSecret(key) };
}

/** Where a provider's own keys are sent. @throws Refusal when it takes none */
async function originOfProvider(trx: Transaction<Tables>, slug: string): Promise<string | null> {
  const row = await trx
    .selectFrom("providers")
    .select(["kind", "base_url"])
    .where("slug", "=", slug)
    .executeTakeFirst();
  if (!row) throw invalid("provider", `must be the slug of a provider that exists here; ${slug} is none`);
  if (row.kind === "builtin") throw invalid("provider", "must not be the built-in provider, which takes no keys");
  return originOf(row.base_url);
}

/** A key is sent to no other host than the one it was entered for. */
export async function refuseStrayed(trx: Transaction<Tables>, { provider, origin }: Row): Promise<void> {
  const now = await originOfProvider(trx, provider);
  if (origin === now && now !== null) return;
  throw invalid(
    "key",
    `has to be sent again: it was given for ${origin ?? "another address"}, and ${provider} is at ${now}`,
  );
}

async function requireKeys(
  trx: Transaction<Tables>,
  workspaceId: string,
  hashes: readonly string[] | null,
  listed: ReadonlySet<string> = new Set(),
): Promise<void> {
  if (hashes === null) return;
  const rows = await trx
    .selectFrom("api_keys")
    .select("hash")
    .where("hash", "in", hashes)
    .where("workspace_id", "=", workspaceId)
    .where("deleted_at", "is", null)
    .execute();
  const known = new Set([...listed, ...rows.map(({ hash }) => hash)]);
  const index = hashes.findIndex((hash) => !known.has(hash));
  if (index !== -1) throw invalid(`allowed_api_key_hashes.${index}`, "must be the hash of a key of the same workspace");
}

function toRecord(row: Row): ByokRecord {
  return {
    ...pick(row, byokDefaults),
    id: row.id,
    provider: row.provider,
    label: row.label,
    origin: row.origin,
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
  action: EndpointName,
  { before, after }: { before: Row | null; after: Row | null },
): Promise<void> {
  const row = after ?? before;
  if (!row) return;
  const replaced = before !== null && after !== null && before.secret !== after.secret;
  await recordChange(trx, ctx, {
    action,
    target: { type: "byok_key", id: row.id, name: row.name ?? row.label, workspaceId: row.workspace_id },
    before: before && toRecord(before),
    // A new key may have the same mask as the old one; the change is recorded all the same.
    after: after && { ...toRecord(after), ...(replaced ? { key: "changed" } : {}) },
  });
}
