import type { Context } from "../context.ts";
import { noSpend, spendOfRow } from "../ledger/limits.ts";
import { Refusal } from "../refusal.ts";
import { countedSince } from "./counted-since.ts";
import { madeKeysOf, withSpentMaker } from "./made-keys.ts";
import { keyRecord } from "./record.ts";

/** A key, what it has spent and what it had made; null: there is none, or it was deleted. */
export async function find(ctx: Context, hash: string, kind: "ordinary" | "any" = "ordinary") {
  let query = ctx.store.db.selectFrom("api_keys").selectAll().where("hash", "=", hash).where("deleted_at", "is", null);
  if (kind !== "any") query = query.where("kind", "=", kind);
  const row = await query.executeTakeFirst();
  if (row === undefined) return null;
  const spend = await ctx.store.db.selectFrom("spends").selectAll().where("id", "=", row.spend_id).executeTakeFirst();
  const made = (await madeKeysOf(ctx.store, [hash])).get(hash);
  const since = (await countedSince(ctx.store.db, [row])).get(row.spend_id);
  const makerIsSpent = (await withSpentMaker(ctx.store, [row], ctx.now())).has(hash);
  return { row, spend: spend === undefined ? noSpend(ctx.now()) : spendOfRow(spend), since, made, makerIsSpent };
}

/** The refusal of a repeat with an Idempotency-Key, with the record of the key that the first one made. */
export async function repeatedCreation(ctx: Context, hash: string): Promise<Refusal> {
  const found = await find(ctx, hash);
  const message = "This Idempotency-Key was used before for the same request: no second key was made.";
  return new Refusal("conflict", `${message} The first one's plaintext cannot be shown again`, {
    data: found === null ? null : keyRecord(found.row, found, ctx.now()),
  });
}
