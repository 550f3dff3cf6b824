import type { NanoUsd } from "#contract/money.ts";
import type { Store } from "../storage/store.ts";
import type { BodyKeeper } from "./bodies.ts";
import { createGroupCommit, CommitOverdue } from "./group-commit.ts";
import { accountSpendId, commitGroup, type Group, isPassing } from "./ledger-commit.ts";
import { bareEntry, type ChargedEntry, type LedgerEntry } from "./ledger-entry.ts";
import { type Account, type Demand, type Held, limitsFor, nothingHeld, type Purses, type Shortage } from "./purse.ts";
import { Refusal } from "./refusal.ts";

/** Money set aside for one call. Ends by `settle` or `release`, once. */
export interface Reservation {
  readonly accounts: readonly Account[];
  readonly amount: NanoUsd;
  readonly byok: boolean;
}

/** Thrown by `reserve` when the call does not fit. */
export class Short extends Error {
  readonly shortage: Shortage;
  constructor(shortage: Shortage) {
    super(`no room in the ${shortage.kind}`);
    this.name = "Short";
    this.shortage = shortage;
  }
}

/** What a settled call was charged. */
export interface Settlement {
  readonly own: NanoUsd;
  readonly byok: NanoUsd;
  readonly overrun: NanoUsd;
  /** resolves when the row is in the store */
  readonly committed: Promise<void>;
}

export interface Ledger {
  /**
   * Sets money aside in every account that limits the call, so that `settled + reserved ≤ limit` holds at every
   * instant. Where calls in flight hold what is missing, it waits for them.
   * @throws Short when it does not fit; Refusal unavailable when the store is away
   */
  reserve(demand: Demand): Promise<Reservation>;
  /** Charges the call. No limit is exceeded whatever the vendor counted: what does not fit is the entry's overrun. */
  settle(reservation: Reservation, entry: LedgerEntry): Settlement;
  /** Gives back what was set aside for a call that cost nothing and leaves no row; nothing where it was settled. */
  release(reservation: Reservation): void;
  /** true while the store does not take commits */
  troubled(): boolean;
  close(): Promise<void>;
}

interface Pending {
  readonly charged: ChargedEntry;
  /** those that the charge is held in until it is committed */
  readonly accounts: readonly Account[];
  readonly byokAccounts: readonly Account[];
}

export interface LedgerSettings {
  readonly store: Store;
  readonly now: () => Date;
  readonly purses: Purses;
  readonly processId: string;
  /** false while the store is known not to answer */
  readonly reachable: () => boolean;
  /** told after each commit */
  readonly committed?: () => void;
  /** seals bodies; without it none are kept */
  readonly pack?: BodyKeeper["pack"];
}

/** How long a call waits for others to give money back. */
const reservePatienceMs = 10_000;
/** How long a finished call waits for its commit before its caller is told to come back. */
const commitPatienceMs = 60_000;
/** Finished calls that may wait for the store; beyond that no new call is begun. */
const mostPending = 20_000;
const largestGroup = 1_000;
const stalledMs = 3_000;

export function createLedger({ store, now, purses, processId, reachable, committed, pack }: LedgerSettings): Ledger {
  // A group that is written again after a failure has to be the same to the byte, its instant included.
  const instants = new WeakMap<Pending, Date>();

  const commits = createGroupCommit<Pending>({
    async write(pending) {
      const [first] = pending;
      if (first === undefined) return;
      const at = instants.get(first) ?? now();
      for (const each of pending) instants.set(each, at);
      await commitGroup(store, {
        entries: pending.map((each) => each.charged),
        at,
        leased: leasedBy(pending),
        processId,
        ...(pack === undefined ? {} : { bodies: pack(bodiesOf(pending)) }),
      });
      conclude(pending, at);
      committed?.();
    },
    retryable: isPassing,
    patienceMs: commitPatienceMs,
    largestGroup,
  });

  function bodiesOf(pending: readonly Pending[]) {
    return pending.flatMap(({ charged: { entry } }) => (entry.body ? [{ ...entry, body: entry.body }] : []));
  }

  function leasedBy(pending: readonly Pending[]): Group["leased"] {
    const amounts = new Map<string, NanoUsd>();
    const add = (accounts: readonly Account[], charge: NanoUsd) => {
      for (const account of accounts) {
        const amount = purses.leased(account, charge);
        if (amount > 0n) amounts.set(account.spendId, (amounts.get(account.spendId) ?? 0n) + amount);
      }
    };
    for (const { accounts, byokAccounts, charged } of pending) {
      add(accounts, charged.own);
      add(byokAccounts, charged.byok);
    }
    return [...amounts].map(([spendId, amount]) => ({ spendId, amount }));
  }

  function conclude(group: readonly Pending[], at: Date) {
    const charges = new Map<string, Held>();
    for (const { charged } of group) {
      const { spendId, workspaceId } = charged.entry;
      for (const id of [spendId, workspaceId, accountSpendId]) {
        const { own, byok } = charges.get(id) ?? nothingHeld;
        charges.set(id, { own: own + charged.own, byok: byok + charged.byok });
      }
    }
    for (const [spendId, charge] of charges) purses.committed(spendId, charge, at);
    for (const { charged, accounts, byokAccounts } of group) {
      for (const account of byokAccounts) purses.spent(account, charged.byok, true);
      for (const account of accounts) purses.spent(account, charged.own, false);
    }
  }

  const troubled = () => commits.failing() || commits.stalledMs() > stalledMs || !reachable();

  function refuseIfAway(limited: boolean) {
    const away = limited ? troubled() : commits.pending() > mostPending;
    if (!away) return;
    throw new Refusal("unavailable", "The ledger's store does not answer, so no limit can be checked: try again", {
      retryAfterSeconds: 2,
    });
  }

  /** Turns what was reserved into what is charged, never beyond the room that the limits leave. */
  function charge({ accounts, amount, byok }: Reservation, entry: LedgerEntry): Pending {
    for (const account of accounts) purses.hold(account, -amount, byok);
    const own = bearable(accounts, entry.cost, false);
    for (const account of accounts) purses.hold(account, own, false);
    const byokAccounts = entry.byokCost === 0n ? [] : accounts.filter((account) => limitsFor(account, true).length > 0);
    const other = bearable(byokAccounts, entry.byokCost, true);
    for (const account of byokAccounts) purses.hold(account, other, true);
    const overrun = entry.cost - own + entry.byokCost - other;
    return { charged: { entry, own, byok: other, overrun }, accounts, byokAccounts };
  }

  function bearable(accounts: readonly Account[], cost: NanoUsd, byok: boolean): NanoUsd {
    let most = cost;
    for (const account of accounts) {
      const room = purses.room(account, byok);
      if (room < most) most = room > 0n ? room : 0n;
    }
    return most;
  }

  const open = new WeakSet<Reservation>();
  function opened(reservation: Reservation): Reservation {
    open.add(reservation);
    return reservation;
  }

  return {
    async reserve(demand) {
      const { byok, least, most } = demand;
      const accounts = demand.accounts.filter((account) => limitsFor(account, byok).length > 0);
      refuseIfAway(accounts.length > 0);
      const deadline = performance.now() + reservePatienceMs;
      while (accounts.length > 0) {
        for (const account of accounts) await openOrRefuse(purses, account);
        let amount = most;
        let tight: Account | null = null;
        for (const account of accounts) {
          const room = purses.room(account, byok);
          if (room < amount) amount = room;
          if (room < least) tight ??= account;
        }
        if (tight === null) {
          for (const account of accounts) purses.hold(account, amount, byok);
          return opened({ accounts, amount, byok });
        }
        const shortage = await purses.more(tight, least, byok, deadline);
        if (shortage !== null) throw new Short(shortage);
        refuseIfAway(true);
      }
      return opened({ accounts, amount: most, byok });
    },

    settle(reservation, entry) {
      if (!open.delete(reservation)) throw new Error("a reservation is settled twice, or was released");
      const pending = charge(reservation, entry);
      const { own, byok, overrun } = pending.charged;
      // Those who wait for what was reserved and not charged may look again.
      for (const account of reservation.accounts) purses.release(account, 0n, false);
      const bare = () => {
        const { entry: whole, ...rest } = pending.charged;
        return { ...pending, charged: { entry: bareEntry(whole), ...rest } };
      };
      const add = async () => {
        await commits.add(pending).catch(async (error: unknown) => {
          if (error instanceof CommitOverdue) throw error;
          await commits.add(bare());
        });
      };
      const committed = add().catch((error: unknown) => {
        if (error instanceof CommitOverdue) {
          throw new Refusal("unavailable", "The call was made, but the ledger's store does not answer: try again", {
            retryAfterSeconds: 5,
          });
        }
        for (const account of pending.byokAccounts) purses.release(account, byok, true);
        for (const account of pending.accounts) purses.release(account, own, false);
        throw error;
      });
      return { own, byok, overrun, committed };
    },

    release(reservation) {
      if (!open.delete(reservation)) return;
      const { accounts, amount, byok } = reservation;
      for (const account of accounts) purses.release(account, amount, byok);
    },

    troubled,

    async close() {
      await commits.drain();
      await purses.close();
    },
  };
}

async function openOrRefuse(purses: Purses, account: Account): Promise<void> {
  const opening = purses.open(account);
  if (opening === null) return;
  try {
    await opening;
  } catch {
    throw new Refusal("unavailable", "The store does not answer, so no limit can be checked: try again", {
      retryAfterSeconds: 2,
    });
  }
}
