import { sql, type Transaction } from "kysely";
import type { Parsed } from "#contract/endpoint.ts";
import type { KeyRecord, rotateKey } from "#contract/keys.ts";
import type { Context } from "../context.ts";
import * as idempotency from "../idempotency.ts";
import { noSuchKey, recordCreation, recordUpdate } from "./changes.ts";
import { repeatedCreation } from "./find.ts";
import { generateKey, hashKey } from "./format.ts";
import { endMadeKeys, madeKeysOf, withSpentMaker } from "./made-keys.ts";
import { keyRecord, type KeyRow } from "./record.ts";
import { insertSuccessor, lockKey } from "./row.ts";
import { keyDefaults } from "./settings.ts";
import { pick } from "../patch.ts";
import { refuseUnlessManagement } from "../permission.ts";
import { Refusal } from "../refusal.ts";
import { requireLivingWorkspace } from "../workspaces/row.ts";
import type { Tables } from "../../storage/tables.ts";
import { refuseInactiveCreator } from "./creator.ts";

/** Two keys by their hashes. */
export interface Succession {
  readonly hash: string;
  readonly successor: string;
  /** the first stays, so that no list may drop it for the second */
  readonly isAddition?: boolean;
}

/**
 * Lets the successor in wherever a list names the key that it replaces, within the change's transaction.
 * @returns what is to be done once it is committed; null: no list names it
 */
export type Follow = (
  trx: Transaction<Tables>,
  ctx: Context,
  succession: Succession,
) => Promise<(() => Promise<unknown>) | null>;

/**
 * Replaces a key with a successor of the same settings. The old one keeps working for the given time, but no longer
 * than its own expiry; both share one spending count, and every list that names the old one names both. Keys that the
 * old one had made end with it.
 * @param follow the lists that name keys
 * @param idempotencyKey the Idempotency-Key header; a repeat with it makes no second successor, and is refused with
 * 409, whose metadata holds the record of the first as `data`
 */
export async function rotate(
  ctx: Context,
  hash: string,
  body: Parsed<typeof rotateKey>["body"],
  { follow = [], idempotencyKey = null }: { follow?: readonly Follow[]; idempotencyKey?: string | null } = {},
): Promise<{ data: KeyRecord; key: string; replaced: KeyRecord }> {
  refuseUnlessManagement(ctx);
  const now = ctx.now();
  const plaintext = generateKey("ordinary");
  const once: idempotency.Once = {
    key: idempotencyKey,
    endpoint: "rotateKey",
    request: { hash, ...body },
    targetId: hashKey(plaintext),
  };
  const rotated = await ctx.store.db.transaction().execute(async (trx) => {
    const first = await idempotency.claim(trx, ctx, once);
    if (first !== null) return first;
    const found = await lockKey(trx, hash);
    if (found === null) throw noSuchKey();
    const { key: before, spend } = found;
    const since = found.since ?? before.created_at;
    refuseRotation(before, now);
    await refuseInactiveCreator(trx, before.creator_user_id, { isFirst: false });
    await requireLivingWorkspace(trx, before.workspace_id, "key");
    const settings = { ...pick(before, keyDefaults), disabled: false };
    const { successor, replaced } = await insertSuccessor(
      trx,
      { of: before, spend, plaintext, createdBy: ctx.actor.name, settings, graceSeconds: body.grace_seconds },
      now,
    );
    await recordUpdate(trx, ctx, "rotateKey", { before, after: replaced });
    await recordCreation(trx, ctx, "rotateKey", successor);
    const ended = await endMadeKeys(trx, ctx, "rotateKey", replaced);
    const committed: Awaited<ReturnType<Follow>>[] = [];
    for (const each of follow) committed.push(await each(trx, ctx, { hash, successor: successor.hash }));
    return { successor, replaced, spend, since, committed, ended };
  });
  if (typeof rotated === "string") throw await repeatedCreation(ctx, rotated);
  await ctx.credentials.invalidate(ctx, hash, ...rotated.ended);
  for (const tell of rotated.committed) await tell?.();
  const { successor, replaced, spend, since } = rotated;
  const made = await madeKeysOf(ctx.store, [hash, successor.hash]);
  const spentOut = await withSpentMaker(ctx.store, [successor, replaced], now);
  const recordOf = (row: KeyRow) =>
    keyRecord(row, { spend, since, made: made.get(row.hash), makerIsSpent: spentOut.has(row.hash) }, now);
  return { data: recordOf(successor), key: plaintext, replaced: recordOf(replaced) };
}

/**
 * A list of keys with the successor of one of them. Where the list is as long as it may be, the successor takes the
 * place of a key that has ended, or else of the one that it replaces.
 */
export async function withSuccessor(
  trx: Transaction<Tables>,
  hashes: readonly string[],
  { hash, successor, isAddition = false }: Succession,
  { most, now }: { most: number; now: Date },
): Promise<string[]> {
  if (hashes.length < most) return [...hashes, successor];
  const dropped = (await deadKey(trx, hashes, now)) ?? (isAddition ? undefined : hash);
  if (dropped === undefined) {
    throw new Refusal(
      "permission_denied",
      `A destination takes the calls of the key that made this code, and of ${most} keys at most, so it cannot take another one's`,
    );
  }
  return [...hashes.filter((each) => each !== dropped), successor];
}

/** The first that was deleted, else that has expired. A disabled one may be enabled again tomorrow. */
async function deadKey(trx: Transaction<Tables>, hashes: readonly string[], now: Date): Promise<string | undefined> {
  const rows = await trx
    .selectFrom("api_keys")
    .select(["hash", "expires_at"])
    .where(sql<boolean>`hash = any(${hashes}::text[])`)
    .where("deleted_at", "is", null)
    .execute();
  const known = new Map(rows.map((row) => [row.hash, row]));
  const isExpired = (key: string) => (known.get(key)?.expires_at ?? never) <= now;
  return hashes.find((each) => !known.has(each)) ?? hashes.find(isExpired);
}

const never = new Date(8_640_000_000_000_000);

function refuseRotation(key: KeyRow, now: Date): void {
  if (key.purpose !== null) {
    const message =
      "The gateway made this key for its own calls and no one holds it, so there is nothing to replace: delete it, and the next use creates a new one";
    throw new Refusal("conflict", message);
  }
  if (key.replaced_by !== null) {
    throw new Refusal("conflict", "This key has already been replaced: replace its successor", {
      replaced_by: key.replaced_by,
    });
  }
  if (key.expires_at !== null && key.expires_at <= now) {
    throw new Refusal(
      "conflict",
      "This key has expired, and so would its successor: set another expires_at, or make a new key",
    );
  }
}
