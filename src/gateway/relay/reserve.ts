import type { CallPolicy } from "../domain/keys/call-policy.ts";
import { type Account, limitsFor } from "../domain/ledger/balance.ts";
import { type Reservation, InsufficientFunds } from "../domain/ledger/reservations.ts";
import { type Fits, limitRefusal } from "../domain/ledger/limit-refusal.ts";
import { Refusal } from "../domain/refusal.ts";
import type { Candidate } from "../domain/routing/routing.ts";
import type { RelayDeps } from "./deps.ts";

/** What to reserve, before the provider is known. */
export interface Wanted {
  readonly candidates: readonly Candidate[];
  /** the most that the call may cost at a candidate, nano-dollars */
  readonly costAt: (candidate: Candidate) => bigint;
  /** how much to reserve if there is room for it; default: the same */
  readonly mostAt?: (candidate: Candidate) => bigint;
  /** the part of the call that has no price at a candidate; null: none */
  readonly unpriced?: (candidate: Candidate) => string | null;
  /** what would make it fit into what is left */
  readonly fits: (remaining: bigint) => Fits;
}

type Paying = Pick<CallPolicy, "accounts" | "accountsNow">;

/** The reservation, and the candidates that it covers. */
export interface Reserved {
  readonly reservation: Reservation;
  readonly candidates: readonly Candidate[];
  /** of the whole call at a candidate, nano-dollars */
  readonly mostCost: (candidate: Candidate) => bigint;
}

/**
 * Reserves the most that the call may cost, whichever candidate serves it. If that does not fit, the workspace's own
 * provider keys may still serve: their cost counts toward a limit only if it includes such usage.
 * @throws Refusal with the figures, when it does not fit
 */
export async function reserve(deps: RelayDeps, policy: Paying, wanted: Wanted): Promise<Reserved> {
  const { accounts } = policy;
  const candidates = chargeable(deps, accounts, wanted);
  const own = candidates.filter(({ byok }) => byok !== null);
  try {
    return await reserveAt(deps, policy, wanted, candidates);
  } catch (error) {
    if (!(error instanceof InsufficientFunds)) throw error;
    if (own.length > 0 && own.length < candidates.length) {
      const reserved = await reserveAt(deps, policy, wanted, own).catch(() => null);
      if (reserved !== null) return reserved;
    }
    throw limitRefusal(error.shortfall, wanted.fits);
  }
}

async function reserveAt(
  deps: RelayDeps,
  { accounts, accountsNow }: Paying,
  { costAt, mostAt = costAt }: Wanted,
  candidates: readonly Candidate[],
): Promise<Reserved> {
  const limited = accounts.some((account) => account.limits.length > 0);
  const least = limited ? maxCost(candidates, costAt) : 0n;
  const most = limited && least > 0n ? maxCost(candidates, mostAt) : least;
  const byok = candidates.every((candidate) => candidate.byok !== null);
  const reservation = await deps.ledger.reserve({ accounts, accountsNow, least, most, byok });
  return { reservation, candidates, mostCost: costAt };
}

export function maxCost(candidates: readonly Candidate[], costAt: (candidate: Candidate) => bigint): bigint {
  return candidates.reduce((most, candidate) => {
    const cost = costAt(candidate);
    return cost > most ? cost : most;
  }, 0n);
}

/**
 * The candidates whose calls the limits can count: an unpriced call would use up none of them.
 * @throws Refusal payment_required if none is left
 */
function chargeable(
  { settings }: RelayDeps,
  accounts: readonly Account[],
  { candidates, unpriced = () => null }: Wanted,
): readonly Candidate[] {
  if (!settings.refuseUnpriced) return candidates;
  const counted = ({ byok }: Candidate) => accounts.some((account) => limitsFor(account, byok !== null).length > 0);
  const isPriced = (candidate: Candidate) => candidate.model.prices !== null && unpriced(candidate) === null;
  const left = candidates.filter((candidate) => isPriced(candidate) || !counted(candidate));
  const [first] = candidates;
  if (left.length > 0 || first === undefined) return left;
  const { model, provider } = first;
  const extra = model.prices === null ? null : unpriced(first);
  const counting = accounts.filter((account) => limitsFor(account, first.byok !== null).length > 0);
  // another key helps only where nothing but the key's own limit counts the call
  const ways = [
    extra === null ? "give the model a price" : "leave it out",
    ...(counting.every(({ kind }) => kind === "key") ? ["use a key without a limit"] : []),
  ];
  throw new Refusal(
    "payment_required",
    `${extra ?? model.id} has no price at ${provider.name}, so a call that a limit counts cannot use it: ${ways.join(", ")}${ways.length > 1 ? "," : ""} or set GATEHOUSE_UNPRICED=allow`,
    { limit_kind: "unpriced", model: model.id, provider_name: provider.name },
  );
}
