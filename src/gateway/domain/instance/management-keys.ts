import type { Selectable, Transaction } from "kysely";
import type { Parsed } from "#contract/endpoint.ts";
import {
  type CreateManagementKeyBody,
  type ManagementKeyRecord,
  mostManagementKeys,
  type rotateManagementKey,
  type UpdateManagementKeyBody,
} from "#contract/management-keys.ts";
import type { ApiKeysTable, Tables } from "../../storage/tables.ts";
import { recordChange } from "../audit.ts";
import type { Context, Deps } from "../context.ts";
import type { Credential } from "../keys/credentials.ts";
import { environmentKey } from "./environment-key.ts";
import * as idempotency from "../idempotency.ts";
import { generateKey, hashKey } from "../keys/format.ts";
import { derivedColumns, insertKey, insertSuccessor } from "../keys/row.ts";
import { keyDefaults, storedSettings } from "../keys/settings.ts";
import { noSpend } from "../ledger/limits.ts";
import { patched, pick } from "../patch.ts";
import { refuseUnlessManagement } from "../permission.ts";
import { notFound, Refusal } from "../refusal.ts";
import { refuseStale, type Versioned, versionOf } from "../version.ts";
import { countSessions, endSessions, moveSession } from "./sessions.ts";
import { countOf } from "../count-of.ts";

type Trx = Transaction<Tables>;
type Row = Selectable<ApiKeysTable>;

/** Every management key that is not deleted, newest first. */
export async function list(ctx: Context): Promise<{ data: ManagementKeyRecord[] }> {
  refuseUnlessManagement(ctx);
  const rows = await living(ctx.store.db)
    .orderBy("created_at", "desc")
    .orderBy("hash")
    .limit(mostManagementKeys)
    .execute();
  const read = await recordReader(ctx);
  return { data: rows.map(read) };
}

/** @throws Refusal 404: no such management key, or it was deleted */
export async function get(ctx: Context, hash: string): Promise<Versioned<ManagementKeyRecord>> {
  refuseUnlessManagement(ctx);
  const row = await living(ctx.store.db).where("hash", "=", hash).executeTakeFirst();
  if (row === undefined) throw noSuchKey();
  return { data: (await recordReader(ctx))(row), version: settingsVersion(row) };
}

const settingsVersion = (row: Row) => versionOf(members(row));

/**
 * Creates a management key.
 *
 * @param idempotencyKey the Idempotency-Key header; a repeat with it is refused with 409, whose metadata holds the
 * record of the first as `data`
 * @returns the record, and the plaintext, which is available only here
 */
export async function create(
  ctx: Context,
  body: CreateManagementKeyBody,
  idempotencyKey: string | null,
): Promise<{ data: ManagementKeyRecord; key: string }> {
  refuseUnlessManagement(ctx);
  const now = ctx.now();
  const settings = { ...storedSettings(body, now), name: body.name };
  const plaintext = generateKey("management");
  const once: idempotency.Once = {
    key: idempotencyKey,
    endpoint: "createManagementKey",
    request: body,
    targetId: hashKey(plaintext),
  };
  const made = await ctx.store.db.transaction().execute(async (trx) => {
    const first = await idempotency.claim(trx, ctx, once);
    if (first !== null) return first;
    await refuseTooMany(trx);
    const row = await insertKey(trx, { plaintext, workspaceId: null, createdBy: ctx.actor.name, settings }, now);
    await recordChange(trx, ctx, {
      action: "createManagementKey",
      target: target(row),
      before: null,
      after: members(row),
    });
    return row;
  });
  if (typeof made === "string") throw await repeatedCreation(ctx, made);
  const read = await recordReader(ctx);
  return { data: read(made), key: plaintext };
}

async function repeatedCreation(ctx: Context, hash: string): Promise<Refusal> {
  const read = await recordReader(ctx);
  const row = await living(ctx.store.db).where("hash", "=", hash).executeTakeFirst();
  return new Refusal(
    "conflict",
    "This Idempotency-Key was used before for the same request: no second key was created. The first one's plaintext cannot be shown again",
    { data: row === undefined ? null : read(row) },
  );
}

/**
 * Changes what is given. Disabling a key signs out its sessions.
 *
 * @param ifVersions the versions that the caller accepts; null for any
 * @throws Refusal 404; 409 where no working management key would remain, or the key has none of these versions
 */
export async function update(
  ctx: Context,
  hash: string,
  body: UpdateManagementKeyBody,
  ifVersions: readonly string[] | null = null,
): Promise<Versioned<ManagementKeyRecord>> {
  refuseUnlessManagement(ctx);
  const now = ctx.now();
  const { row, changed } = await ctx.store.db.transaction().execute(async (trx) => {
    const before = await lock(trx, hash);
    refuseStale("key", ifVersions, { version: settingsVersion(before), updatedAt: before.updated_at });
    const next = patched(before, storedSettings(body, now));
    if (next === before) return { row: before, changed: false };
    if (endsSooner(next, before)) await refuseLast(trx, before, now);
    const row = await trx
      .updateTable("api_keys")
      .set({ ...pick(next, keyDefaults), ...derivedColumns(next, noSpend(now), now), updated_at: now })
      .where("hash", "=", hash)
      .returningAll()
      .executeTakeFirstOrThrow();
    if (row.disabled) await endSessions(trx, hash);
    await recordChange(trx, ctx, {
      action: "updateManagementKey",
      target: target(row),
      before: members(before),
      after: members(row),
    });
    return { row, changed: true };
  });
  if (changed) await ctx.credentials.invalidate(ctx, hash);
  return { data: (await recordReader(ctx))(row), version: settingsVersion(row) };
}

/**
 * Deletes a management key and its sessions permanently.
 *
 * @param evenLast for the command line, which can create another key without one
 * @param ifVersions as for a change
 * @throws Refusal 404; 409 where no working management key would remain, or the key has none of these versions
 */
export async function remove(
  ctx: Context,
  hash: string,
  { evenLast = false, ifVersions = null }: { evenLast?: boolean; ifVersions?: readonly string[] | null } = {},
): Promise<{ deleted: true }> {
  refuseUnlessManagement(ctx);
  const now = ctx.now();
  await ctx.store.db.transaction().execute(async (trx) => {
    const row = await lock(trx, hash);
    refuseStale("key", ifVersions, { version: settingsVersion(row), updatedAt: row.updated_at });
    if (!evenLast) await refuseLast(trx, row, now);
    await trx.updateTable("api_keys").set({ deleted_at: now }).where("hash", "=", hash).execute();
    await endSessions(trx, hash);
    await recordChange(trx, ctx, {
      action: "deleteManagementKey",
      target: target(row),
      before: members(row),
      after: null,
    });
  });
  await ctx.credentials.invalidate(ctx, hash);
  return { deleted: true };
}

/**
 * Replaces a management key with a successor of the same name and expiry.
 *
 * @param sessionToken the token of the calling console session; it continues with the successor
 * @param idempotencyKey as for a creation
 * @returns the successor's record and plaintext, and the record of the key that it replaces
 */
export async function rotate(
  ctx: Context,
  hash: string,
  body: Parsed<typeof rotateManagementKey>["body"],
  { sessionToken, idempotencyKey }: { sessionToken: string | null; idempotencyKey: string | null },
): Promise<{ data: ManagementKeyRecord; key: string; replaced: ManagementKeyRecord }> {
  refuseUnlessManagement(ctx);
  const now = ctx.now();
  const plaintext = generateKey("management");
  const once: idempotency.Once = {
    key: idempotencyKey,
    endpoint: "rotateManagementKey",
    request: { hash, ...body },
    targetId: hashKey(plaintext),
  };
  const rotated = await ctx.store.db.transaction().execute(async (trx) => {
    const first = await idempotency.claim(trx, ctx, once);
    if (first !== null) return first;
    const before = await lock(trx, hash);
    refuseRotation(before, now);
    await refuseTooMany(trx);
    const settings = { name: before.name, expires_at: before.expires_at };
    const { successor, replaced } = await insertSuccessor(
      trx,
      {
        of: before,
        spend: noSpend(now),
        plaintext,
        createdBy: ctx.actor.name,
        settings,
        graceSeconds: body.grace_seconds,
      },
      now,
    );
    if (sessionToken !== null) await moveSession(trx, sessionToken, hash, successor.hash);
    if (body.grace_seconds === 0) await endSessions(trx, hash);
    const action = "rotateManagementKey";
    await recordChange(trx, ctx, {
      action,
      target: target(replaced),
      before: members(before),
      after: members(replaced),
    });
    await recordChange(trx, ctx, { action, target: target(successor), before: null, after: members(successor) });
    return { successor, replaced };
  });
  if (typeof rotated === "string") throw await repeatedCreation(ctx, rotated);
  const { successor, replaced } = rotated;
  await ctx.credentials.invalidate(ctx, hash);
  const read = await recordReader(ctx);
  return { data: read(successor), key: plaintext, replaced: read(replaced) };
}

/** Precision of a management key's `last_used_at`: a managing program must not cause a write with every call. */
const useStepMs = 5 * 60_000;

/** Records that a management key was used. If the store is unavailable, the call itself will report it. */
export async function noteUse(
  deps: Deps,
  { hash, lastUsedAt }: Pick<Credential, "hash" | "lastUsedAt">,
): Promise<void> {
  const now = deps.now();
  if (lastUsedAt !== null && now.getTime() - lastUsedAt.getTime() < useStepMs) return;
  const before = new Date(now.getTime() - useStepMs);
  await deps.store.db
    .updateTable("api_keys")
    .set({ last_used_at: now })
    .where("hash", "=", hash)
    .where(({ eb, or }) => or([eb("last_used_at", "is", null), eb("last_used_at", "<=", before)]))
    .execute()
    .then(
      () => deps.credentials.noteUse(hash, now),
      () => undefined,
    );
}

/** Signs out a key's console sessions, except the one whose token is given. */
export async function signOutSessions(
  ctx: Context,
  hash: string,
  exceptToken: string | null,
): Promise<{ ended: number }> {
  refuseUnlessManagement(ctx);
  return await ctx.store.db.transaction().execute(async (trx) => {
    const row = await lock(trx, hash);
    const ended = await endSessions(trx, hash, exceptToken);
    if (ended > 0) {
      await recordChange(trx, ctx, {
        action: "endManagementKeySessions",
        target: target(row),
        before: { sessions: ended },
        after: { sessions: 0 },
      });
    }
    return { ended };
  });
}

function living(db: Context["store"]["db"] | Trx) {
  return db.selectFrom("api_keys").selectAll().where("kind", "=", "management").where("deleted_at", "is", null);
}

/** Locks all of them, in one order, so that two concurrent changes cannot each rely on the other's key. */
async function lock(trx: Trx, hash: string): Promise<Row> {
  const rows = await living(trx).orderBy("hash").forUpdate().execute();
  const row = rows.find((each) => each.hash === hash);
  if (row === undefined) throw noSuchKey();
  return row;
}

const works = ({ disabled, expires_at }: Pick<Row, "disabled" | "expires_at">, now: Date): boolean =>
  !disabled && (expires_at === null || expires_at > now);

/** Whether a change shortens a key's life. */
function endsSooner(next: Row, before: Row): boolean {
  const end = ({ expires_at }: Row) => expires_at?.getTime() ?? Number.POSITIVE_INFINITY;
  return (next.disabled && !before.disabled) || end(next) < end(before);
}

/** Refuses to end the last key that works indefinitely: only the command line could create another one. */
async function refuseLast(trx: Trx, row: Row, now: Date): Promise<void> {
  if (!works(row, now)) return;
  const others = await living(trx)
    .where("hash", "!=", row.hash)
    .where("disabled", "=", false)
    .where("expires_at", "is", null)
    .limit(1)
    .execute();
  if (others.length > 0) return;
  throw new Refusal(
    "conflict",
    "This is the last management key that works without an expiry: create or replace one first, so that the gateway can still be managed",
  );
}

function refuseRotation(row: Row, now: Date): void {
  if (row.replaced_by !== null) {
    throw new Refusal("conflict", "This key has already been replaced: replace its successor", {
      replaced_by: row.replaced_by,
    });
  }
  if (row.expires_at !== null && row.expires_at <= now) {
    throw new Refusal("conflict", "This key has expired, and so would its successor: create a new one");
  }
}

async function refuseTooMany(trx: Trx): Promise<void> {
  const count = await countOf(
    trx.selectFrom("api_keys").where("kind", "=", "management").where("deleted_at", "is", null),
  );
  if (count < mostManagementKeys) return;
  throw new Refusal("conflict", `There are ${mostManagementKeys} management keys already: delete one first`);
}

/** Builds records from rows, reading shared data once. */
async function recordReader(ctx: Context): Promise<(row: Row) => ManagementKeyRecord> {
  const [sessions, fromEnvironment] = await Promise.all([countSessions(ctx), environmentKey(ctx.store.db)]);
  const now = ctx.now();
  return (row) => ({
    hash: row.hash,
    name: row.name,
    label: row.label,
    disabled: row.disabled,
    status: row.disabled ? "disabled" : works(row, now) ? "active" : "expired",
    created_at: row.created_at.toISOString(),
    created_by: row.created_by,
    updated_at: row.updated_at?.toISOString() ?? null,
    expires_at: row.expires_at?.toISOString() ?? null,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    sessions: works(row, now) ? (sessions.get(row.hash) ?? 0) : 0,
    from_environment: row.hash === fromEnvironment,
    current: ctx.actor.kind === "management" && ctx.actor.keyHash === row.hash,
    replaced_by: row.replaced_by,
    replaces: row.replaces,
  });
}

function members(row: Row): Record<string, unknown> {
  const { name, label, disabled, expires_at, replaces, replaced_by } = row;
  return { name, label, disabled, expires_at: expires_at?.toISOString() ?? null, replaces, replaced_by };
}

function target(row: Row) {
  return { type: "management_key", id: row.hash, name: row.name, workspaceId: null };
}

function noSuchKey(): Refusal {
  return notFound("There is no management key with this hash");
}
