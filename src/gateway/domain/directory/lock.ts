import type { Transaction } from "kysely";
import type { Store } from "../../storage/store.ts";
import type { Tables } from "../../storage/tables.ts";
import { createSlots, type Slots } from "../../slots.ts";
import type { Context } from "../context.ts";
import { lockNamed } from "../named-lock.ts";
import { Refusal } from "../refusal.ts";
import { unknownToken } from "./refusals.ts";

type Trx = Transaction<Tables>;

/** Shorter than identity providers wait for an answer. */
const longestWaitMs = 30_000;

/**
 * Runs one change of the directory in a transaction, and no other at the same time: each compares all that groups give
 * with what members have. Changes of this process wait before they take one of the store's connections, so that calls
 * find the others free however many changes there are. Other processes wait for a lock in the store.
 *
 * @throws Refusal 401 where the caller's token was deleted meanwhile, 503 where its turn does not come in time
 */
export async function changeDirectory<T>(ctx: Context, work: (trx: Trx) => Promise<T>): Promise<T> {
  const owner = ctx.actor.kind === "system" ? ctx.actor.name : ctx.actor.keyHash;
  const leave = await turnsOf(ctx.store).take(owner);
  if (leave === null) {
    const message = "Too many changes of the directory are waiting, so this one was not made: try again";
    throw new Refusal("unavailable", message, { retryAfterSeconds: 5 });
  }
  try {
    return await ctx.store.db.transaction().execute(async (trx) => {
      await lockNamed(trx, "directory");
      await refuseDeletedToken(trx, ctx);
      return await work(trx);
    });
  } finally {
    leave();
  }
}

/** One turn at a time for each store that this process has open; tokens and keys that wait take turns. */
const turns = new WeakMap<Store, Slots>();

function turnsOf(store: Store): Slots {
  const known = turns.get(store) ?? createSlots({ most: 1, waitMs: longestWaitMs });
  turns.set(store, known);
  return known;
}

/** A token that is there stays until the change is made. */
async function refuseDeletedToken(trx: Trx, { actor }: Context): Promise<void> {
  if (actor.kind !== "directory") return;
  const row = await trx
    .selectFrom("scim_tokens")
    .select("hash")
    .where("hash", "=", actor.keyHash)
    .forKeyShare()
    .executeTakeFirst();
  if (row === undefined) throw unknownToken();
}
