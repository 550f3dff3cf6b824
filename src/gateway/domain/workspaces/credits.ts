import { randomUUID } from "node:crypto";
import { type Selectable, sql, type Transaction } from "kysely";
import type { addCredits, getCredits } from "#contract/credits.ts";
import type { Output, Parsed } from "#contract/endpoint.ts";
import { maxUsd, toNanoUsd, toUsd } from "#contract/money.ts";
import { recordChange } from "../audit.ts";
import type { Tables } from "../../storage/tables.ts";
import type { Context } from "../context.ts";
import * as idempotency from "../idempotency.ts";
import { afterRecall, recallLeases } from "../ledger/lease-recall.ts";
import { accountSpendId } from "../ledger/commit.ts";
import { refuseUnlessManagement } from "../permission.ts";
import { invalid } from "../refusal.ts";

/** The bound on the sum of all entries, either way: far within the store's range. */
const mostCredits = toNanoUsd(maxUsd);

export async function get(ctx: Context): Promise<Output<typeof getCredits>> {
  refuseUnlessManagement(ctx);
  const { db } = ctx.store;
  const bought = await db
    .selectFrom("credits")
    .select(({ fn }) => fn.sum<string | null>("amount").as("total"))
    .executeTakeFirstOrThrow();
  const spent = await db
    .selectFrom("spends")
    .select(["total", "overrun_total"])
    .where("id", "=", accountSpendId)
    .executeTakeFirst();
  return {
    data: {
      total_credits: toUsd(BigInt(bought.total ?? 0)),
      total_usage: toUsd(spent === undefined ? 0n : spent.total + spent.overrun_total),
    },
  };
}

/**
 * From the first entry on, the account has a limit: the sum of all entries.
 * @param idempotencyKey the Idempotency-Key header; a repeat with it makes no second entry, and answers the first
 */
export async function add(
  ctx: Context,
  body: Parsed<typeof addCredits>["body"],
  idempotencyKey: string | null = null,
): Promise<Output<typeof addCredits>> {
  refuseUnlessManagement(ctx);
  const { amount_usd, note = null } = body;
  const row = { id: randomUUID(), at: ctx.now(), amount: toNanoUsd(amount_usd), note };
  const once: idempotency.Once = { key: idempotencyKey, endpoint: "addCredits", request: body, targetId: row.id };
  const first = await ctx.store.db.transaction().execute(async (trx) => {
    const made = await idempotency.claim(trx, ctx, once);
    if (made !== null) return await readEntry(trx, made);
    // one entry at a time: concurrent entries must not exceed the bound on the sum together
    await sql`lock table credits in share row exclusive mode`.execute(trx);
    await trx.insertInto("credits").values(row).execute();
    await recordChange(trx, ctx, {
      action: "addCredits",
      target: { type: "credits", id: row.id, name: note, workspaceId: null },
      before: null,
      after: { amount_usd, note },
    });
    const entries = await trx.selectFrom("credits").select("amount").execute();
    const limit = entries.reduce((sum, { amount }) => sum + amount, 0n);
    if (limit > mostCredits || limit < -mostCredits) {
      const would = `they would be ${toUsd(limit)}`;
      throw invalid("amount_usd", `must keep the account's credits between ${-maxUsd} and ${maxUsd}: ${would}`);
    }
    const account = { spendId: accountSpendId, limits: [{ limit, reset: null, includeByok: false }] };
    await recallLeases(trx, ctx.store, account, row.at);
    return null;
  });
  if (first !== null) return first;
  await ctx.accounts.changed(ctx);
  await afterRecall(ctx.store, accountSpendId);
  return entry(row);
}

async function readEntry(trx: Transaction<Tables>, id: string): Promise<Output<typeof addCredits>> {
  return entry(await trx.selectFrom("credits").selectAll().where("id", "=", id).executeTakeFirstOrThrow());
}

type Entry = Pick<Selectable<Tables["credits"]>, "id" | "at" | "amount" | "note">;

function entry({ id, at, amount, note }: Entry): Output<typeof addCredits> {
  return { data: { id, at: at.toISOString(), amount_usd: toUsd(amount), note } };
}
