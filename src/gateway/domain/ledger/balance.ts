import type { ShortOf } from "#contract/limit-messages.ts";
import type { NanoUsd } from "#contract/money.ts";
import type { LimitReset } from "#contract/time.ts";
import type { Store } from "../../storage/store.ts";
import { type Charge, type LimitSettings, limitResetsAt, type Spend, spendOfRow, spentTowardLimit } from "./limits.ts";

/** Whose money it is. */
export type AccountKind = "key" | "maker" | "member" | "workspace_budget" | "credits";

/** A row of `spends` with its limit. */
export interface Account {
  readonly spendId: string;
  /** whose limits these are, where several share the row: a replaced key and its successor have one count, and a limit each */
  readonly owner?: string;
  readonly kind: AccountKind;
  /** absent: it is only counted */
  readonly limits: readonly LimitSettings[];
  /** reads the current limits from the store; absent where they cannot change */
  readonly readLimits?: (statements: Statements) => Promise<readonly LimitSettings[]>;
}

/** Whose limits an account has. */
export const ownerOf = ({ owner, spendId }: Account): string => owner ?? spendId;

/** Anything that runs a statement: the pool, or one connection in a transaction. */
export type Statements = Pick<Store["pool"], "query">;

/** What a call may cost, before it is made. */
export interface Demand {
  readonly accounts: readonly Account[];
  /** called after a wait, in which the limits may have changed; throws a Refusal if the caller's key has ended */
  readonly accountsNow?: () => Promise<readonly Account[]>;
  /** the least that must fit, and what is reserved if there is room for it: nano-dollars */
  readonly least: NanoUsd;
  readonly most: NanoUsd;
  /** paid with the caller's own provider key: counts only toward limits that include such usage */
  readonly byok: boolean;
}

/** Why there is no room: the amounts behind the decision. */
export interface Shortfall {
  readonly kind: ShortOf;
  /** whose budget it is; default: none's */
  readonly guardrail?: LimitSettings["guardrail"] | undefined;
  readonly limit: NanoUsd;
  readonly reset: LimitReset | null;
  readonly spent: NanoUsd;
  /** reserved by calls in flight, here and in other processes */
  readonly reserved: NanoUsd;
  /** of it, for what outlives a process, and is not given back in a moment; default: nothing */
  readonly kept?: NanoUsd;
  readonly needed: NanoUsd;
  readonly resetsAt: Date | null;
}

/** The limits of an account that a call counts toward. */
export function limitsFor({ limits }: Pick<Account, "limits">, byok: boolean): readonly CountingLimit[] {
  if (limits.length === 0) return none;
  return limits.filter(
    (settings): settings is CountingLimit => settings.limit !== null && (!byok || settings.includeByok),
  );
}

type CountingLimit = LimitSettings & { readonly limit: NanoUsd };

const none: readonly CountingLimit[] = [];

/** Money reserved for calls in flight, or charged but not yet committed. */
export interface Held {
  readonly own: NanoUsd;
  readonly byok: NanoUsd;
}

export const nothingHeld: Held = { own: 0n, byok: 0n };

/** What counts toward an account's limits. */
export interface Counted {
  readonly spend: Spend;
  readonly held: Held;
}

/** A row of `spends`, with what all processes have reserved. */
export function countedInRow(row: Parameters<typeof spendOfRow>[0] & { readonly reserved: NanoUsd }): Counted {
  return { spend: spendOfRow(row), held: { own: row.reserved, byok: 0n } };
}

/** The latest day start seen in a counter. */
export function createLatestDay() {
  let latest: Date | null = null;
  return {
    see({ dayStart }: Spend) {
      if (latest === null || dayStart > latest) latest = dayStart;
    },
    get: () => latest,
  };
}

export type LatestDay = ReturnType<typeof createLatestDay>;

/** What one limit leaves: `room` may be negative after a limit was lowered below what is spent. */
export interface Tightest {
  readonly room: NanoUsd;
  readonly settings: CountingLimit;
  readonly spent: NanoUsd;
  readonly reserved: NanoUsd;
  /** the count that both were read from */
  readonly spend: Spend;
}

/** The limit that leaves the least room for a call; null when none counts. */
export function tightest(
  account: Pick<Account, "limits">,
  byok: boolean,
  { spend, held }: Counted,
  now: Date,
): Tightest | null {
  let found: Tightest | null = null;
  for (const settings of limitsFor(account, byok)) {
    const spent = spentTowardLimit(settings, spend, now);
    const reserved = settings.includeByok ? held.own + held.byok : held.own;
    const room = settings.limit - spent - reserved;
    // `<`: of two equally tight limits the first is named, and budgets are listed broadest first.
    if (found === null || room < found.room) found = { room, settings, spent, reserved, spend };
  }
  return found;
}

/** The amounts that a call is refused with. */
export function shortfallOf({ kind }: Account, tight: Tightest, needed: NanoUsd, now: Date): Shortfall {
  const { settings, spent, reserved, spend } = tight;
  const { limit, reset, guardrail } = settings;
  // Only guardrails limit a member.
  const of: Pick<Shortfall, "kind" | "guardrail"> =
    guardrail === undefined && kind !== "member" ? { kind } : { kind: "guardrail_budget", guardrail };
  return { ...of, limit, reset, spent, reserved, needed, resetsAt: limitResetsAt(settings, spend, now) };
}

/**
 * The money of this process: with the embedded store all of it, with a shared store its leased slices.
 * Only `open` and `more` are asynchronous, so that checking and reserving are atomic.
 */
export interface Balances {
  /** null when the account is ready for decisions, else resolves when it is */
  open(account: Account): Promise<void> | null;
  /** how much more may be reserved now; can be negative */
  room(account: Account, byok: boolean): NanoUsd;
  /**
   * How much may be charged now for a call that had `reserved` and holds it no longer: that much at least, whatever
   * others reserved since under limits of their own. Null: only the commit can say, because the lease is gone.
   */
  chargeable(account: Account, byok: boolean, reserved: NanoUsd): NanoUsd | null;
  hold(account: Account, amount: NanoUsd, byok: boolean): void;
  release(account: Account, amount: NanoUsd, byok: boolean): void;
  /**
   * Waits for room, or makes it. Resolves to null when it is worth checking again, and to the shortfall when the amount
   * does not fit, or not before `deadline` (by `performance.now()`).
   */
  more(account: Account, needed: NanoUsd, byok: boolean, deadline: number): Promise<Shortfall | null>;
  /**
   * The amounts, where what is spent and reserved exceeds the current limits by more than `spare`; else null. A process
   * may reserve what it has leased even if the limit has changed since the lease: only this checks it again.
   */
  exceeded(account: Account, spare: NanoUsd, byok: boolean): Promise<Shortfall | null>;
  /** the reservation is spent and committed */
  spent(account: Account, amount: NanoUsd, byok: boolean): void;
  /** The store holds a reservation from now on, which this process gives up. */
  keep(account: Account, amount: NanoUsd, byok: boolean): void;
  /** the store no longer holds what was kept of a reservation */
  unkeep(spendId: string, amount: NanoUsd): void;
  /** a commit's charge to a counter, whether or not anything was reserved for it */
  committed(spendId: string, charge: Charge, at: Date): void;
  /** how much of this process's leases a charge uses up, for the commit; 0 where nothing is leased */
  leased(account: Account, charge: NanoUsd): NanoUsd;
  /** a commit found one of these leases gone, or smaller than this process believed */
  lost(spendIds: readonly string[]): void;
  /**
   * The latest day start seen in a counter; null before the first. A clock behind it (this process's, or one set back
   * meanwhile) would charge calls to a day that is over, where no limit counts them.
   */
  latestDay(): Date | null;
  close(): Promise<void>;
}
