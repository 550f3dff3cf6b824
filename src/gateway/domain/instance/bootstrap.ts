import type { Deps } from "../context.ts";
import { noteEnvironmentKey } from "./environment-key.ts";
import { generateKey, hashKey } from "../keys/format.ts";
import { insertManagementKey, systemContext } from "./management-key-row.ts";
import { verifySecretBox } from "../secrets/key.ts";
import { sealAddresses } from "../workspaces/video-webhook.ts";
import { createSignInToken } from "./sessions.ts";
import { insertWorkspace } from "../workspaces/row.ts";

/** What the first start created; each secret is shown once and never again. */
export interface FirstStart {
  /** null when it was supplied */
  managementKey: string | null;
  signInToken: string;
}

/**
 * Creates what a new store needs: the default workspace, a management key (the given one, or a new one) and a sign-in
 * token. If several processes start on one store at once, exactly one of them does this.
 *
 * @returns null on every later start
 */
export async function seed(deps: Deps, given: string | null): Promise<FirstStart | null> {
  await verifySecretBox(deps.store, deps.secrets);
  await sealAddresses(deps);
  const now = deps.now();
  const made = await deps.store.db.transaction().execute(async (trx) => {
    const first = await trx
      .insertInto("instance")
      .values({ name: "seeded_at", value: now.toISOString() })
      .onConflict((conflict) => conflict.doNothing())
      .returning("name")
      .executeTakeFirst();
    if (first === undefined) return null;
    await insertWorkspace(
      trx,
      { settings: { slug: "default", name: "Default" }, isDefault: true, createdBy: null },
      now,
    );
    const plaintext = given ?? generateKey("management");
    await insertManagementKey(trx, systemContext(deps), plaintext, "admin");
    if (given !== null) await noteEnvironmentKey(trx, hashKey(given));
    return plaintext;
  });
  if (made === null) return null;
  return {
    managementKey: given === null ? made : null,
    signInToken: await createSignInToken(deps, hashKey(made)),
  };
}

/**
 * Creates a management key, for the command line.
 *
 * @returns the plaintext, which is available only here
 */
export async function createManagementKey(deps: Deps, name: string): Promise<string> {
  const plaintext = generateKey("management");
  await deps.store.db.transaction().execute((trx) => insertManagementKey(trx, systemContext(deps), plaintext, name));
  return plaintext;
}

/**
 * The management key that a sign-in link from the command line signs in as: the oldest working one; null: none works.
 */
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
