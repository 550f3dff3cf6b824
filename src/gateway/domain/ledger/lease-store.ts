import type pg from "pg";
import type { NanoUsd } from "#contract/money.ts";
import { startOfUtcDay, startOfUtcMonth, startOfUtcWeek } from "#contract/time.ts";
import type { Store } from "../../storage/store.ts";
import { inTransaction } from "../transaction.ts";
import { type Account, countedInRow, type LatestDay, type Shortfall, shortfallOf, tightest } from "./balance.ts";
import { lockLimits, unreserve } from "./lease-recall.ts";

// The statements of leasing. Leases are locked before counters.

/** One of the processes that share the store. */
export interface LeaseHolder {
  readonly store: Store;
  readonly now: () => Date;
  readonly latestDay: LatestDay;
  readonly processId: string;
  /** a lease that is not renewed for this long is reclaimed, by the store's clock, which all processes share */
  readonly leaseMs: number;
  /**
   * How long the store has answered without interruption. After an outage, live processes get a full lease period to
   * report before what they hold is reclaimed.
   */
  readonly steadyMs: () => number;
  /** whether each process holds a lock while it lives: then the leases of ended ones are released early */
  readonly presence: boolean;
  readonly warn: (message: string, details: object) => void;
}

/** What this process knows of its lease, in nano-dollars. */
interface LeaseState {
  /** how much the store lets it spend */
  readonly leased: NanoUsd;
  /** the part that calls in flight hold */
  readonly held: NanoUsd;
  /** it was reclaimed */
  readonly lost: boolean;
}

/** Whether leases that were not renewed in time may be reclaimed now. */
export const mayReclaim = ({ steadyMs, leaseMs }: LeaseHolder) => steadyMs() > leaseMs;

/** A call that needs more than this process has leased. */
export interface LeaseRequest {
  readonly account: Account;
  readonly needed: NanoUsd;
  readonly byok: boolean;
}

export interface LeaseAnswer {
  readonly shortfall: Shortfall | null;
  readonly granted: NanoUsd;
  /** what the limits left before the grant: negative where more is leased under those of another owner. Null: no limit */
  readonly room: NanoUsd | null;
  /** the lease starts over: what was granted before is gone */
  readonly isNew: boolean;
  /** nothing is granted yet: a limit was lowered, the notification is on its way, and the free part goes back first */
  readonly isRecalled: boolean;
}

/**
 * A slice is at most this fraction of what is left, so that several processes get one, and a small remainder is split
 * into small slices.
 */
const sliceDivisor = 8n;
/** Leasing takes milliseconds, and waits for another process's change of limits at most some seconds. */
const silenceMs = 15_000;
/** Of a process that is frozen while it holds the lock, the others' calls wait no longer than this. */
const idleMs = 3_000;

/** Leases what is missing, and some more if there is room. Calls use the lease while the store answers. */
export async function requestLease(
  holder: LeaseHolder,
  lease: LeaseState,
  { account, needed, byok }: LeaseRequest,
): Promise<LeaseAnswer> {
  const { store, processId, now, latestDay } = holder;
  const { spendId } = account;
  const wasLost = lease.lost;
  return await inTransaction(
    store.pool,
    async (client) => {
      const at = now();
      await client.query(lockLimits, [spendId]);
      const mine = await touchLease(client, holder, spendId);
      const isNew = wasLost || mine.isNew;
      if (mine.isRecalled && !isNew) return { shortfall: null, granted: 0n, room: 0n, isNew, isRecalled: true };
      await client.query(
        `insert into spends (id, day_start, week_start, month_start) values ($1, $2, $3, $4) on conflict do nothing`,
        [spendId, startOfUtcDay(at), startOfUtcWeek(at), startOfUtcMonth(at)],
      );
      const reclaimed = await reclaimOf(client, holder, spendId);
      // What is left of a lost lease is returned: calls still in flight are reserved for again.
      const leftover = isNew ? mine.amount : 0n;
      if (leftover > 0n || mine.isRecalled) {
        await client.query("update leases set amount = 0, recalled = false where spend_id = $1 and process_id = $2", [
          spendId,
          processId,
        ]);
      }
      const { rows } = await client.query("update spends set reserved = reserved - $2 where id = $1 returning *", [
        spendId,
        reclaimed + leftover,
      ]);
      const counted = countedInRow(rows[0]);
      latestDay.see(counted.spend);
      const missing = needed + lease.held - (isNew ? 0n : lease.leased);
      // Not the limits that the caller was authorized by: they may have changed since.
      const limits = (await account.readLimits?.(client)) ?? account.limits;
      const found = tightest({ limits }, byok, counted, at);
      const answer = { room: found?.room ?? null, isNew, isRecalled: false };
      if (found !== null && found.room < missing) {
        // What is leased here and held by no call is not in the way.
        const reserved = found.reserved - (isNew ? 0n : lease.leased - lease.held);
        const kept = counted.held.own - (await leasedOf(client, spendId));
        const shortfall = { ...shortfallOf(account, { ...found, reserved }, missing, at), kept };
        return { ...answer, shortfall, granted: 0n };
      }
      const slice = (found?.room ?? 0n) / sliceDivisor;
      const least = missing > 0n ? missing : 0n;
      const granted = slice > least ? slice : least;
      await client.query("update spends set reserved = reserved + $2 where id = $1", [spendId, granted]);
      await client.query("update leases set amount = amount + $3 where spend_id = $1 and process_id = $2", [
        spendId,
        processId,
        granted,
      ]);
      return { ...answer, shortfall: null, granted };
    },
    { mostMs: silenceMs, idleMs },
  );
}

/** What all processes have leased of a spend. */
async function leasedOf(client: pg.PoolClient, spendId: string): Promise<NanoUsd> {
  const { rows } = await client.query<{ leased: NanoUsd }>(
    "select coalesce(sum(amount), 0)::bigint as leased from leases where spend_id = $1",
    [spendId],
  );
  return rows[0]?.leased ?? 0n;
}

/** Renews this process's lease of a spend, or creates it with nothing in it. */
async function touchLease(client: pg.PoolClient, { processId, leaseMs }: LeaseHolder, spendId: string) {
  const { rows } = await client.query<{ amount: NanoUsd; fresh: boolean; recalled: boolean }>(
    `insert into leases (spend_id, process_id, amount, expires_at) values ($1, $2, 0, now() + $3 * interval '1 ms')
     on conflict (spend_id, process_id) do update set expires_at = excluded.expires_at, absent_since = null
     returning amount, recalled, xmax = 0 as fresh`,
    [spendId, processId, leaseMs],
  );
  const [row] = rows;
  return { amount: row?.amount ?? 0n, isNew: row?.fresh === true, isRecalled: row?.recalled === true };
}

/** Deletes the leases of a spend that ended processes left behind, without waiting for the next round. */
async function reclaimOf(client: pg.PoolClient, holder: LeaseHolder, spendId: string) {
  const { rows } = await client.query<{ amount: NanoUsd }>(
    `delete from leases where spend_id = $1 and process_id in (
       select process_id from leases where spend_id = $1 and process_id <> $2 and expires_at < now() and $3
       order by process_id for update skip locked
     ) returning amount`,
    [spendId, holder.processId, mayReclaim(holder)],
  );
  return rows.reduce((sum, lease) => sum + lease.amount, 0n);
}

/** Returns a part of a lease, or all of it and the lease itself: then the row says how much it was. */
export async function returnLease(
  { store, processId }: LeaseHolder,
  spendId: string,
  amount: NanoUsd | "all",
): Promise<void> {
  const returned =
    amount === "all"
      ? "delete from leases where spend_id = $1 and process_id = $2 returning spend_id, amount"
      : "update leases set amount = amount - $3, recalled = false where spend_id = $1 and process_id = $2 and amount >= $3 returning spend_id, $3::bigint as amount";
  await store.pool.query(
    `with returned as (${returned}) ${unreserve("returned")}`,
    amount === "all" ? [spendId, processId] : [spendId, processId, amount],
  );
}

/** Reports that this process is alive. @returns its leases that nobody is changing right now */
export async function renewLeases({ store, processId, leaseMs }: LeaseHolder) {
  const { rows } = await store.pool.query<{ spend_id: string; recalled: boolean }>(
    `with mine as (
       select spend_id from leases where process_id = $1 order by spend_id for update skip locked
     )
     update leases l set expires_at = now() + $2 * interval '1 ms', absent_since = null from mine
     where l.spend_id = mine.spend_id and l.process_id = $1
     returning l.spend_id, l.recalled`,
    [processId, leaseMs],
  );
  return rows;
}

/** The spends that this process has a lease of. */
export async function leasedSpends({ store, processId }: LeaseHolder): Promise<ReadonlySet<string>> {
  const { rows } = await store.pool.query("select spend_id from leases where process_id = $1", [processId]);
  return new Set(rows.map((row) => row.spend_id));
}

/** How long a process may lack its lock before it counts as ended: longer than reconnecting takes. */
const absenceMs = 2_500;

/**
 * Processes that hold leases but no lock, now and a while ago: one whose connection merely broke has it back by then.
 * The observation is stored, so that it survives this process if it ends as soon as they did.
 */
export async function endedProcesses({ store, processId }: LeaseHolder): Promise<string[]> {
  const { rows } = await store.pool.query<{ process_id: string; ended: boolean }>(
    `select process_id, since < now() - $2 * interval '1 ms' as ended
     from (select process_id, min(absent_since) as since from leases where process_id <> $1 group by process_id) as other
     where pg_try_advisory_xact_lock(hashtextextended(process_id::text, 0))`,
    [processId, absenceMs],
  );
  const seen = rows.filter(({ ended }) => !ended).map((row) => row.process_id);
  if (seen.length > 0) {
    await store.pool.query(
      `with absent as (
         select spend_id, process_id from leases where process_id = any($1) and absent_since is null
         order by spend_id, process_id for update skip locked
       )
       update leases l set absent_since = now() from absent
       where l.spend_id = absent.spend_id and l.process_id = absent.process_id`,
      [seen],
    );
  }
  return rows.filter(({ ended }) => ended).map((row) => row.process_id);
}

/** Gives back what these processes leased, and what was not renewed if that may be said now. @returns how many leases */
export async function reclaimLeases(holder: LeaseHolder, ended: readonly string[]): Promise<number> {
  const { rowCount } = await holder.store.pool.query(
    `with dead as (
       select spend_id, process_id from leases where (expires_at < now() and $1) or process_id = any($2)
       order by spend_id, process_id for update skip locked
     ), ended as (
       delete from leases l using dead where l.spend_id = dead.spend_id and l.process_id = dead.process_id
       returning l.spend_id, l.amount
     )
     ${unreserve("ended")}`,
    [mayReclaim(holder), ended],
  );
  return rowCount ?? 0;
}
