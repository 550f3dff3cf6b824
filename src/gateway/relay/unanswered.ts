import { type Account, limitsFor } from "../domain/ledger/balance.ts";
import type { Ledger } from "../domain/ledger/ledger.ts";
import { InsufficientFunds, type Reservation } from "../domain/ledger/reservations.ts";
import { Refusal } from "../domain/refusal.ts";
import type { Candidate, PassedOver } from "../domain/routing/routing.ts";

/** Amounts by the provider key they are billed to: the gateway's, or the workspace's own. Nano-dollars. */
export interface Billed {
  readonly own: bigint;
  readonly byok: bigint;
}

const nothing: Billed = { own: 0n, byok: 0n };

/**
 * What providers may bill for calls that they were sent and neither answered nor refused. A limit counts the most that
 * it can be; without a limit, only costs that a provider has reported are charged.
 */
export class Unanswered implements Billed {
  own = 0n;
  byok = 0n;
  /** the least cost that the limits had no room for */
  private tooMuch: bigint | null = null;
  /** why no further provider can be called: the key has ended, or nothing can be recorded */
  private ended: string | null = null;
  private isFurther = false;
  private readonly ledger: Ledger;
  private readonly reservation: Reservation;

  constructor(ledger: Ledger, reservation: Reservation) {
    this.ledger = ledger;
    this.reservation = reservation;
  }

  /** What is reserved for the call now, nano-dollars; 0: no limit counts it. */
  get reserved(): bigint {
    const { accounts, amount } = this.reservation;
    return accounts.length === 0 ? 0n : amount;
  }

  /** Whether a limit counts what a candidate bills. */
  counts({ byok }: Candidate): boolean {
    return counts(this.reservation.accounts, byok !== null);
  }

  /**
   * Records a provider that did not answer.
   * @param wasCounted the provider has reported what it bills: this is charged even if no limit counts it
   * @returns what it is charged, nano-dollars
   */
  add(candidate: Candidate, most: bigint, wasCounted = false): bigint {
    if (!wasCounted && !this.counts(candidate)) return 0n;
    if (candidate.byok === null) this.own += most;
    else this.byok += most;
    return most;
  }

  /**
   * Before every candidate after the first, which the reservation was made for: whether the key can still be used, and
   * its current limits leave room for this one on top of what the earlier ones may bill. Reserves what is missing.
   * @param cost the most that the candidate may bill, nano-dollars
   * @param answered what providers that did answer bill
   * @returns why the candidate must not be called; null: it may be
   */
  async passOver(candidate: Candidate, cost: () => bigint, answered: Billed = nothing): Promise<PassedOver | null> {
    if (!this.isFurther) {
      this.isFurther = true;
      return null;
    }
    const why = this.ended ?? (await this.whyNot(candidate, cost, answered));
    return why === null ? null : { provider: candidate.provider.slug, code: "limit", reason: why };
  }

  private async whyNot({ byok }: Candidate, cost: () => bigint, answered: Billed): Promise<string | null> {
    try {
      const accounts = (await this.reservation.accountsNow?.()) ?? this.reservation.accounts;
      const isCounted = counts(accounts, byok !== null);
      // Limits that do not count this candidate are not checked; without any limits, nothing stays reserved.
      if (!isCounted && counts(accounts, false)) return null;
      const others = this.own + answered.own + (counts(accounts, true) ? this.byok + answered.byok : 0n);
      const all = isCounted ? others + cost() : 0n;
      if (this.tooMuch !== null && all >= this.tooMuch) return noRoom;
      await this.ledger.raise(this.reservation, accounts, all).catch((error: unknown) => {
        if (error instanceof InsufficientFunds) this.tooMuch = all;
        throw error;
      });
      return null;
    } catch (error) {
      // The caller gets the error of the provider that failed before.
      if (error instanceof InsufficientFunds) return noRoom;
      this.ended = error instanceof Refusal ? error.message : "the store does not answer";
      return this.ended;
    }
  }
}

const noRoom = "its possible cost could not be reserved on top of what the providers asked before it may bill";

function counts(accounts: readonly Account[], byok: boolean): boolean {
  return accounts.some((account) => limitsFor(account, byok).length > 0);
}
