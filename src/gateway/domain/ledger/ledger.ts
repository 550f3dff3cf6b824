import type pg from "pg";
import type { NanoUsd } from "#contract/money.ts";
import { storeAway } from "../store-away.ts";
import type { Account, Demand } from "./balance.ts";
import { createCharges } from "./charges.ts";
import type { ChargedEntry, LedgerEntry } from "./entry.ts";
import { createKept, type CloseKept, type Kept } from "./kept.ts";
import type { LedgerSettings } from "./ledger-settings.ts";
import { createReservations, type Reservation } from "./reservations.ts";

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
   * Reserves money in every account that limits the call, where `settled + overrun + reserved` leaves room for it, so
   * that `settled + reserved ≤ limit` always holds. Where calls in flight hold what is missing, it waits for them.
   * @throws InsufficientFunds when it does not fit; Refusal unavailable while the store is unavailable, limited or not:
   * a call made now would be billed and could not be recorded
   */
  reserve(demand: Demand): Promise<Reservation>;
  /**
   * Raises a running call's reservation to at least `amount`, in those of `accounts` that limit it now: where a limit
   * was removed, nothing is reserved any more. @throws like `reserve`, leaving the existing reservation as it was
   */
  raise(reservation: Reservation, accounts: readonly Account[], amount: NanoUsd): Promise<void>;
  /** Charges the call. No limit is exceeded, whatever the provider counted: what does not fit becomes overrun. */
  settle(reservation: Reservation, entry: LedgerEntry): Settlement;
  /**
   * Hands a reservation over to the store, in one transaction with what `work` writes: it then outlives this process, and
   * is ended here. It stays as it was where that fails.
   */
  keep(reservation: Reservation, work: (client: pg.PoolClient) => Promise<void>): Promise<void>;
  /**
   * Charges a call whose reservation was kept, at whichever process, and only if `close` says that this is the first time.
   * @returns null: it was charged before
   */
  settleKept(kept: Kept, entry: LedgerEntry, close: CloseKept): Promise<ChargedEntry | null>;
  /** Releases the reservation of a call that cost nothing and leaves no row; does nothing if it was settled. */
  release(reservation: Reservation): void;
  /** true while the store does not accept commits: then no call is started */
  troubled(): boolean;
  close(): Promise<void>;
}

/** How many finished calls may wait for the store; beyond that no new call is started. */
const mostPending = 20_000;

export function createLedger({ reachable, ...settings }: LedgerSettings): Ledger {
  const charges = createCharges(settings);
  const troubled = () => charges.troubled() || !reachable();
  const { reserve, raise, release, end } = createReservations(settings.balances, () => {
    if (!troubled() && charges.pending() <= mostPending) return;
    throw storeAway(null, "no call can be recorded");
  });
  const kept = createKept(settings);
  return {
    reserve,
    raise,
    release,
    async keep(reservation, work) {
      await kept.keep(reservation, work);
      end(reservation);
    },
    settleKept: kept.settle,
    settle(reservation, entry) {
      if (!end(reservation)) throw new Error("a reservation is settled twice, or was released");
      const call = charges.charge(reservation, entry);
      const { own, byok, overrun } = call.charged;
      return { own, byok, overrun, committed: charges.commit(call) };
    },
    troubled,
    async close() {
      await charges.drain();
      await settings.balances.close();
    },
  };
}
