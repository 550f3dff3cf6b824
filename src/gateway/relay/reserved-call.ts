import type { CallPolicy } from "../domain/keys/call-policy.ts";
import type { Fits } from "../domain/ledger/limit-refusal.ts";
import type { Reservation } from "../domain/ledger/reservations.ts";
import type { Candidate, Route } from "../domain/routing/routing.ts";
import type { Attempts } from "./attempts.ts";
import type { RelayDeps } from "./deps.ts";
import type { ModelAnswer } from "./model-call.ts";
import { type Claim, claimProvider } from "./claim.ts";
import { admit } from "./rate-limits.ts";
import type { CallContext } from "./record.ts";
import { maxCost, reserve } from "./reserve.ts";
import { Unanswered } from "./unanswered.ts";

/** What a model call of any kind has from its reservation to its settlement. */
export interface ReservedCall {
  /** corrects the rates by the tokens that were used */
  readonly countTokens: (tokens: number) => void;
  readonly reservation: Reservation;
  /** whether the workspace logs the bodies */
  readonly logsBody: boolean;
}

/** A call with candidates. */
interface RoutedCall {
  readonly context: CallContext;
  readonly policy: CallPolicy;
  readonly route: Route;
}

/** A call that one candidate serves as a whole, from its reservation to its settlement. */
export interface ServedCall extends RoutedCall, ReservedCall {
  readonly claim: Claim;
  /** of the whole call at a candidate, nano-dollars */
  readonly mostCost: (candidate: Candidate) => bigint;
  readonly attempts: Attempts;
}

/** What such a call may use. */
interface MostUsed {
  /** for the rates */
  readonly tokens: number;
  /** nano-dollars */
  readonly costAt: (candidate: Candidate) => bigint;
  /** the part of the call that has no price at a candidate; null: none */
  readonly unpriced: (candidate: Candidate) => string | null;
  /** what would fit into the money that is left; null: nothing of it can be made smaller */
  readonly fits: (remaining: bigint, most: bigint) => Fits;
}

/**
 * Takes a slot at a provider, counts the call toward its rates, reserves for it, and hands it to `answer`, which settles
 * it.
 * @throws Refusal
 */
export async function whileReserved<C extends RoutedCall>(
  deps: RelayDeps,
  routed: C,
  { tokens, costAt, unpriced, fits }: MostUsed,
  answer: (run: C & ServedCall) => Promise<ModelAnswer>,
): Promise<ModelAnswer> {
  const claimed = await claimProvider(deps, routed);
  const { policy, route } = claimed;
  try {
    const countTokens = admit(deps, claimed, tokens);
    const { reservation, candidates, mostCost } = await reserve(deps, policy, {
      candidates: route.candidates,
      costAt,
      unpriced,
      fits: (remaining) => {
        const most = maxCost(route.candidates, costAt);
        return most === 0n ? null : fits(remaining, most);
      },
    });
    try {
      return await answer({
        ...claimed,
        route: { ...route, candidates },
        countTokens,
        reservation,
        mostCost,
        attempts: { made: [], failed: [], asked: null, unanswered: new Unanswered(deps.ledger, reservation) },
        logsBody: deps.random() < policy.workspace.keptBodies,
      });
    } catch (error) {
      // Already settled, except after an unforeseen error.
      deps.ledger.release(reservation);
      throw error;
    }
  } finally {
    claimed.claim.end();
  }
}
