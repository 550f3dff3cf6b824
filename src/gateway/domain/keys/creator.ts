import type { Transaction } from "kysely";
import type { Tables } from "../../storage/tables.ts";
import { Refusal } from "../refusal.ts";
import { userKey } from "../user-id.ts";
import { isUuid } from "../uuid.ts";

/**
 * A key made in the name of somebody whom the identity provider has deactivated would outlive their other keys.
 * @param isFirst no key of theirs is locked yet: a deactivation waits for this transaction, and sees the key that it makes
 * @throws Refusal 409
 */
export async function refuseInactiveCreator(
  trx: Transaction<Tables>,
  creatorUserId: string | null,
  { isFirst }: { isFirst: boolean },
): Promise<void> {
  if (!(await isDeactivated(trx, creatorUserId, { isFirst }))) return;
  throw new Refusal(
    "conflict",
    "The person with this creator_user_id is deactivated in the directory: make the key for somebody else",
  );
}

/**
 * Whether a deactivation has ended this key, so that it stays disabled. Locks the person before the key, as a
 * deactivation does: it waits for this transaction, and sees the key that it enables.
 */
export async function isEndedByDirectory(trx: Transaction<Tables>, hash: string): Promise<boolean> {
  const key = await trx.selectFrom("api_keys").select("creator_user_id").where("hash", "=", hash).executeTakeFirst();
  return await isDeactivated(trx, key?.creator_user_id ?? null, { isFirst: true });
}

export function keyOfDeactivated(): Refusal {
  return new Refusal(
    "conflict",
    "The person who created this key is deactivated in the directory, so it stays disabled: create a key for somebody else",
  );
}

async function isDeactivated(
  trx: Transaction<Tables>,
  creatorUserId: string | null,
  { isFirst }: { isFirst: boolean },
): Promise<boolean> {
  const id = creatorUserId === null ? "" : userKey(creatorUserId);
  if (!isUuid(id)) return false;
  const found = trx.selectFrom("scim_users").select("active").where("id", "=", id);
  const person = await (isFirst ? found.forShare() : found).executeTakeFirst();
  return person?.active === false;
}
