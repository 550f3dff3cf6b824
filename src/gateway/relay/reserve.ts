import type { Account } from "../domain/purse.ts";
import { type Reservation, Short } from "../domain/ledger.ts";
import { type Fits, receipt } from "../domain/receipt.ts";
import { Refusal } from "../domain/refusal.ts";
import type { Candidate } from "../domain/routing.ts";
import type { RelayParts } from "./parts.ts";

/** What is to be reserved, before it is known who will serve. */
export interface Wanted {
  readonly candidates: readonly Candidate[];
  /** the most that the call may cost at a candidate, nano-dollars */
  readonly costAt: (candidate: Candidate) => bigint;
  /** what is set aside where there is room for it; default: the same */
  readonly mostAt?: (candidate: Candidate) => bigint;
  /** what would make it fit into what is left */
  readonly fits: (remaining: bigint) => Fits;
}

/** What was set aside, and who may be tried with it. */
export interface Reserved {
  readonly reservation: Reservation;
  readonly candidates: readonly Candidate[];
}

/**
 * Reserves the most that the call may cost, wherever it ends up. Where that does not fit, the workspace's own keys at
 * vendors may still serve: what they cost counts toward a limit only if its key says so.
 * @throws Refusal with the figures, when it does not fit
 */
export async function reserve(parts: RelayParts, accounts: readonly Account[], wanted: Wanted): Promise<Reserved> {
  if (accounts.some((account) => account.limits.length > 0)) refuseUnpriced(parts, wanted.candidates);
  const own = wanted.candidates.filter(({ byok }) => byok !== null);
  try {
    return await reserveAt(parts, accounts, wanted, wanted.candidates);
  } catch (error) {
    if (!(error instanceof Short)) throw error;
    if (own.length > 0 && own.length < wanted.candidates.length) {
      const reserved = await reserveAt(parts, accounts, wanted, own).catch(() => null);
      if (reserved !== null) return reserved;
    }
    throw receipt(error.shortage, wanted.fits);
  }
}

async function reserveAt(
  parts: RelayParts,
  accounts: readonly Account[],
  { costAt, mostAt = costAt }: Wanted,
  candidates: readonly Candidate[],
): Promise<Reserved> {
  const limited = accounts.some((account) => account.limits.length > 0);
  const least = limited ? dearest(candidates, costAt) : 0n;
  const most = limited && least > 0n ? dearest(candidates, mostAt) : least;
  const byok = candidates.every((candidate) => candidate.byok !== null);
  return { reservation: await parts.ledger.reserve({ accounts, least, most, byok }), candidates };
}

export function dearest(candidates: readonly Candidate[], costAt: (candidate: Candidate) => bigint): bigint {
  return candidates.reduce((most, candidate) => {
    const cost = costAt(candidate);
    return cost > most ? cost : most;
  }, 0n);
}

function refuseUnpriced({ settings }: RelayParts, candidates: readonly Candidate[]) {
  const [first] = candidates;
  if (!settings.refuseUnpriced || first === undefined) return;
  if (candidates.every((candidate) => candidate.model.prices !== null)) return;
  const unpriced = candidates.find((candidate) => candidate.model.prices === null) ?? first;
  throw new Refusal(
    "payment_required",
    `${unpriced.model.id} has no price at ${unpriced.provider.name}, so a key with a limit cannot use it: give it a price, or use a key without a limit`,
    { limit_kind: "unpriced", model: unpriced.model.id, provider_name: unpriced.provider.name },
  );
}
