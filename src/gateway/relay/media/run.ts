import type { CallPolicy } from "../../domain/keys/call-policy.ts";
import type { Candidate, Route } from "../../domain/routing/routing.ts";
import type { Attempts } from "../attempts.ts";
import type { NamedAddress } from "../image-addresses.ts";
import type { Claim } from "../provider-slots.ts";
import type { CallContext } from "../record.ts";
import type { ReservedCall } from "../reserved-call.ts";
import type { MediaAmount, MediaKind, MediaRequest } from "./kind.ts";

/** A parsed call that makes or reads media. */
export interface AskedMedia<R extends MediaRequest> {
  readonly kind: MediaKind<R>;
  readonly context: CallContext;
  readonly policy: CallPolicy;
  readonly request: R;
  /** what the gateway counts where a provider reports nothing */
  readonly amount: MediaAmount;
  /** addresses that the caller names */
  readonly addresses: readonly NamedAddress[];
}

/** With candidates, and a slot at the first of them. */
export interface ClaimedMedia<R extends MediaRequest> extends AskedMedia<R> {
  readonly route: Route;
  readonly claim: Claim;
}

/** From its reservation to its settlement. */
export interface MediaRun<R extends MediaRequest> extends ClaimedMedia<R>, ReservedCall {
  /** of the whole call at a candidate, nano-dollars */
  readonly mostCost: (candidate: Candidate) => bigint;
  readonly attempts: Attempts;
}
