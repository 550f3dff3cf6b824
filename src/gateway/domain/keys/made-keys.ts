import type { Transaction } from "kysely";
import type { EndpointName } from "#contract/api.ts";
import type { Tables } from "../../storage/tables.ts";
import type { Context } from "../context.ts";
import { recordUpdate } from "./changes.ts";
import type { KeyRow } from "./record.ts";

/** The earlier of two expiries; null is never. */
export function earlier(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}

/**
 * Lets no key that this one had made outlive it, in the transaction that changes this one: what a stolen key made ends
 * with the stolen key. They are not enabled with it again.
 *
 * @param maker as it is from now on
 * @returns the hashes of the keys that were changed
 */
export async function endMadeKeys(
  trx: Transaction<Tables>,
  ctx: Context,
  action: EndpointName,
  maker: Pick<KeyRow, "hash" | "disabled" | "expires_at">,
): Promise<string[]> {
  const made = await trx
    .selectFrom("api_keys")
    .selectAll()
    .where("made_by", "=", maker.hash)
    .where("deleted_at", "is", null)
    .orderBy("hash")
    .forUpdate()
    .execute();
  const ended: string[] = [];
  for (const before of made) {
    const disabled = before.disabled || maker.disabled;
    const expires_at = earlier(before.expires_at, maker.expires_at);
    if (disabled === before.disabled && expires_at?.getTime() === before.expires_at?.getTime()) continue;
    const after = await trx
      .updateTable("api_keys")
      .set({ disabled, expires_at, updated_at: ctx.now() })
      .where("hash", "=", before.hash)
      .returningAll()
      .executeTakeFirstOrThrow();
    await recordUpdate(trx, ctx, action, { before, after });
    ended.push(before.hash);
  }
  return ended;
}
