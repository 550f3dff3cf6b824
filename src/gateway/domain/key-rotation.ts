import type { Parsed } from "#contract/endpoint.ts";
import type { KeyRecord, rotateKey } from "#contract/keys.ts";
import type { Context } from "./context.ts";
import { noSuchKey, recordCreation, recordUpdate } from "./key-changes.ts";
import { generateKey } from "./key-format.ts";
import { keyRecord, type KeyRow, limitSettings } from "./key-record.ts";
import { insertKey, lockKey } from "./key-row.ts";
import { refuseUnlessManagement } from "./permission.ts";
import { Refusal } from "./refusal.ts";
import { requireLivingWorkspace } from "./workspace-row.ts";

/**
 * Replaces a key by a successor with the same settings. The old one lives on for the time given, at most until it
 * would have expired anyway; both draw on one spending count.
 */
export async function rotate(
  ctx: Context,
  hash: string,
  body: Parsed<typeof rotateKey>["body"],
): Promise<{ data: KeyRecord; key: string; replaced: KeyRecord }> {
  refuseUnlessManagement(ctx);
  const now = ctx.now();
  const plaintext = generateKey("ordinary");
  const rotated = await ctx.store.db.transaction().execute(async (trx) => {
    const found = await lockKey(trx, hash);
    if (found === null) throw noSuchKey();
    const { key: before, spend } = found;
    refuseRotation(before, now);
    await requireLivingWorkspace(trx, before.workspace_id);
    const successor = await insertKey(
      trx,
      {
        plaintext,
        name: before.name,
        workspaceId: before.workspace_id,
        creatorUserId: before.creator_user_id,
        createdBy: ctx.actor.name,
        expiresAt: before.expires_at,
        limit: limitSettings(before),
        requestsPerMinute: before.requests_per_minute,
        tokensPerMinute: before.tokens_per_minute,
        succeeds: { hash, spendId: before.spend_id, spend },
      },
      now,
    );
    const end = new Date(now.getTime() + body.grace_seconds * 1_000);
    const replaced = await trx
      .updateTable("api_keys")
      .set({
        replaced_by: successor.hash,
        expires_at: before.expires_at !== null && before.expires_at < end ? before.expires_at : end,
        updated_at: now,
      })
      .where("hash", "=", hash)
      .returningAll()
      .executeTakeFirstOrThrow();
    await recordUpdate(trx, ctx, "rotateKey", before, replaced);
    await recordCreation(trx, ctx, "rotateKey", successor);
    return { successor, replaced, spend };
  });
  await ctx.credentials.invalidate(ctx, hash);
  const { successor, replaced, spend } = rotated;
  return { data: keyRecord(successor, spend, now), key: plaintext, replaced: keyRecord(replaced, spend, now) };
}

function refuseRotation(key: KeyRow, now: Date): void {
  if (key.purpose === "playground") {
    const message =
      "Nobody holds the playground's key, so there is nothing to replace: delete it, and the next use makes a new one";
    throw new Refusal("conflict", message);
  }
  if (key.replaced_by !== null) {
    throw new Refusal("conflict", "This key was replaced before: replace its successor", {
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
