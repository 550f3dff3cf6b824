import type { NanoUsd } from "#contract/money.ts";
import { type Account, type Balances, type Demand, limitsFor, type Shortfall } from "./balance.ts";
import { storeAway } from "../store-away.ts";

/** Money reserved for one call. Ended once, by `settle` or `release`; only `raise` changes it. */
export interface Reservation {
  /** the balances that limit the call, each with `amount` reserved; empty: nothing has to be reserved */
  accounts: readonly Account[];
  readonly accountsNow?: Demand["accountsNow"];
  amount: NanoUsd;
  readonly byok: boolean;
}

/** Thrown by `reserve` when the call does not fit. */
export class InsufficientFunds extends Error {
  readonly shortfall: Shortfall;
  constructor(shortfall: Shortfall) {
    super(`no room in the ${shortfall.kind}`);
    this.name = "InsufficientFunds";
    this.shortfall = shortfall;
  }
}

/** How long a call waits for others to release money. */
const reservePatienceMs = 10_000;
/** The same for a call with a reservation: what is missing may be its own. */
const raisePatienceMs = 1_000;

/**
 * The reservations of the calls in flight. Room is checked and reserved without an await in between, so that no other
 * call can take it.
 * @param refuseIfAway throws while no call may be started
 */
export function createReservations(balances: Balances, refuseIfAway: () => void) {
  const open = new WeakSet<Reservation>();

  /** Reserves from `least` to `most` in total, including what is reserved already. */
  async function setAside(
    reservation: Reservation,
    demand: Pick<Demand, "accounts" | "least" | "most">,
    patienceMs: number,
  ): Promise<void> {
    const { byok, accountsNow } = reservation;
    const { least, most } = demand;
    const limited = (all: readonly Account[]) => all.filter((account) => limitsFor(account, byok).length > 0);
    let accounts = limited(demand.accounts);
    refuseIfAway();
    const deadline = performance.now() + patienceMs;
    for (;;) {
      for (const account of accounts) await openOrRefuse(balances, account);
      let amount = most;
      let tight: Account | null = null;
      for (const account of accounts) {
        const room = balances.room(account, byok) + heldIn(reservation, account);
        if (room < amount) amount = room;
        if (room < least) tight ??= account;
      }
      if (tight === null) return hold(reservation, accounts, amount);
      const shortfall = await balances.more(tight, least - heldIn(reservation, tight), byok, deadline);
      if (shortfall !== null) throw new InsufficientFunds(shortfall);
      refuseIfAway();
      if (accountsNow !== undefined) accounts = limited(await accountsNow());
    }
  }

  /** Reserves the same amount in exactly these accounts. A call that has ended meanwhile reserves nothing. */
  function hold(reservation: Reservation, accounts: readonly Account[], amount: NanoUsd) {
    if (!open.has(reservation)) return;
    const { byok } = reservation;
    const before = reservation.accounts.filter(({ spendId }) => !accounts.some((each) => each.spendId === spendId));
    for (const account of before) balances.release(account, reservation.amount, byok);
    for (const account of accounts) {
      const more = amount - heldIn(reservation, account);
      if (more < 0n) balances.release(account, -more, byok);
      else balances.hold(account, more, byok);
    }
    Object.assign(reservation, { accounts, amount });
  }

  return {
    async reserve(demand: Demand): Promise<Reservation> {
      const { accountsNow, byok } = demand;
      const reservation: Reservation = { accounts: [], amount: 0n, byok, ...(accountsNow ? { accountsNow } : {}) };
      open.add(reservation);
      await setAside(reservation, demand, reservePatienceMs);
      return reservation;
    },

    async raise(reservation: Reservation, accounts: readonly Account[], amount: NanoUsd): Promise<void> {
      const most = amount > reservation.amount ? amount : reservation.amount;
      refuseIfAway();
      for (const account of accounts) {
        const { byok } = reservation;
        if (heldIn(reservation, account) === 0n || limitsFor(account, byok).length === 0) continue;
        const shortfall = await balances.exceeded(account, most - amount, byok);
        if (shortfall !== null) throw new InsufficientFunds(shortfall);
      }
      await setAside(reservation, { accounts, least: amount, most }, raisePatienceMs);
    },

    release(reservation: Reservation): void {
      if (!open.delete(reservation)) return;
      const { accounts, amount, byok } = reservation;
      for (const account of accounts) balances.release(account, amount, byok);
    },

    /** Ends a reservation without releasing it. @returns false if it had ended before */
    end: (reservation: Reservation): boolean => open.delete(reservation),
  };
}

function heldIn({ accounts, amount }: Reservation, { spendId }: Account): NanoUsd {
  return accounts.some((account) => account.spendId === spendId) ? amount : 0n;
}

async function openOrRefuse(balances: Balances, account: Account): Promise<void> {
  const opening = balances.open(account);
  if (opening === null) return;
  try {
    await opening;
  } catch (error) {
    throw storeAway(error, "no limit can be checked");
  }
}
