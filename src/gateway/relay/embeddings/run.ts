import type { CallPolicy } from "../../domain/keys/call-policy.ts";
import type { Candidate, Route } from "../../domain/routing/routing.ts";
import type { EmbeddingItem } from "../../providers/provider.ts";
import type { Turn } from "../../turns.ts";
import type { NamedAddress } from "../image-addresses.ts";
import type { Claim } from "../claim.ts";
import type { CallContext } from "../record.ts";
import type { ReservedCall } from "../reserved-call.ts";
import type { Unanswered } from "../unanswered.ts";
import type { Lookup } from "./cache-lookup.ts";
import type { Progress } from "./progress.ts";
import type { EmbeddingsRequest } from "./request.ts";

/** A parsed embeddings call. */
export interface AskedEmbeddings {
  /** what the vectors are for */
  readonly apiType: "embeddings" | "rerank";
  readonly context: CallContext;
  readonly policy: CallPolicy;
  readonly turn: Turn;
  readonly request: EmbeddingsRequest;
  /** of images that the caller names */
  readonly addresses: readonly NamedAddress[];
}

/** An embeddings call with candidates that its inputs suit. */
export interface RoutedEmbeddings extends AskedEmbeddings {
  readonly route: Route;
}

/** An embeddings call with a slot at the first of its candidates, unless the cache has all of its vectors. */
export interface ClaimedEmbeddings extends RoutedEmbeddings {
  /** what the cache holds of it */
  readonly lookup: Lookup;
  readonly claim: Claim;
}

/** An embeddings call from its reservation to its settlement. */
export interface EmbeddingsRun extends ClaimedEmbeddings, ReservedCall {
  readonly costs: Costs;
  readonly unanswered: Unanswered;
  readonly progress: Progress;
  readonly pacing: Pacing;
}

/** How much longer a call may wait for vendors' rates. */
export interface Pacing {
  /** by `performance.now()`; null: it has not waited yet */
  endsMs: number | null;
}

/** What inputs may cost at a candidate, nano-dollars. */
export interface Costs {
  /** the most, given all that is known about the vendor's counting */
  readonly mostCost: (candidate: Candidate, items: readonly EmbeddingItem[]) => bigint;
  /** the same; while nothing is known about it, as if every input filled the model's context */
  readonly roomyCost: (candidate: Candidate, items: readonly EmbeddingItem[]) => bigint;
}

/** The inputs at some positions. */
export function itemsAt({ request }: AskedEmbeddings, positions: readonly number[]): readonly EmbeddingItem[] {
  // Positions are unique, so if there are as many as inputs, they are all of them.
  if (positions.length === request.items.length) return request.items;
  return positions.flatMap((position) => request.items[position] ?? []);
}
