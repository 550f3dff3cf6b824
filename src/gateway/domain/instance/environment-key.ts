import type { Selectable, Transaction } from "kysely";
import type { ApiKeysTable, Tables } from "../../storage/tables.ts";
import { recordChange } from "../audit.ts";
import type { Context, Deps } from "../context.ts";
import { hashKey } from "../keys/format.ts";
import { insertManagementKey, systemContext } from "./management-key-row.ts";
import { endSessions } from "./sessions.ts";

type Trx = Transaction<Tables>;
const instanceName = "environment_key";

/** The hash of the management key that GATEHOUSE_MANAGEMENT_KEY installed last; null: none was. */
export async function environmentKey(db: Deps["store"]["db"] | Trx): Promise<string | null> {
  const row = await db.selectFrom("instance").select("value").where("name", "=", instanceName).executeTakeFirst();
  return row?.value ?? null;
}

/** Records which management key came from the environment. */
export async function noteEnvironmentKey(trx: Trx, hash: string): Promise<void> {
  await trx
    .insertInto("instance")
    .values({ name: instanceName, value: hash })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value: hash }))
    .execute();
}

/**
 * Applies GATEHOUSE_MANAGEMENT_KEY on a later start: a new value is installed, and the key that the variable installed
 * before is deleted with its sessions, so that changing the variable rotates the key.
 *
 * @returns a message for the administrator; null: nothing changed
 * @throws Error when the value is an ordinary key, or a management key that was deleted here: it would not work
 */
export async function applyEnvironmentKey(deps: Deps, given: string | null): Promise<string | null> {
  if (given === null) return null;
  const ctx = systemContext(deps);
  const hash = hashKey(given);
  const done = await deps.store.db.transaction().execute(async (trx) => {
    const noted = await environmentKey(trx);
    const known = await trx.selectFrom("api_keys").selectAll().where("hash", "=", hash).executeTakeFirst();
    const ended = known === undefined ? null : whyUnusable(known, ctx.now());
    if (noted === hash) return { ended, before: null, installed: false };
    if (ended !== null) {
      throw new Error(
        `The key in GATEHOUSE_MANAGEMENT_KEY ${ended}: set the variable to another secret, or remove it.`,
      );
    }
    if (known === undefined) await insertManagementKey(trx, ctx, given, "admin");
    await noteEnvironmentKey(trx, hash);
    return { ended, before: noted === null ? null : await endKey(trx, ctx, noted), installed: known === undefined };
  });
  if (done.before !== null) await deps.credentials.invalidate(deps, done.before);
  if (done.ended !== null) {
    return `The key in GATEHOUSE_MANAGEMENT_KEY ${done.ended}, so it opens nothing. Set the variable to another secret, or remove it`;
  }
  if (done.before !== null) {
    return "Installed the new value of GATEHOUSE_MANAGEMENT_KEY. The key that the variable held before was deleted, and its sessions ended";
  }
  if (!done.installed) return null;
  return "Installed the value of GATEHOUSE_MANAGEMENT_KEY as a management key. The management keys from before still work: the console lists them";
}

/** Completes "The key …" where a key does not work; null: it works. */
function whyUnusable(row: Selectable<ApiKeysTable>, now: Date): string | null {
  if (row.kind === "ordinary") return "is an ordinary API key, which cannot manage";
  if (row.deleted_at !== null) return `was deleted on ${row.deleted_at.toISOString()}`;
  if (row.disabled) return "is disabled";
  if (row.expires_at !== null && row.expires_at <= now) return `expired on ${row.expires_at.toISOString()}`;
  return null;
}

async function endKey(trx: Trx, ctx: Context, hash: string): Promise<string | null> {
  const row = await trx
    .updateTable("api_keys")
    .set({ deleted_at: ctx.now() })
    .where("hash", "=", hash)
    .where("deleted_at", "is", null)
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) return null;
  await endSessions(trx, hash);
  await recordChange(trx, ctx, {
    action: "deleteManagementKey",
    target: { type: "management_key", id: hash, name: row.name, workspaceId: null },
    before: { name: row.name, label: row.label },
    after: null,
  });
  return hash;
}
