import { randomUUID } from "node:crypto";
import type { addCredits, getCredits } from "#contract/credits.ts";
import type { Output, Parsed } from "#contract/endpoint.ts";
import { toNanoUsd, toUsd } from "#contract/money.ts";
import { recordChange } from "./audit.ts";
import type { Context } from "./context.ts";
import { accountSpendId } from "./ledger-commit.ts";
import { refuseUnlessManagement } from "./permission.ts";

export async function get(ctx: Context): Promise<Output<typeof getCredits>> {
  refuseUnlessManagement(ctx);
  const { db } = ctx.store;
  const bought = await db
    .selectFrom("credits")
    .select(({ fn }) => fn.sum<string | null>("amount").as("total"))
    .executeTakeFirstOrThrow();
  const spent = await db.selectFrom("spends").select("total").where("id", "=", accountSpendId).executeTakeFirst();
  return { data: { total_credits: toUsd(BigInt(bought.total ?? 0)), total_usage: toUsd(spent?.total ?? 0n) } };
}

/** From the first entry on the account has a limit: the sum of all entries. */
export async function add(
  ctx: Context,
  { amount_usd, note = null }: Parsed<typeof addCredits>["body"],
): Promise<Output<typeof addCredits>> {
  refuseUnlessManagement(ctx);
  const row = { id: randomUUID(), at: ctx.now(), amount: toNanoUsd(amount_usd), note };
  await ctx.store.db.transaction().execute(async (trx) => {
    await trx.insertInto("credits").values(row).execute();
    await recordChange(trx, ctx, {
      action: "addCredits",
      target: { type: "credits", id: row.id, name: note, workspaceId: null },
      before: null,
      after: { amount_usd, note },
    });
  });
  await ctx.accounts.changed(ctx);
  return { data: { id: row.id, at: row.at.toISOString(), amount_usd: toUsd(row.amount), note } };
}
