import { sql, type Transaction } from "kysely";
import type { Tables } from "../../storage/tables.ts";
import type { Context } from "../context.ts";
import { recordUpdate } from "./changes.ts";
import { madeKeysOf } from "./made-keys.ts";
import type { KeyRow } from "./record.ts";
import { releaseKeys } from "../guardrails/assignments.ts";
import { Refusal } from "../refusal.ts";
import { requireWorkspace } from "../workspaces/row.ts";

/** What a move changed in addition to the key itself. */
export interface Moved {
  readonly leftGuardrail: boolean;
}

export const nowhere: Moved = { leftGuardrail: false };

/**
 * What follows a key to another workspace: the keys that it had made for apps, whose calls count toward its limit. What
 * it leaves: the guardrails that they were given. Its calls so far, and those in flight, stay where they were made; what
 * belongs to the workspace is not that of the key any more. See docs/limits.md.
 *
 * @param before the key, which the caller has locked and moves itself
 * @throws Refusal 400 where there is no such workspace, 409 for a key of the gateway's own and while a batch is open
 */
export async function moveKey(
  trx: Transaction<Tables>,
  ctx: Context,
  before: KeyRow,
  workspaceId: string,
): Promise<Moved> {
  if (before.workspace_id === workspaceId) return nowhere;
  if (before.purpose !== null) {
    const message = "The gateway made this key for its own calls in this workspace, so it cannot be moved";
    throw new Refusal("conflict", message);
  }
  await requireWorkspace(trx, workspaceId);
  const hashes = ((await madeKeysOf({ db: trx }, [before.hash])).get(before.hash) ?? []).map(({ hash }) => hash);
  const made = await trx
    .selectFrom("api_keys")
    .selectAll()
    .where(sql<boolean>`hash = any(${hashes}::text[])`)
    .where("workspace_id", "=", before.workspace_id)
    .where("deleted_at", "is", null)
    .orderBy("hash")
    .forUpdate()
    .execute();
  // None begins meanwhile: that would lock its key first.
  await refuseOpenBatches(trx, [before.hash, ...hashes]);
  // A code would still make a key in the old workspace; the app asks for another one.
  await trx
    .deleteFrom("auth_codes")
    .where(sql<boolean>`made_by = any(${[before.hash, ...hashes]}::text[])`)
    .execute();
  for (const row of made) {
    const after = await trx
      .updateTable("api_keys")
      .set({ workspace_id: workspaceId, updated_at: ctx.now() })
      .where("hash", "=", row.hash)
      .returningAll()
      .executeTakeFirstOrThrow();
    await recordUpdate(trx, ctx, "updateKey", { before: row, after });
  }
  return { leftGuardrail: await releaseKeys(trx, ctx, [before.hash, ...made.map(({ hash }) => hash)]) };
}

/** The rest of a batch would run in the new workspace, while its files and results belong to the old one. */
async function refuseOpenBatches(trx: Transaction<Tables>, hashes: readonly string[]): Promise<void> {
  const open = await trx
    .selectFrom("batches")
    .select("id")
    .where(sql<boolean>`key_hash = any(${hashes}::text[])`)
    .where("ended_at", "is", null)
    .limit(1)
    .executeTakeFirst();
  if (open === undefined) return;
  const message = `A batch of this key is not finished (${open.id}): wait for it or cancel it, then move the key`;
  throw new Refusal("conflict", message, { batch_id: open.id });
}
