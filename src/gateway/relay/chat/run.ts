import type { Keeper } from "../../domain/calls/kept-answers.ts";
import type { CallPolicy } from "../../domain/keys/call-policy.ts";
import type { Candidate, Route } from "../../domain/routing/routing.ts";
import type { Usage } from "../../providers/provider.ts";
import type { Attempts } from "../attempts.ts";
import type { CallerForm } from "../caller-form.ts";
import type { NamedAddress } from "../image-addresses.ts";
import type { VendorsOwn } from "../files/vendors-own.ts";
import type { Claim } from "../claim.ts";
import type { CallContext } from "../record.ts";
import type { ReservedCall } from "../reserved-call.ts";
import type { Caching } from "../response-cache/caching.ts";
import type { ChatBounds } from "./bounds.ts";
import type { Prompt } from "./prompt.ts";
import type { ChatRequest } from "./request.ts";

/** A parsed chat call. */
export interface AskedChat {
  readonly context: CallContext;
  /** how the caller asked, and is answered */
  readonly form: CallerForm;
  readonly policy: CallPolicy;
  readonly request: ChatRequest;
  /** who keeps the answer that the call continues; null: it continues none */
  readonly keeper: Keeper | null;
  /** what a vendor keeps and the call names by its id; null: nothing */
  readonly vendorsOwn: VendorsOwn | null;
  /** of images that the caller names */
  readonly addresses: readonly NamedAddress[];
  readonly prompt: Prompt;
  readonly bounds: ChatBounds;
}

/** A chat call with candidates. */
export interface RoutedChat extends AskedChat {
  readonly route: Route;
}

/** A chat call, and how it uses the response cache. */
export interface CachedChat extends RoutedChat {
  /** null: not at all */
  readonly caching: Caching | null;
}

/** A chat call with a slot at the first of its candidates. */
export interface ClaimedChat extends CachedChat {
  readonly claim: Claim;
}

/** A chat call from its reservation to its settlement. */
export interface ChatRun extends ClaimedChat, ReservedCall {
  /** of the whole call at a candidate, nano-dollars */
  readonly mostCost: (candidate: Candidate) => bigint;
  readonly attempts: Attempts;
  /** of the provider called last */
  readonly received: Received;
}

/** The outcome of a provider's unusable answer. */
export interface Received {
  /** of which no event was read */
  bytes: number;
  /** whether the answer is a stream, or may still become one: then its output is seen as it is written */
  streamed: boolean;
  /** the provider's own count */
  usage: Usage | null;
}
