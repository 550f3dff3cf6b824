import type pg from "pg";
import type { NanoUsd } from "#contract/money.ts";
import { startOfUtcDay, startOfUtcMonth, startOfUtcWeek } from "#contract/time.ts";
import type { Store } from "../storage/store.ts";
import { spendOfRow } from "./limits.ts";
import { type Account, limitsFor, type Purses, type Shortage, shortageOf, tightest } from "./purse.ts";
import { createWaitingRoom, type WaitingRoom } from "./waiting-room.ts";

interface Purse {
  /** what the store says this process may spend */
  leased: NanoUsd;
  /** of it, what calls in flight hold; what is charged and not committed included */
  held: NanoUsd;
  readonly room: WaitingRoom;
  /** the store is being asked for more, or given back what is idle: one at a time */
  busy: boolean;
  /** of `performance.now()`: when it was last held from */
  usedAt: number;
}

/** A lease that its process does not renew for this long is reclaimed. */
const leaseSeconds = 15;
const renewMs = 4_000;
/** A slice that was not used for this long is given back. */
const idleMs = 1_000;
const sweepMs = 500;
/** How long to wait before asking again for what other processes hold. */
const askAgainMs = 50;
/** A slice is at most this part of what is left, so that several processes get some, and small remainders small slices. */
const sliceDivisor = 8n;
const channel = "gatehouse_leases";

/**
 * The purses of one of several processes: each spends from slices that it has leased, so no call waits for the store
 * while a slice lasts, and the sum of all slices never exceeds what is left. Leases are locked before counters.
 *
 * @param steadyMs how long the store has answered without a break. After an outage the living get as long as a lease
 * lasts to say so, before what they hold is taken from them.
 */
export function createLeasedPurses(
  store: Store,
  now: () => Date,
  processId: string,
  steadyMs: () => number = () => Number.POSITIVE_INFINITY,
): Purses {
  const purses = new Map<string, Purse>();

  function purseOf({ spendId }: Account): Purse {
    const purse = purses.get(spendId) ?? {
      leased: 0n,
      held: 0n,
      room: createWaitingRoom(),
      busy: false,
      usedAt: performance.now(),
    };
    purses.set(spendId, purse);
    return purse;
  }

  /** Asks the store for what is missing, and some more. Null: it was granted. */
  async function acquire(account: Account, purse: Purse, missing: NanoUsd, byok: boolean): Promise<Shortage | null> {
    return await inTransaction(store.pool, async (client) => {
      const at = now();
      await client.query(
        `insert into leases (spend_id, process_id, amount, expires_at) values ($1, $2, 0, now() + $3 * interval '1 second')
         on conflict (spend_id, process_id) do update set expires_at = excluded.expires_at`,
        [account.spendId, processId, leaseSeconds],
      );
      await client.query(
        `insert into spends (id, day_start, week_start, month_start) values ($1, $2, $3, $4) on conflict do nothing`,
        [account.spendId, startOfUtcDay(at), startOfUtcWeek(at), startOfUtcMonth(at)],
      );
      // What a process left behind that died does not have to wait for the round.
      const { rows: dead } = await client.query(
        "delete from leases where spend_id = $1 and expires_at < now() and $2 returning amount",
        [account.spendId, mayReclaim()],
      );
      const freed: NanoUsd = dead.reduce((sum, lease) => sum + lease.amount, 0n);
      const { rows } = await client.query("update spends set reserved = reserved - $2 where id = $1 returning *", [
        account.spendId,
        freed,
      ]);
      const found = tightest(account, byok, spendOfRow(rows[0]), { own: rows[0].reserved, byok: 0n }, at);
      if (found === null) return null;
      if (found.room < missing) return shortageOf(account, found, missing, at);
      const slice = found.room / sliceDivisor;
      const grant = slice > missing ? slice : missing;
      await client.query("update spends set reserved = reserved + $2 where id = $1", [account.spendId, grant]);
      await client.query("update leases set amount = amount + $3 where spend_id = $1 and process_id = $2", [
        account.spendId,
        processId,
        grant,
      ]);
      return () => {
        purse.leased += grant;
        return null;
      };
    });
  }

  /** One exchange with the store at a time for each purse; everyone who waits looks again when it is over. */
  async function alone<T>(purse: Purse, work: () => Promise<T>): Promise<T> {
    purse.busy = true;
    try {
      return await work();
    } finally {
      purse.busy = false;
      purse.room.wake();
    }
  }

  async function giveBack(spendId: string, purse: Purse): Promise<void> {
    const free = purse.leased - purse.held;
    if (purse.busy || (free <= 0n && purse.held > 0n)) return;
    purse.leased = purse.held;
    // With nothing in flight the row is the truth, whatever this process believes of it.
    const whole = purse.held === 0n;
    const returned = whole
      ? "delete from leases where spend_id = $1 and process_id = $2 returning amount"
      : "update leases set amount = amount - $3 where spend_id = $1 and process_id = $2 and amount >= $3 returning $3::bigint as amount";
    await alone(purse, () =>
      store.pool.query(
        `with returned as (${returned})
         update spends set reserved = reserved - (select amount from returned)
         where id = $1 and exists (select from returned)`,
        whole ? [spendId, processId] : [spendId, processId, free],
      ),
    );
  }

  /** Says that this process lives, and learns which leases it has lost while it could not say so. */
  async function renew(): Promise<void> {
    const { rows } = await store.pool.query(
      `with mine as (
         select spend_id from leases where process_id = $1 order by spend_id for update skip locked
       )
       update leases l set expires_at = now() + $2 * interval '1 second' from mine
       where l.spend_id = mine.spend_id and l.process_id = $1
       returning l.spend_id`,
      [processId, leaseSeconds],
    );
    if (rows.length === purses.size) return;
    const { rows: kept } = await store.pool.query("select spend_id from leases where process_id = $1", [processId]);
    const alive = new Set(kept.map((row) => row.spend_id));
    for (const [spendId, purse] of purses) if (!alive.has(spendId) && !purse.busy) purse.leased = purse.held;
  }

  function mayReclaim(): boolean {
    return steadyMs() > leaseSeconds * 1_000;
  }

  async function reclaim(): Promise<void> {
    if (!mayReclaim()) return;
    await store.pool.query(
      `with dead as (
         select spend_id, process_id from leases where expires_at < now()
         order by spend_id, process_id for update skip locked
       ), ended as (
         delete from leases l using dead where l.spend_id = dead.spend_id and l.process_id = dead.process_id
         returning l.spend_id, l.amount
       ), sums as (
         select spend_id, sum(amount)::bigint as amount from ended group by spend_id order by spend_id
       )
       update spends s set reserved = s.reserved - sums.amount from sums where s.id = sums.spend_id`,
    );
  }

  async function sweep(): Promise<void> {
    const idleSince = performance.now() - idleMs;
    for (const [spendId, purse] of purses) {
      if (purse.usedAt > idleSince) continue;
      await giveBack(spendId, purse);
      if (purse.leased === 0n && purse.held === 0n && !purse.busy) purses.delete(spendId);
    }
  }

  // With the store away these fail; the next round does what they could not.
  const sweeper = setInterval(() => void sweep().catch(() => {}), sweepMs);
  const renewer = setInterval(
    () =>
      void renew()
        .then(reclaim, () => {})
        .catch(() => {}),
    renewMs,
  );
  sweeper.unref();
  renewer.unref();
  store.notices.listen(channel, (spendId) => {
    const purse = spendId === null ? undefined : purses.get(spendId);
    if (purse !== undefined && spendId !== null) void giveBack(spendId, purse).catch(() => {});
  });

  return {
    open: () => null,
    room(account) {
      const purse = purseOf(account);
      return purse.leased - purse.held;
    },
    hold(account, amount) {
      const purse = purseOf(account);
      purse.held += amount;
      purse.usedAt = performance.now();
    },
    release(account, amount) {
      const purse = purseOf(account);
      purse.held -= amount;
      purse.room.wake();
    },
    async more(account, needed, byok, deadline) {
      const purse = purseOf(account);
      if (purse.busy) {
        await purse.room.wait(deadline);
        return null;
      }
      const missing = needed - (purse.leased - purse.held);
      const shortage = await alone(purse, () => acquire(account, purse, missing, byok));
      if (shortage === null) return null;
      const mayFitLater = shortage.spent + needed <= shortage.limit && shortage.reserved > 0n;
      if (!mayFitLater || performance.now() >= deadline) return { ...shortage, needed };
      await store.notices.send(channel, account.spendId);
      await purse.room.wait(Math.min(deadline, performance.now() + askAgainMs));
      return null;
    },
    committed() {},
    leased(account, charge) {
      return limitsFor(account, false).length > 0 ? charge : 0n;
    },
    spent(account, charge) {
      const purse = purseOf(account);
      purse.held -= charge;
      purse.leased -= charge;
      purse.room.wake();
    },
    async close() {
      clearInterval(sweeper);
      clearInterval(renewer);
      // What cannot be given back now expires.
      for (const [spendId, purse] of purses) await giveBack(spendId, purse).catch(() => {});
    },
  };
}

type Work<T> = (client: pg.PoolClient) => Promise<T | (() => T)>;

/** Runs `work` in a transaction; what it returns as a function is called once the transaction is committed. */
async function inTransaction<T>(pool: pg.Pool, work: Work<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query("begin");
    const result = await work(client);
    await client.query("commit");
    return typeof result === "function" ? (result as () => T)() : result;
  } catch (error) {
    await client.query("rollback").catch(() => {});
    throw error;
  } finally {
    client.release();
  }
}
