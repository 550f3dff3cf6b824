import type pg from "pg";
import type { NanoUsd } from "#contract/money.ts";
import { startOfUtcDay, startOfUtcMonth, startOfUtcWeek } from "#contract/time.ts";
import { inTransaction } from "../transaction.ts";
import type { Account } from "./balance.ts";
import { accountSpendId } from "./commit.ts";
import { type ChargedEntry, chargeOf, countable, type LedgerEntry } from "./entry.ts";
import type { LedgerSettings } from "./ledger-settings.ts";
import { budgetLimits, creditLimits, keyLimits, makerLimits, memberLimits } from "./limit-reads.ts";
import { chargeWithinRoom } from "./recharge.ts";
import type { Reservation } from "./reservations.ts";

/** A reservation that the store holds: part of `spends.reserved`, and of no lease. */
export interface Kept {
  readonly spendIds: readonly string[];
  /** on each of them, nano-dollars */
  readonly amount: NanoUsd;
}

/** Closes what the reservation was kept for, in the transaction that charges it. */
export type CloseKept = (client: pg.PoolClient, charged: ChargedEntry) => Promise<void>;

/** The lease of no process: what is kept is charged from what the store holds. */
const noProcess = "00000000-0000-0000-0000-000000000000";
const silenceMs = 15_000;

/** Thrown in the transaction, by `close` as well, where the call was charged before. */
export class SettledBefore extends Error {
  override readonly name = "SettledBefore";
}

/** Reservations of what outlives a process. */
export function createKept({ store, now, balances, processId, committed, pack }: Omit<LedgerSettings, "reachable">) {
  const mostMs = store.engine === "postgres" ? silenceMs : undefined;

  return {
    async keep({ accounts, amount, byok }: Reservation, work: (client: pg.PoolClient) => Promise<void>) {
      const ids = accounts.map(({ spendId }) => spendId);
      const unleased = await inTransaction(
        store.pool,
        async (client) => {
          const without = amount === 0n ? [] : await takeOver(client, { ids, amount, processId, at: now() });
          await work(client);
          return without;
        },
        { mostMs },
      );
      balances.lost(unleased);
      for (const account of accounts) balances.keep(account, amount, byok);
    },

    async settle({ spendIds, amount }: Kept, reported: LedgerEntry, close: CloseKept): Promise<ChargedEntry | null> {
      const entry = countable(reported);
      const accounts = accountsOf(entry);
      const day = balances.latestDay();
      const at = day !== null && day > now() ? day : now();
      const ids = accounts.map(({ spendId }) => spendId);
      try {
        const charged = await inTransaction(
          store.pool,
          async (client) => {
            const { rows: before } = await client.query(
              "select from ledger where workspace_id = $1 and created_at = $2 and id = $3",
              [entry.workspaceId, entry.createdAt, entry.id],
            );
            if (before.length > 0) throw new SettledBefore();
            await client.query("select from spends where id = any($1) order by id for update", [ids]);
            await client.query("update spends set reserved = reserved - $2 where id = any($1)", [spendIds, amount]);
            const call = { charged: { entry, own: 0n, byok: 0n, overrun: 0n }, accounts, byokAccounts: accounts };
            const bodies = entry.body && pack !== undefined ? { bodies: pack([{ ...entry, body: entry.body }]) } : {};
            const [made] = await chargeWithinRoom(client, [call], { at, processId: noProcess, ...bodies });
            if (made === undefined) throw new Error("a call was not charged");
            await close(client, made);
            return made;
          },
          { mostMs },
        );
        for (const spendId of spendIds) balances.unkeep(spendId, amount);
        for (const spendId of ids) balances.committed(spendId, chargeOf(charged), at);
        committed?.();
        return charged;
      } catch (error) {
        if (error instanceof SettledBefore) return null;
        throw error;
      }
    },
  };
}

interface TakeOver {
  readonly ids: readonly string[];
  readonly amount: NanoUsd;
  readonly processId: string;
  readonly at: Date;
}

/**
 * Takes an amount out of this process's leases, but not out of what is reserved. What is not leased is reserved anew.
 * @returns the spends of which nothing was leased
 */
async function takeOver(client: pg.PoolClient, { ids, amount, processId, at }: TakeOver): Promise<string[]> {
  const { rows } = await client.query<{ spend_id: string }>(
    `with mine as (
       select spend_id from leases where spend_id = any($1) and process_id = $2 and amount >= $3
       order by spend_id for update
     )
     update leases l set amount = l.amount - $3 from mine
     where l.spend_id = mine.spend_id and l.process_id = $2 returning l.spend_id`,
    [ids, processId, amount],
  );
  const leased = new Set(rows.map((row) => row.spend_id));
  const rest = ids.filter((id) => !leased.has(id)).toSorted();
  if (rest.length === 0) return rest;
  await client.query(
    `insert into spends as s (id, day_start, week_start, month_start, reserved)
     select id, $2, $3, $4, $5 from unnest($1::uuid[]) as id order by id
     on conflict (id) do update set reserved = s.reserved + excluded.reserved`,
    [rest, startOfUtcDay(at), startOfUtcWeek(at), startOfUtcMonth(at), amount],
  );
  return rest;
}

/** The accounts of a call, whose limits are read when it is charged. */
function accountsOf({ spendId, keyHash, workspaceId, memberSpendId, makerSpendId }: LedgerEntry): readonly Account[] {
  const member = (id: string): Account => ({
    spendId: id,
    kind: "member",
    limits: [],
    readLimits: (s) => memberLimits(s, id),
  });
  const maker = (id: string): Account => ({
    spendId: id,
    owner: keyHash,
    kind: "maker",
    limits: [],
    readLimits: (s) => makerLimits(s, keyHash),
  });
  return [
    { spendId, owner: keyHash, kind: "key", limits: [], readLimits: (s) => keyLimits(s, keyHash) },
    { spendId: workspaceId, kind: "workspace_budget", limits: [], readLimits: (s) => budgetLimits(s, workspaceId) },
    ...(memberSpendId === null ? [] : [member(memberSpendId)]),
    ...(makerSpendId === null ? [] : [maker(makerSpendId)]),
    { spendId: accountSpendId, kind: "credits", limits: [], readLimits: creditLimits },
  ];
}
