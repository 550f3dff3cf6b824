import type { NanoUsd } from "#contract/money.ts";
import type { LimitReset } from "#contract/time.ts";
import { type LimitSettings, limitResetsAt, type Spend, spentTowardLimit } from "./limits.ts";

/** Whose money it is. */
export type PurseKind = "key" | "workspace_budget" | "credits";

/** A row of `spends` with what limits it. */
export interface Account {
  readonly spendId: string;
  readonly kind: PurseKind;
  /** none: only counted */
  readonly limits: readonly LimitSettings[];
}

/** What a call may cost, before it is made. */
export interface Demand {
  readonly accounts: readonly Account[];
  /** the least that has to fit, and what is set aside when there is room for it: nano-dollars */
  readonly least: NanoUsd;
  readonly most: NanoUsd;
  /** paid with the caller's own vendor key: counts only toward limits that include such usage */
  readonly byok: boolean;
}

/** Why there is no room: the figures that were decided on. */
export interface Shortage {
  readonly kind: PurseKind;
  readonly limit: NanoUsd;
  readonly reset: LimitReset | null;
  readonly spent: NanoUsd;
  /** held by calls in flight, here and in other processes */
  readonly reserved: NanoUsd;
  readonly needed: NanoUsd;
  readonly resetsAt: Date | null;
}

/** The limits of an account that a call counts toward. */
export function limitsFor({ limits }: Account, byok: boolean): readonly CountingLimit[] {
  if (limits.length === 0) return none;
  return limits.filter(
    (settings): settings is CountingLimit => settings.limit !== null && (!byok || settings.includeByok),
  );
}

type CountingLimit = LimitSettings & { readonly limit: NanoUsd };

const none: readonly CountingLimit[] = [];

/** Money set aside for calls in flight, or charged and not committed yet. */
export interface Held {
  readonly own: NanoUsd;
  readonly byok: NanoUsd;
}

export const nothingHeld: Held = { own: 0n, byok: 0n };

/** What one limit leaves: `room` may be negative, where a limit was lowered below what is spent. */
export interface Tightest {
  readonly room: NanoUsd;
  readonly settings: CountingLimit;
  readonly spent: NanoUsd;
  readonly reserved: NanoUsd;
}

/** The limit that leaves the least room for a call; null when none counts. */
export function tightest(account: Account, byok: boolean, spend: Spend, held: Held, now: Date): Tightest | null {
  let found: Tightest | null = null;
  for (const settings of limitsFor(account, byok)) {
    const spent = spentTowardLimit(settings, spend, now);
    const reserved = settings.includeByok ? held.own + held.byok : held.own;
    const room = settings.limit - spent - reserved;
    // `<`: of two limits as tight as each other the first is named, and budgets are listed broadest first.
    if (found === null || room < found.room) found = { room, settings, spent, reserved };
  }
  return found;
}

/** The figures that a call is refused with. */
export function shortageOf({ kind }: Account, tight: Tightest, needed: NanoUsd, now: Date): Shortage {
  const { settings, spent, reserved } = tight;
  const { limit, reset } = settings;
  return { kind, limit, reset, spent, reserved, needed, resetsAt: limitResetsAt(settings, now) };
}

/**
 * The money of this process: in the embedded store all of it, in a shared store the slices that it holds.
 * Nothing here is asynchronous but `open` and `more`, so that a decision and its reservation cannot be parted.
 */
export interface Purses {
  /** null when the account can be decided on at once, else resolves when it can */
  open(account: Account): Promise<void> | null;
  /** how much more may be held now; can be negative */
  room(account: Account, byok: boolean): NanoUsd;
  hold(account: Account, amount: NanoUsd, byok: boolean): void;
  release(account: Account, amount: NanoUsd, byok: boolean): void;
  /**
   * Waits for room, or makes it. Resolves to null when it is worth looking again, and to the shortage when what is
   * asked for does not fit, or not before `deadline` (of `performance.now()`).
   */
  more(account: Account, needed: NanoUsd, byok: boolean, deadline: number): Promise<Shortage | null>;
  /** what was held is spent, and committed */
  spent(account: Account, amount: NanoUsd, byok: boolean): void;
  /** a commit's charge to a counter, whether or not anything was held for it */
  committed(spendId: string, charge: Held, at: Date): void;
  /** what of this process's leases a charge uses up, for the commit; 0 where nothing is leased */
  leased(account: Account, charge: NanoUsd): NanoUsd;
  close(): Promise<void>;
}
