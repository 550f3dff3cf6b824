import type { Store } from "../storage/store.ts";
import { addSpend, noSpend, type Spend, spendOfRow } from "./limits.ts";
import { type Account, type Held, nothingHeld, type Purses, shortageOf, tightest } from "./purse.ts";
import { createWaitingRoom, type WaitingRoom } from "./waiting-room.ts";

interface Purse {
  /** as committed */
  spend: Spend;
  held: Held;
  readonly room: WaitingRoom;
}

const mostPurses = 50_000;

/**
 * The purses of the only process on a store: the counters are mirrored, so a decision takes no query. The mirror is
 * exact because the store has one connection: a purse read before a commit hears of it, one read after has it.
 */
export function createOwnedPurses(store: Store, now: () => Date): Purses {
  const purses = new Map<string, Purse>();
  const opening = new Map<string, Promise<void>>();

  async function load(spendId: string): Promise<void> {
    try {
      const row = await store.db.selectFrom("spends").selectAll().where("id", "=", spendId).executeTakeFirst();
      if (purses.size >= mostPurses) forgetIdle();
      const spend = row === undefined ? noSpend(now()) : spendOfRow(row);
      purses.set(spendId, { spend, held: nothingHeld, room: createWaitingRoom() });
    } finally {
      opening.delete(spendId);
    }
  }

  function forgetIdle() {
    for (const [id, { held }] of purses) if (held.own === 0n && held.byok === 0n) purses.delete(id);
  }

  function purseOf(account: Account): Purse {
    const purse = purses.get(account.spendId);
    if (purse === undefined) throw new Error(`the purse ${account.spendId} was used before it was opened`);
    return purse;
  }

  function add(account: Account, amount: bigint, byok: boolean): Purse {
    const purse = purseOf(account);
    const { own, byok: other } = purse.held;
    purse.held = byok ? { own, byok: other + amount } : { own: own + amount, byok: other };
    return purse;
  }

  return {
    open(account) {
      if (purses.has(account.spendId)) return null;
      const running = opening.get(account.spendId) ?? load(account.spendId);
      opening.set(account.spendId, running);
      return running;
    },
    room(account, byok) {
      const { spend, held } = purseOf(account);
      return tightest(account, byok, spend, held, now())?.room ?? 0n;
    },
    hold(account, amount, byok) {
      add(account, amount, byok);
    },
    release(account, amount, byok) {
      add(account, -amount, byok).room.wake();
    },
    async more(account, needed, byok, deadline) {
      const purse = purseOf(account);
      const { spend, held } = purse;
      const decided = tightest(account, byok, spend, held, now());
      if (decided === null || decided.room >= needed) return null;
      const whenIdle = tightest(account, byok, spend, nothingHeld, now());
      const mayFitLater = whenIdle !== null && whenIdle.room >= needed;
      if (!mayFitLater || performance.now() >= deadline) return shortageOf(account, decided, needed, now());
      await purse.room.wait(deadline);
      return null;
    },
    committed(spendId, charge, at) {
      const purse = purses.get(spendId);
      if (purse === undefined) return;
      purse.spend = addSpend(purse.spend, charge, at);
    },
    spent(account, amount, byok) {
      add(account, -amount, byok).room.wake();
    },
    leased: () => 0n,
    async close() {},
  };
}
