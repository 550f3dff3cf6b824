import type { CallPolicy } from "../../domain/keys/call-policy.ts";
import type { Route } from "../../domain/routing/routing.ts";
import type { Turn } from "../../turns.ts";
import type { NamedAddress } from "../image-addresses.ts";
import type { CallContext } from "../record.ts";
import type { ServedCall } from "../reserved-call.ts";
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

/** A rerank call from its reservation to its settlement. */
export type RerankRun = RoutedRerank & ServedCall;
