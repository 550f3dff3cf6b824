import type { CallPolicy } from "../../domain/keys/call-policy.ts";
import type { Candidate, Route } from "../../domain/routing/routing.ts";
import type { RerankUsage } from "../../providers/provider.ts";
import type { Turn } from "../../turns.ts";
import type { Attempts } from "../attempts.ts";
import type { NamedAddress } from "../image-addresses.ts";
import type { Claim } from "../provider-slots.ts";
import type { CallContext } from "../record.ts";
import type { ReservedCall } from "../reserved-call.ts";
import type { Amount } from "./amount.ts";
import type { RerankRequest } from "./request.ts";

/** A parsed rerank call. */
export interface AskedRerank {
  readonly context: CallContext;
  readonly policy: CallPolicy;
  readonly turn: Turn;
  readonly request: RerankRequest;
  /** of images that the caller names */
  readonly addresses: readonly NamedAddress[];
}

/** A rerank call with candidates, and what its texts amount to. */
export interface RoutedRerank extends AskedRerank {
  readonly route: Route;
  readonly amount: Amount;
}

/** A rerank call with a slot at the first of its candidates. */
export interface ClaimedRerank extends RoutedRerank {
  readonly claim: Claim;
}

/** A rerank call from its reservation to its settlement. */
export interface RerankRun extends ClaimedRerank, ReservedCall {
  /** of the whole call at a candidate, nano-dollars */
  readonly mostCost: (candidate: Candidate) => bigint;
  readonly attempts: Attempts;
  /** what the provider called last reported with an answer that cannot be used */
  readonly received: { usage: RerankUsage | null };
}
