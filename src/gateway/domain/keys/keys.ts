import {
  type CreateKeyBody,
  type CurrentKey,
  type KeyIdentity,
  type KeyRecord,
  mostIdentified,
  type UpdateKeyBody,
} from "#contract/keys.ts";
import type { Context } from "../context.ts";
import * as idempotency from "../idempotency.ts";
import { noSuchKey, recordCreation, recordDeletion, recordUpdate } from "./changes.ts";
import { find, repeatedCreation } from "./find.ts";
import { generateKey, hashKey } from "./format.ts";
import { endMadeKeys, madeKeysOf, withSpentMaker } from "./made-keys.ts";
import { moveKey, nowhere } from "./move.ts";
import { currentKeyRecord, keyRecord, enforcedLimits, type KeyRow } from "./record.ts";
import { forgetKey } from "../guardrails/assignments.ts";
import { derivedColumns, insertKey, lockKey } from "./row.ts";
import { keyDefaults, settingsVersion, storedSettings } from "./settings.ts";
import { afterRecall, recallLeases } from "../ledger/lease-recall.ts";
import { noSpend } from "../ledger/limits.ts";
import { given, patched, pick } from "../patch.ts";
import { refuseUnlessManagement } from "../permission.ts";
import { Refusal } from "../refusal.ts";
import { refuseStale, type Versioned } from "../version.ts";
import { keepUserId } from "../user-id.ts";
import { requireLivingWorkspace, requireWorkspace } from "../workspaces/row.ts";
import { isEndedByDirectory, keyOfDeactivated, refuseInactiveCreator } from "./creator.ts";

export { count, list } from "./list.ts";
export { rotate } from "./rotation.ts";

/**
 * Creates an ordinary key.
 *
 * @param idempotencyKey the Idempotency-Key header; a repeat with it creates nothing and is refused with 409, whose
 * metadata holds the record of the first as `data`
 * @returns the record, and the plaintext, which is available only here
 */
export async function create(
  ctx: Context,
  body: CreateKeyBody,
  idempotencyKey: string | null = null,
): Promise<{ data: KeyRecord; key: string }> {
  refuseUnlessManagement(ctx);
  const now = ctx.now();
  const { workspace_id, creator_user_id, external, ...sent } = body;
  const settings = { ...storedSettings(sent, now), name: body.name };
  const plaintext = generateKey("ordinary");
  const targetId = hashKey(plaintext);
  const once: idempotency.Once = { key: idempotencyKey, endpoint: "createKey", request: body, targetId };
  const made = await ctx.store.db.transaction().execute(async (trx) => {
    const first = await idempotency.claim(trx, ctx, once);
    if (first !== null) return first;
    const workspace = await requireWorkspace(trx, workspace_id ?? null);
    const creatorUserId = await keepUserId(trx, creator_user_id ?? null);
    await refuseInactiveCreator(trx, creatorUserId, { isFirst: true });
    const row = await insertKey(
      trx,
      {
        plaintext,
        workspaceId: workspace.id,
        creatorUserId,
        externalUser: external?.user ?? null,
        createdBy: ctx.actor.name,
        settings,
      },
      now,
    );
    await recordCreation(trx, ctx, "createKey", row);
    return row;
  });
  if (typeof made === "string") throw await repeatedCreation(ctx, made);
  return { data: keyRecord(made, { spend: noSpend(now) }, now), key: plaintext };
}

export async function get(ctx: Context, hash: string): Promise<Versioned<KeyRecord>> {
  refuseUnlessManagement(ctx);
  const found = await find(ctx, hash);
  if (found === null) throw noSuchKey();
  return { data: keyRecord(found.row, found, ctx.now()), version: settingsVersion(found.row) };
}

/**
 * Changes what is given; members that are absent keep their value, `null` clears. With a workspace the key moves there.
 *
 * @param ifVersions the versions that the caller accepts; null for any
 * @throws Refusal conflict when the settings have another version, a key of a deactivated person would be enabled, or the
 * key cannot move ({@link moveKey}); nothing is changed then
 */
export async function update(
  ctx: Context,
  hash: string,
  body: UpdateKeyBody,
  ifVersions: readonly string[] | null = null,
): Promise<Versioned<KeyRecord>> {
  refuseUnlessManagement(ctx);
  const now = ctx.now();
  const { workspace_id: target, ...sent } = body;
  const { row, known, changed, moved } = await ctx.store.db.transaction().execute(async (trx) => {
    const isEnded = body.disabled === false && (await isEndedByDirectory(trx, hash));
    const found = await lockKey(trx, hash);
    if (found === null) throw noSuchKey();
    const { key: before, ...known } = found;
    refuseStale("key", ifVersions, { version: settingsVersion(before), updatedAt: before.updated_at });
    const next = patched(before, given({ ...storedSettings(sent, now), workspace_id: target }));
    if (next === before) return { row: before, known, changed: false, moved: nowhere };
    if (isEnded && before.disabled) throw keyOfDeactivated();
    if (works(next, now) && !works(before, now)) await requireLivingWorkspace(trx, next.workspace_id, "key");
    const moved = target === undefined ? nowhere : await moveKey(trx, ctx, before, target);
    const row = await trx
      .updateTable("api_keys")
      .set({
        ...pick(next, keyDefaults),
        workspace_id: next.workspace_id,
        ...derivedColumns(next, known.spend, now),
        updated_at: now,
      })
      .where("hash", "=", hash)
      .returningAll()
      .executeTakeFirstOrThrow();
    await recordUpdate(trx, ctx, "updateKey", { before, after: row });
    await endMadeKeys(trx, ctx, "updateKey", row);
    await recallLeases(trx, ctx.store, { spendId: row.spend_id, limits: enforcedLimits(row) }, now);
    return { row, known, changed: true, moved };
  });
  const made = (await madeKeysOf(ctx.store, [hash])).get(hash) ?? [];
  if (changed) {
    // The limits and rates of this key bind those that it had made.
    await ctx.credentials.invalidate(ctx, hash, ...made.map((key) => key.hash));
    if (moved.leftGuardrail) await ctx.guardrails.changed(ctx);
    await afterRecall(ctx.store, row.spend_id);
  }
  const makerIsSpent = (await withSpentMaker(ctx.store, [row], now)).has(hash);
  return { data: keyRecord(row, { ...known, made, makerIsSpent }, now), version: settingsVersion(row) };
}

/** The same keys that block deleting a workspace: those that are neither disabled nor expired. */
function works({ disabled, expires_at }: KeyRow, now: Date): boolean {
  return !disabled && (expires_at === null || expires_at > now);
}

/**
 * Deletes a key permanently. What it spent stays on the ledger; keys that it had made are disabled.
 *
 * @param ifVersions as for a change
 */
export async function remove(
  ctx: Context,
  hash: string,
  ifVersions: readonly string[] | null = null,
): Promise<{ deleted: true }> {
  refuseUnlessManagement(ctx);
  const ended = await ctx.store.db.transaction().execute(async (trx) => {
    const found = await lockKey(trx, hash);
    if (found === null) throw noSuchKey();
    refuseStale("key", ifVersions, { version: settingsVersion(found.key), updatedAt: found.key.updated_at });
    await trx.updateTable("api_keys").set({ deleted_at: ctx.now() }).where("hash", "=", hash).execute();
    await forgetKey(trx, hash);
    await recordDeletion(trx, ctx, "deleteKey", found.key);
    return await endMadeKeys(trx, ctx, "deleteKey", { ...found.key, disabled: true });
  });
  await ctx.credentials.invalidate(ctx, hash, ...ended);
  return { deleted: true };
}

/** The keys that match hashes or a masked label: either kind, including deleted ones. */
export async function identify(
  ctx: Context,
  { hash, label }: { hash?: string | undefined; label?: string | undefined },
): Promise<{ data: KeyIdentity[] }> {
  refuseUnlessManagement(ctx);
  let query = ctx.store.db
    .selectFrom("api_keys")
    .select(["hash", "kind", "name", "label", "workspace_id", "disabled", "expires_at", "last_used_at", "deleted_at"])
    .orderBy("created_at", "desc")
    .limit(mostIdentified);
  if (hash !== undefined) query = query.where("hash", "in", hash.split(","));
  if (label !== undefined) query = query.where("label", "=", label);
  const rows = await query.execute();
  return {
    data: rows.map((row) => ({
      ...row,
      expires_at: row.expires_at?.toISOString() ?? null,
      last_used_at: row.last_used_at?.toISOString() ?? null,
      deleted_at: row.deleted_at?.toISOString() ?? null,
    })),
  };
}

/** The key that makes the call, of either kind; a console session has that of the management key behind it. */
export async function current(ctx: Context): Promise<{ data: CurrentKey }> {
  if (ctx.actor.kind === "system") throw new Refusal("authentication", "This call was made without a key");
  const found = await find(ctx, ctx.actor.keyHash, "any");
  if (found === null) throw new Refusal("authentication", "This API key was deleted");
  return { data: currentKeyRecord(found.row, found.spend, ctx.now()) };
}
