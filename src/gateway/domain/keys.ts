import type { CreateKeyBody, CurrentKey, KeyRecord, UpdateKeyBody } from "#contract/keys.ts";
import { toNanoUsd } from "#contract/money.ts";
import type { Context } from "./context.ts";
import * as idempotency from "./idempotency.ts";
import { noSuchKey, recordCreation, recordDeletion, recordUpdate } from "./key-changes.ts";
import { generateKey, hashKey } from "./key-format.ts";
import { auditedMembers, currentKeyRecord, keyRecord, type KeyRow, limitSettings } from "./key-record.ts";
import { insertKey, lockKey, spentOutUntil } from "./key-row.ts";
import { foldForSearch } from "./key-search.ts";
import { noSpend, spendOfRow } from "./limits.ts";
import { refuseUnlessManagement } from "./permission.ts";
import { invalid, Refusal } from "./refusal.ts";
import { requireLivingWorkspace, requireWorkspace } from "./workspace-row.ts";

export { count, list } from "./key-list.ts";
export { rotate } from "./key-rotation.ts";
export { usage } from "./key-usage.ts";

/**
 * Makes an ordinary key.
 *
 * @param idempotencyKey the Idempotency-Key header; a repeat with it makes nothing and is refused with 409, whose
 * metadata holds the record of the first as `data`
 * @returns the record, and the plaintext for the only time
 */
export async function create(
  ctx: Context,
  body: CreateKeyBody,
  idempotencyKey: string | null = null,
): Promise<{ data: KeyRecord; key: string }> {
  refuseUnlessManagement(ctx);
  const now = ctx.now();
  const expiresAt = futureInstant(body.expires_at ?? null, now);
  const plaintext = generateKey("ordinary");
  const targetId = hashKey(plaintext);
  const once = { key: idempotencyKey, operation: "createKeys", request: body, targetId };
  const made = await ctx.store.db.transaction().execute(async (trx) => {
    const first = await idempotency.claim(trx, ctx, once);
    if (first !== null) return first;
    const workspace = await requireWorkspace(trx, body.workspace_id ?? null);
    const row = await insertKey(
      trx,
      {
        plaintext,
        name: body.name,
        workspaceId: workspace.id,
        creatorUserId: body.creator_user_id ?? null,
        createdBy: ctx.actor.name,
        expiresAt,
        limit: {
          limit: body.limit == null ? null : toNanoUsd(body.limit),
          reset: body.limit_reset ?? null,
          includeByok: body.include_byok_in_limit ?? false,
        },
        requestsPerMinute: body.requests_per_minute ?? null,
        tokensPerMinute: body.tokens_per_minute ?? null,
      },
      now,
    );
    await recordCreation(trx, ctx, "createKeys", row);
    return row;
  });
  if (typeof made === "string") throw await repeated(ctx, made);
  return { data: keyRecord(made, noSpend(now), now), key: plaintext };
}

async function repeated(ctx: Context, hash: string): Promise<Refusal> {
  const found = await find(ctx, hash);
  const message = "This Idempotency-Key was used before for the same request: no second key was made.";
  return new Refusal("conflict", `${message} The first one's plaintext cannot be shown again`, {
    data: found === null ? null : keyRecord(found.row, found.spend, ctx.now()),
  });
}

export async function get(ctx: Context, hash: string): Promise<{ data: KeyRecord }> {
  refuseUnlessManagement(ctx);
  const found = await find(ctx, hash);
  if (found === null) throw noSuchKey();
  return { data: keyRecord(found.row, found.spend, ctx.now()) };
}

/** Changes what is given; members that are absent keep their value, `null` clears. */
export async function update(ctx: Context, hash: string, body: UpdateKeyBody): Promise<{ data: KeyRecord }> {
  refuseUnlessManagement(ctx);
  const now = ctx.now();
  const changed = await ctx.store.db.transaction().execute(async (trx) => {
    const found = await lockKey(trx, hash);
    if (found === null) throw noSuchKey();
    const { key: before, spend } = found;
    const next = applied(body, before, now);
    if (JSON.stringify(auditedMembers(next)) === JSON.stringify(auditedMembers(before))) return { row: before, spend };
    if (works(next, now) && !works(before, now)) await requireLivingWorkspace(trx, before.workspace_id);
    const row = await trx
      .updateTable("api_keys")
      .set({
        name: next.name,
        disabled: next.disabled,
        limit_nano: next.limit_nano,
        limit_reset: next.limit_reset,
        include_byok_in_limit: next.include_byok_in_limit,
        expires_at: next.expires_at,
        requests_per_minute: next.requests_per_minute,
        tokens_per_minute: next.tokens_per_minute,
        search_text: foldForSearch(next.name, next.label),
        spent_out_until: spentOutUntil(limitSettings(next), spend, now),
        updated_at: now,
      })
      .where("hash", "=", hash)
      .returningAll()
      .executeTakeFirstOrThrow();
    await recordUpdate(trx, ctx, "updateKeys", before, row);
    return { row, spend };
  });
  await ctx.credentials.invalidate(ctx, hash);
  return { data: keyRecord(changed.row, changed.spend, now) };
}

/** The key as an update leaves it: members that are absent keep their value, `null` clears. */
function applied(body: UpdateKeyBody, before: KeyRow, now: Date): KeyRow {
  const { name, disabled, include_byok_in_limit, limit, expires_at, ...rest } = body;
  return {
    ...before,
    name: name ?? before.name,
    disabled: disabled ?? before.disabled,
    include_byok_in_limit: include_byok_in_limit ?? before.include_byok_in_limit,
    limit_nano: kept(limit === undefined || limit === null ? limit : toNanoUsd(limit), before.limit_nano),
    expires_at: kept(expires_at === undefined ? undefined : futureInstant(expires_at, now), before.expires_at),
    limit_reset: kept(rest.limit_reset, before.limit_reset),
    requests_per_minute: kept(rest.requests_per_minute, before.requests_per_minute),
    tokens_per_minute: kept(rest.tokens_per_minute, before.tokens_per_minute),
  };
}

/** As deleting a workspace counts its keys: those that are neither disabled nor expired. */
function works({ disabled, expires_at }: KeyRow, now: Date): boolean {
  return !disabled && (expires_at === null || expires_at > now);
}

function kept<T>(given: T | undefined, before: T): T {
  return given === undefined ? before : given;
}

/** Ends a key for good. What it spent stays on the ledger. */
export async function remove(ctx: Context, hash: string): Promise<{ deleted: true }> {
  refuseUnlessManagement(ctx);
  await ctx.store.db.transaction().execute(async (trx) => {
    const found = await lockKey(trx, hash);
    if (found === null) throw noSuchKey();
    await trx.updateTable("api_keys").set({ deleted_at: ctx.now() }).where("hash", "=", hash).execute();
    await recordDeletion(trx, ctx, "deleteKeys", found.key);
  });
  await ctx.credentials.invalidate(ctx, hash);
  return { deleted: true };
}

/** The key that makes the call, of either kind; a console session has that of the management key behind it. */
export async function current(ctx: Context): Promise<{ data: CurrentKey }> {
  if (ctx.actor.kind === "system") throw new Refusal("authentication", "This call was made without a key");
  const found = await find(ctx, ctx.actor.keyHash, "any");
  if (found === null) throw new Refusal("authentication", "This API key was deleted");
  return { data: currentKeyRecord(found.row, found.spend, ctx.now()) };
}

async function find(ctx: Context, hash: string, kind: "ordinary" | "any" = "ordinary") {
  let query = ctx.store.db.selectFrom("api_keys").selectAll().where("hash", "=", hash).where("deleted_at", "is", null);
  if (kind !== "any") query = query.where("kind", "=", kind);
  const row = await query.executeTakeFirst();
  if (row === undefined) return null;
  const spend = await ctx.store.db.selectFrom("spends").selectAll().where("id", "=", row.spend_id).executeTakeFirst();
  return { row, spend: spend === undefined ? noSpend(ctx.now()) : spendOfRow(spend) };
}

/** An instant that has to lie ahead; null stays null. */
function futureInstant(text: string | null, now: Date): Date | null {
  if (text === null) return null;
  const at = new Date(text);
  if (at <= now) throw invalid("expires_at", "must be in the future");
  return at;
}
