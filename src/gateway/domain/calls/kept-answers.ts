import { sql } from "kysely";
import type { Deps } from "../context.ts";
import { ledgerRows } from "../ledger/columns.ts";
import { storedText } from "../stored-text.ts";

/** Where an answer is kept. */
export interface Keeper {
  /** the provider's slug */
  readonly provider: string;
  /** with the workspace's own key: the account that holds the answer */
  readonly byok: boolean;
}

/**
 * The provider that gave a key, or a key that it replaced, the answer with this id of the provider's; null: none did.
 * Keys that replace one another share a spending count, which no other key has.
 */
export async function keeperOf(
  { store }: Pick<Deps, "store">,
  { answerId, spendId }: { readonly answerId: string; readonly spendId: string },
): Promise<Keeper | null> {
  // The store has no such text, and refuses to look for it.
  if (storedText(answerId, answerId.length) !== answerId) return null;
  const row = await ledgerRows(store.db)
    .select(["provider", "byok"])
    .where("upstream_id", "=", answerId)
    // Written out, so that the planner finds the index.
    .where(sql<boolean>`api_type = 'responses'`)
    .where("spend_id", "=", spendId)
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : { provider: row.provider, byok: row.byok };
}
