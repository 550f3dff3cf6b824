import type { Transaction } from "kysely";
import type { Tables } from "../../storage/tables.ts";
import { Refusal } from "../refusal.ts";
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
  const id = creatorUserId?.toLowerCase() ?? "";
  if (!isUuid(id)) return;
  const found = trx.selectFrom("scim_users").select("active").where("id", "=", id);
  const person = await (isFirst ? found.forShare() : found).executeTakeFirst();
  if (person?.active === false) {
    throw new Refusal(
      "conflict",
      "The person with this creator_user_id is deactivated in the directory: make the key for somebody else",
    );
  }
}
