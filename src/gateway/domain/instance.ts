import { randomUUID } from "node:crypto";
import type { Transaction } from "kysely";
import type { Tables } from "../storage/tables.ts";
import { recordChange } from "./audit.ts";
import type { Context, Deps } from "./context.ts";
import { generateKey, hashKey } from "./key-format.ts";
import { insertKey } from "./key-row.ts";
import { verifySecretBox } from "./secret-key.ts";
import { createSignInToken } from "./sessions.ts";
import { insertWorkspace } from "./workspace-row.ts";

/** What the first start made; each is shown once and never again. */
export interface FirstStart {
  /** null when it was given */
  managementKey: string | null;
  signInToken: string;
}

/**
 * Makes what a new store needs: the default workspace, a management key (the given one, or a new one) and a sign-in
 * token. Of several processes that start at once on one store, exactly one does.
 *
 * @returns null on every later start
 */
export async function seed(deps: Deps, given: string | null): Promise<FirstStart | null> {
  await verifySecretBox(deps.store, deps.secrets);
  const now = deps.now();
  const made = await deps.store.db.transaction().execute(async (trx) => {
    const first = await trx
      .insertInto("instance")
      .values({ name: "seeded_at", value: now.toISOString() })
      .onConflict((conflict) => conflict.doNothing())
      .returning("name")
      .executeTakeFirst();
    if (first === undefined) return null;
    await insertWorkspace(trx, { slug: "default", name: "Default", isDefault: true, createdBy: null }, now);
    const plaintext = given ?? generateKey("management");
    await insertManagementKey(trx, deps, plaintext, "admin");
    return plaintext;
  });
  if (made === null) return null;
  return {
    managementKey: given === null ? made : null,
    signInToken: await createSignInToken(deps, hashKey(made)),
  };
}

/**
 * Makes a management key, for the command line.
 *
 * @returns the plaintext, for the only time
 */
export async function createManagementKey(deps: Deps, name: string): Promise<string> {
  const plaintext = generateKey("management");
  await deps.store.db.transaction().execute((trx) => insertManagementKey(trx, deps, plaintext, name));
  return plaintext;
}

/** The management key that a sign-in link made on the command line signs in as: the oldest that works; null: none does. */
export async function findManagementKey(deps: Deps): Promise<string | null> {
  const now = deps.now();
  const row = await deps.store.db
    .selectFrom("api_keys")
    .select("hash")
    .where("kind", "=", "management")
    .where("disabled", "=", false)
    .where("deleted_at", "is", null)
    .where(({ eb, or }) => or([eb("expires_at", "is", null), eb("expires_at", ">", now)]))
    .orderBy("created_at")
    .limit(1)
    .executeTakeFirst();
  return row?.hash ?? null;
}

async function insertManagementKey(
  trx: Transaction<Tables>,
  deps: Deps,
  plaintext: string,
  name: string,
): Promise<void> {
  const row = await insertKey(trx, { plaintext, name, workspaceId: null }, deps.now());
  const ctx: Context = {
    ...deps,
    actor: { kind: "system", name: "gatehouse" },
    requestId: randomUUID(),
    sourceIp: null,
  };
  await recordChange(trx, ctx, {
    action: "createManagementKey",
    target: { type: "management_key", id: row.hash, name, workspaceId: null },
    before: null,
    after: { name, label: row.label },
  });
}
