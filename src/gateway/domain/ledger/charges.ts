import type { NanoUsd } from "#contract/money.ts";
import { startOfUtcHour } from "#contract/time.ts";
import { Refusal } from "../refusal.ts";
import { isDeadlock } from "../transaction.ts";
import { type Account, type Balances, limitsFor } from "./balance.ts";
import { commitGroup, countersOf, type Group, isPassing, LeaseGone } from "./commit.ts";
import { bareEntry, type ChargedEntry, chargeOf, countable, type LedgerEntry, rowText } from "./entry.ts";
import { largestFold } from "./fold.ts";
import { CommitOverdue, createGroupCommit } from "./group-commit.ts";
import type { LedgerSettings } from "./ledger-settings.ts";
import { addCharge, type Charge, noCharge } from "./limits.ts";
import { type Chargeable, commitWithinRoom } from "./recharge.ts";
import type { Reservation } from "./reservations.ts";

/** How long a finished call waits for its commit before the caller is asked to come back later. */
const commitPatienceMs = 60_000;
const largestGroup = 1_000;
/** Characters of kept bodies in one statement: what they take to seal and write, other calls' commits wait for. */
const largestSize = 250_000;
const stalledMs = 3_000;
/** How long a call that is in the journal waits to be folded with others: the larger the group, the less each costs. */
const lingerMs = 200;
/** A connection that went silent says nothing of it for a quarter of an hour; a commit takes milliseconds. */
const silenceMs = 15_000;

/** Charges finished calls, and commits the charges. The balances hold a charge until it is committed. */
export function createCharges({ store, now, balances, processId, committed, pack }: Omit<LedgerSettings, "reachable">) {
  // A group that is written again after a failure must be byte-for-byte the same, including its instant.
  const instants = new WeakMap<Chargeable, Date>();

  const { journal } = store;
  const recording = new Set<Promise<unknown>>();
  /** The store rejects a call even without its text: the call stays in the journal, and no other is started. */
  let rejected = false;
  const timeout = store.engine === "postgres" ? { timeoutMs: silenceMs } : {};

  const commits = createGroupCommit<Chargeable>({
    async write(calls) {
      const last = calls.at(-1);
      if (last === undefined) return;
      const at = instantOf(last);
      for (const each of calls) instants.set(each, at);
      const bodies = pack === undefined ? {} : { bodies: pack(bodiesOf(calls)) };
      const leased = leasedBy(balances, calls);
      try {
        const entries = calls.map(({ charged }) => charged);
        await commitGroup(store.unfolded, { entries, at, leased, processId, ...timeout, ...bodies });
      } catch (error) {
        if (!(error instanceof LeaseGone)) throw error;
        await commitWithinRoom(store.unfolded, calls, { at, processId, ...timeout, ...bodies });
        balances.lost(leased.map(({ spendId }) => spendId));
      }
      conclude(balances, calls, at);
      committed?.();
    },
    retryable: isPassing,
    yielded: isDeadlock,
    patienceMs: commitPatienceMs,
    reduced: (call) => ({ ...call, charged: { ...call.charged, entry: bareEntry(call.charged.entry) } }),
    largestGroup: journal === null ? largestGroup : largestFold,
    // What the journal says a call was charged at decides its periods, however late it is folded.
    ...(journal !== null && { lingerMs, alike: (one, other) => hourOf(one) === hourOf(other) }),
    sizeOf: ({ charged }) => charged.entry.body?.json.length ?? 0,
    largestSize,
  });

  /** Resolves when the call is durable: in the journal, which is folded behind it, or else in the tables. */
  async function record(call: Chargeable): Promise<void> {
    const { charged } = call;
    const at = instant();
    // Bodies are sealed for a whole group, when that is committed.
    const journaled = charged.entry.body
      ? null
      : await journal?.append(`{"at":"${at.toISOString()}","row":${journaledText(charged)}}`);
    if (journaled == null) return await commits.add(call);
    instants.set(call, at);
    commits.addLater(call).then(journaled.folded, () => (rejected = true));
  }

  async function tracked(recorded: Promise<void>): Promise<void> {
    recording.add(recorded);
    await recorded.finally(() => recording.delete(recorded));
  }

  const instantOf = (call: Chargeable) => instants.get(call) ?? instant();
  const hourOf = (call: Chargeable) => startOfUtcHour(instantOf(call)).getTime();

  function instant(): Date {
    const [at, day] = [now(), balances.latestDay()];
    return day !== null && day > at ? day : at;
  }

  journal?.foldBy(commits.flush);

  return {
    pending: commits.pending,
    async drain() {
      await Promise.allSettled(recording);
      await commits.drain();
    },
    /** true while commits fail or take too long */
    troubled: () => rejected || commits.failing() || commits.stalledMs() > stalledMs,

    /** Turns what was reserved into what is charged, never beyond the room that the limits leave. */
    charge({ accounts, amount, byok }: Reservation, reported: LedgerEntry): Chargeable {
      const entry = countable(reported);
      for (const account of accounts) balances.hold(account, -amount, byok);
      const own = chargeableCost(balances, accounts, { cost: entry.cost, byok: false, reserved: byok ? 0n : amount });
      for (const account of accounts) balances.hold(account, own, false);
      const byokAccounts =
        entry.byokCost === 0n ? [] : accounts.filter((account) => limitsFor(account, true).length > 0);
      const other = chargeableCost(balances, byokAccounts, {
        cost: entry.byokCost,
        byok: true,
        reserved: byok ? amount : 0n,
      });
      for (const account of byokAccounts) balances.hold(account, other, true);
      // Calls that wait for money that was reserved but not charged can check again.
      for (const account of accounts) balances.release(account, 0n, false);
      const overrun = entry.cost - own + entry.byokCost - other;
      return { charged: { entry, own, byok: other, overrun }, accounts, byokAccounts };
    },

    /**
     * Resolves when the call is durable: in the journal, or its row in the store, without callers' and providers' text if
     * the store rejects that.
     */
    async commit(call: Chargeable): Promise<void> {
      const { charged, accounts, byokAccounts } = call;
      try {
        if (journal === null) await commits.add(call);
        else await tracked(record(call));
      } catch (error) {
        if (error instanceof CommitOverdue) {
          throw new Refusal("unavailable", "The call was made, but the ledger's store does not answer: try again", {
            retryAfterSeconds: 5,
          });
        }
        for (const account of byokAccounts) balances.release(account, charged.byok, true);
        for (const account of accounts) balances.release(account, charged.own, false);
        throw error;
      }
    },
  };
}

/** The row for the journal, without callers' and providers' text where that cannot be written: the charge must not be lost. */
function journaledText(charged: ChargedEntry): string {
  try {
    return rowText(charged);
  } catch {
    return rowText({ ...charged, entry: bareEntry(charged.entry) });
  }
}

/** How much of a cost the limits leave room for. */
function chargeableCost(
  balances: Balances,
  accounts: readonly Account[],
  { cost, byok, reserved }: { cost: NanoUsd; byok: boolean; reserved: NanoUsd },
): NanoUsd {
  let most = cost;
  for (const account of accounts) {
    const room = balances.chargeable(account, byok, reserved);
    if (room !== null && room < most) most = room > 0n ? room : 0n;
  }
  return most;
}

function bodiesOf(calls: readonly Chargeable[]) {
  return calls.flatMap(({ charged: { entry } }) => (entry.body ? [{ ...entry, body: entry.body }] : []));
}

/** What the calls use up of this process's leases. */
function leasedBy(balances: Balances, calls: readonly Chargeable[]): Group["leased"] {
  const amounts = new Map<string, NanoUsd>();
  const add = (accounts: readonly Account[], charge: NanoUsd) => {
    for (const account of accounts) {
      const amount = balances.leased(account, charge);
      if (amount > 0n) amounts.set(account.spendId, (amounts.get(account.spendId) ?? 0n) + amount);
    }
  };
  for (const { accounts, byokAccounts, charged } of calls) {
    add(accounts, charged.own);
    add(byokAccounts, charged.byok);
  }
  return [...amounts].map(([spendId, amount]) => ({ spendId, amount }));
}

/** The calls are committed: the balances count them, and hold them no longer. */
function conclude(balances: Balances, calls: readonly Chargeable[], at: Date): void {
  const charges = new Map<string, Charge>();
  for (const { charged } of calls) {
    for (const id of countersOf(charged.entry)) {
      charges.set(id, addCharge(charges.get(id) ?? noCharge, chargeOf(charged)));
    }
  }
  for (const [spendId, charge] of charges) balances.committed(spendId, charge, at);
  for (const { charged, accounts, byokAccounts } of calls) {
    for (const account of byokAccounts) balances.spent(account, charged.byok, true);
    for (const account of accounts) balances.spent(account, charged.own, false);
  }
}
