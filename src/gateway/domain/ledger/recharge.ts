import type pg from "pg";
import type { NanoUsd } from "#contract/money.ts";
import { startOfUtcDay, startOfUtcMonth, startOfUtcWeek } from "#contract/time.ts";
import { commitGroup, countersOf, type Group } from "./commit.ts";
import { type ChargedEntry, chargeOf } from "./entry.ts";
import { addSpend, type LimitSettings, type Spend, spendOfRow } from "./limits.ts";
import { type Account, tightest } from "./balance.ts";
import { inTransaction } from "../transaction.ts";

/** An entry, and the accounts whose limits it counts toward. */
export interface Chargeable {
  readonly charged: ChargedEntry;
  readonly accounts: readonly Account[];
  readonly byokAccounts: readonly Account[];
}

interface Counter {
  spend: Spend;
  reserved: NanoUsd;
  /** of it, this process's lease */
  readonly leased: NanoUsd;
  /** the part of that which the group uses up */
  used: NanoUsd;
}

/**
 * Commits a group whose leases were reclaimed because its process did not renew them in time: the money may be spent by
 * now. Each call is charged within the room that is left at this moment; the rest becomes overrun.
 */
export async function commitWithinRoom(
  pool: pg.Pool,
  calls: readonly Chargeable[],
  group: Omit<Group, "entries" | "leased">,
): Promise<void> {
  await inTransaction(pool, async (client) => await chargeWithinRoom(client, calls, group), {
    mostMs: group.timeoutMs,
  });
}

/** The same in a transaction. @returns what was charged */
export async function chargeWithinRoom(
  client: pg.PoolClient,
  calls: readonly Chargeable[],
  group: Omit<Group, "entries" | "leased">,
): Promise<readonly ChargedEntry[]> {
  const counters = await lockCounters(client, calls, group);
  const entries: ChargedEntry[] = [];
  for (const call of await withLimitsNow(client, calls)) entries.push(recharge(call, counters, group.at));
  const leased = [...counters].flatMap(([spendId, { used }]) => (used > 0n ? [{ spendId, amount: used }] : []));
  await commitGroup(client, { ...group, entries, leased });
  return entries;
}

/** The leases may have been reclaimed because a limit was lowered: the store's current limit applies. */
async function withLimitsNow(client: pg.PoolClient, calls: readonly Chargeable[]): Promise<Chargeable[]> {
  const known = new Map<string, readonly LimitSettings[]>();
  const now = async (accounts: readonly Account[], keyHash: string) => {
    const read: Account[] = [];
    for (const account of accounts) {
      const id = `${account.spendId} ${keyHash}`;
      const limits = known.get(id) ?? (await account.readLimits?.(client)) ?? account.limits;
      known.set(id, limits);
      read.push({ ...account, limits });
    }
    return read;
  };
  const mapped: Chargeable[] = [];
  for (const { charged, accounts, byokAccounts } of calls) {
    const { keyHash } = charged.entry;
    mapped.push({ charged, accounts: await now(accounts, keyHash), byokAccounts: await now(byokAccounts, keyHash) });
  }
  return mapped;
}

/** All counters that the group changes: locking only some of them could deadlock with another commit. */
async function lockCounters(
  client: pg.PoolClient,
  calls: readonly Chargeable[],
  { at, processId }: Pick<Group, "at" | "processId">,
): Promise<Map<string, Counter>> {
  const ids = [...new Set(calls.flatMap(({ charged: { entry } }) => countersOf(entry)))];
  const leases = await client.query<{ spend_id: string; amount: bigint }>(
    "select spend_id, amount from leases where process_id = $1 and spend_id = any($2) order by spend_id for update",
    [processId, ids],
  );
  await client.query(
    `insert into spends (id, day_start, week_start, month_start)
     select id, $2, $3, $4 from unnest($1::uuid[]) as id order by id on conflict do nothing`,
    [ids, startOfUtcDay(at), startOfUtcWeek(at), startOfUtcMonth(at)],
  );
  const spends = await client.query<Parameters<typeof spendOfRow>[0] & { id: string; reserved: bigint }>(
    "select * from spends where id = any($1) order by id for update",
    [ids],
  );
  const leased = new Map(leases.rows.map((row) => [row.spend_id, row.amount]));
  return new Map(
    spends.rows.map((row): [string, Counter] => [
      row.id,
      { spend: spendOfRow(row), reserved: row.reserved, leased: leased.get(row.id) ?? 0n, used: 0n },
    ]),
  );
}

function recharge(
  { charged: { entry }, accounts, byokAccounts }: Chargeable,
  counters: Map<string, Counter>,
  at: Date,
): ChargedEntry {
  const take = (from: readonly Account[], cost: NanoUsd, isByok: boolean): NanoUsd => {
    let most = cost;
    for (const account of from) {
      const counter = counters.get(account.spendId);
      if (counter === undefined) continue;
      const others = { own: counter.reserved - counter.leased, byok: 0n };
      const room = tightest(account, isByok, { spend: counter.spend, held: others }, at)?.room ?? most;
      if (room < most) most = room > 0n ? room : 0n;
    }
    return most;
  };
  const own = take(accounts, entry.cost, false);
  const byok = take(byokAccounts, entry.byokCost, true);
  const charged: ChargedEntry = { entry, own, byok, overrun: entry.cost - own + entry.byokCost - byok };
  const use = (from: readonly Account[], amount: NanoUsd) => {
    for (const { spendId } of from) {
      const counter = counters.get(spendId);
      if (counter === undefined) continue;
      const left = counter.leased - counter.used;
      const used = amount < left ? amount : left;
      counter.used += used;
    }
  };
  use(accounts, own);
  use(byokAccounts, byok);
  for (const id of countersOf(entry)) {
    const counter = counters.get(id);
    if (counter !== undefined) counter.spend = addSpend(counter.spend, chargeOf(charged), at);
  }
  return charged;
}
