import type { NanoUsd } from "#contract/money.ts";
import { createWaiters } from "../waiters.ts";
import { ownerOf, type Shortfall } from "./balance.ts";
import { type LeaseHolder, type LeaseRequest, requestLease, returnLease } from "./lease-store.ts";

/**
 * What this process may spend of one limit, and its exchanges with the store about it: one at a time, while calls go on
 * reserving and settling. As long as the lease is not lost, `held ≤ leased`: calls reserve and are charged within it.
 */
export class Lease {
  /** Calls that wait for room here. They check again after every exchange and release. */
  readonly room = createWaiters();

  /** how much the store lets this process spend */
  leased: NanoUsd = 0n;
  /** the part reserved by calls in flight, including what is charged but not committed */
  held: NanoUsd = 0n;
  /**
   * The lease was reclaimed while this process did not renew it. Nothing may be reserved from it until there is a new
   * one; calls that had reserved from it are charged at commit as far as the limit has room.
   */
  lost = false;
  /** an exchange is in progress */
  busy = false;
  /** when it was last reserved from, by `performance.now()` */
  usedAt = performance.now();

  /** the part of the reservations that was leased under a limit that has since been lowered */
  private old: NanoUsd = 0n;
  /** the part of it that calls have released: still leased, but not to be reserved here */
  private surplus: NanoUsd = 0n;
  /**
   * How much of the lease each owner's limits allow, by owner: a replaced key and its successor share a spend and this
   * lease, and what was leased under the higher limit is not the other's to spend. Never more than `leased`, so that
   * other processes see it as reserved.
   */
  private readonly allowed = new Map<string, NanoUsd>();
  /** a limit was lowered during an exchange: the free part is given back next */
  private recalled = false;

  private readonly holder: LeaseHolder;
  private readonly spendId: string;

  constructor(holder: LeaseHolder, spendId: string) {
    this.holder = holder;
    this.spendId = spendId;
  }

  /** how much no call holds; it includes what may no longer be reserved */
  get free(): NanoUsd {
    return this.leased - this.held;
  }

  /** how much this owner may still reserve; nothing before the store was asked under its limits */
  reservable(owner: string): NanoUsd {
    const allowed = this.allowed.get(owner) ?? 0n;
    return smaller(this.free - this.surplus, allowed - this.held);
  }

  /** how much may be charged to a call of this owner that had `reserved` of it; null: the lease is lost */
  chargeable(owner: string, reserved: NanoUsd): NanoUsd | null {
    if (this.lost) return null;
    const room = (this.allowed.get(owner) ?? 0n) - this.held;
    return smaller(this.free, room > reserved ? room : reserved);
  }

  /** the part of the lease that is not this owner's to spend */
  beyond(owner: string): NanoUsd {
    return this.leased - (this.allowed.get(owner) ?? 0n);
  }

  get empty(): boolean {
    return this.leased === 0n && this.held === 0n;
  }

  /** @param amount negative: a part of a reservation ends without being charged */
  hold(amount: NanoUsd): void {
    if (amount < 0n) this.unhold(-amount);
    else this.held += amount;
    this.usedAt = performance.now();
  }

  release(amount: NanoUsd): void {
    this.unhold(amount);
    this.room.wake();
  }

  private unhold(amount: NanoUsd): void {
    this.held -= amount;
    const old = amount < this.old ? amount : this.old;
    this.old -= old;
    this.surplus += old;
  }

  /** A reservation is charged and committed. */
  spend(charge: NanoUsd): void {
    this.held -= charge;
    if (this.old > this.held) this.old = this.held;
    if (!this.lost) {
      this.leased -= charge;
      for (const [owner, allowed] of this.allowed) this.allowed.set(owner, allowed - charge);
    }
    this.room.wake();
  }

  lose(): void {
    this.leased = this.old = this.surplus = 0n;
    this.allowed.clear();
    this.lost = true;
  }

  /** Asks the store for the missing amount, and some more. Null: check again. */
  async request(request: LeaseRequest): Promise<Shortfall | null> {
    if (this.surplus > 0n) await this.giveBack();
    return await this.exchange(async () => {
      const wasLost = this.lost;
      const answer = await requestLease(this.holder, this, request);
      if (answer.isRecalled) this.recalled = true;
      // Lost while more was requested: the next caller starts over.
      if (this.lost && !wasLost) return null;
      if (answer.isNew) this.allowed.clear();
      const before = answer.isNew ? 0n : this.leased;
      this.leased = before + answer.granted;
      this.lost = answer.isNew && answer.shortfall !== null && this.held > 0n;
      const { room } = answer;
      const owned = room === null ? this.leased : smaller(this.leased, before + room);
      if (!answer.isRecalled) this.allowed.set(ownerOf(request.account), owned);
      return answer.shortfall;
    });
  }

  /** Gives back what is free when the store is asked: the limit was lowered, so the old one must not be spent. */
  recall(): void {
    if (this.busy) this.recalled = true;
    else void this.giveBack(true).catch(() => {});
  }

  /** Gives back what no call holds. */
  async giveBack(isRecalled = false): Promise<void> {
    const { free } = this;
    if (this.busy || (this.held > 0n && (this.lost || (free <= 0n && !isRecalled)))) return;
    this.leased = this.held;
    for (const [owner, allowed] of this.allowed) this.allowed.set(owner, smaller(allowed, this.leased));
    this.surplus = 0n;
    if (isRecalled) this.old = this.held;
    this.recalled = false;
    // With nothing in flight the row is authoritative, whatever this process believes.
    const amount = this.held === 0n ? "all" : free;
    await this.exchange(() => returnLease(this.holder, this.spendId, amount));
  }

  /**
   * Gives back what no call holds once the exchange under way is over.
   * @param deadline by `performance.now()`: an exchange that lasts longer is not waited for, and the lease expires
   */
  async close(deadline: number): Promise<void> {
    while (this.busy && performance.now() < deadline) await this.room.wait(deadline);
    await this.giveBack();
  }

  /** Everyone who waits checks again when the exchange is over. */
  private async exchange<T>(work: () => Promise<T>): Promise<T> {
    this.busy = true;
    try {
      return await work();
    } finally {
      this.busy = false;
      if (this.recalled) this.recall();
      this.room.wake();
    }
  }
}

const smaller = (a: NanoUsd, b: NanoUsd): NanoUsd => (a < b ? a : b);
