import type { Store } from "../../storage/store.ts";
import { addSpend, noSpend, type Spend, spendOfRow } from "./limits.ts";
import {
  type Account,
  type Counted,
  type Held,
  nothingHeld,
  type Balances,
  shortfallOf,
  tightest,
  createLatestDay,
} from "./balance.ts";
import { createWaiters, type Waiters } from "../waiters.ts";

interface Balance {
  /** as committed */
  spend: Spend;
  held: Held;
  /** reserved in the store, for what outlives this process */
  kept: bigint;
  readonly room: Waiters;
}

const mostBalances = 50_000;

/**
 * The balances of the only process on a store: the counters are mirrored, so a decision takes no query. The mirror is
 * exact because the store has one connection: a balance read before a commit is updated by it, one read after includes
 * it.
 */
export function createLocalBalances(store: Store, now: () => Date): Balances {
  const balances = new Map<string, Balance>();
  const opening = new Map<string, Promise<void>>();
  const latestDay = createLatestDay();

  async function load(spendId: string): Promise<void> {
    try {
      const row = await store.db.selectFrom("spends").selectAll().where("id", "=", spendId).executeTakeFirst();
      if (balances.size >= mostBalances) forgetIdle();
      const spend = row === undefined ? noSpend(now()) : spendOfRow(row);
      latestDay.see(spend);
      balances.set(spendId, { spend, held: nothingHeld, kept: row?.reserved ?? 0n, room: createWaiters() });
    } finally {
      opening.delete(spendId);
    }
  }

  function forgetIdle() {
    for (const [id, { held }] of balances) if (held.own === 0n && held.byok === 0n) balances.delete(id);
  }

  function balanceOf(account: Account): Balance {
    const balance = balances.get(account.spendId);
    if (balance === undefined) throw new Error(`the balance ${account.spendId} was used before it was opened`);
    return balance;
  }

  function add(account: Account, amount: bigint, byok: boolean): Balance {
    const balance = balanceOf(account);
    const { own, byok: other } = balance.held;
    balance.held = byok ? { own, byok: other + amount } : { own: own + amount, byok: other };
    return balance;
  }

  const counted = ({ spend, held, kept }: Balance): Counted => ({
    spend,
    held: kept === 0n ? held : { ...held, own: held.own + kept },
  });

  return {
    open(account) {
      if (balances.has(account.spendId)) return null;
      const running = opening.get(account.spendId) ?? load(account.spendId);
      opening.set(account.spendId, running);
      return running;
    },
    room(account, byok) {
      return tightest(account, byok, counted(balanceOf(account)), now())?.room ?? 0n;
    },
    chargeable(account, byok, reserved) {
      const room = this.room(account, byok);
      return room > reserved ? room : reserved;
    },
    hold(account, amount, byok) {
      add(account, amount, byok);
    },
    release(account, amount, byok) {
      add(account, -amount, byok).room.wake();
    },
    async more(account, needed, byok, deadline) {
      const balance = balanceOf(account);
      const decided = tightest(account, byok, counted(balance), now());
      if (decided === null || decided.room >= needed) return null;
      const whenIdle = tightest(account, byok, counted({ ...balance, held: nothingHeld }), now());
      const mayFitLater = whenIdle !== null && whenIdle.room >= needed;
      if (!mayFitLater || performance.now() >= deadline) return shortfallOf(account, decided, needed, now());
      // What is in the journal alone is held as well.
      void store.journal?.folded();
      await balance.room.wait(deadline);
      return null;
    },
    async exceeded(account, spare, byok) {
      const found = tightest(account, byok, counted(balanceOf(account)), now());
      return found === null || found.room >= -spare ? null : shortfallOf(account, found, -spare, now());
    },
    committed(spendId, charge, at) {
      const balance = balances.get(spendId);
      if (balance === undefined) return;
      balance.spend = addSpend(balance.spend, charge, at);
      latestDay.see(balance.spend);
    },
    spent(account, amount, byok) {
      add(account, -amount, byok).room.wake();
    },
    keep(account, amount, byok) {
      add(account, -amount, byok).kept += amount;
    },
    unkeep(spendId, amount) {
      const balance = balances.get(spendId);
      if (balance === undefined) return;
      balance.kept -= amount;
      balance.room.wake();
    },
    leased: () => 0n,
    lost() {},
    latestDay: latestDay.get,
    async close() {},
  };
}
