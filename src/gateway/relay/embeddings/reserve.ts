import type { Candidate } from "../../domain/routing/routing.ts";
import type { EmbeddingItem } from "../../providers/provider.ts";
import type { RelayDeps } from "../deps.ts";
import { unpricedMember } from "../media/billed-members.ts";
import { maxCost, reserve } from "../reserve.ts";
import { Unanswered } from "../unanswered.ts";
import { batchSizes } from "./batches.ts";
import { assumedContext, boundOf, costFor, countsExactly, imagesIn, prefixOf } from "./estimate.ts";
import { Progress } from "./progress.ts";
import { type ClaimedEmbeddings, type Costs, type EmbeddingsRun, itemsAt, type RoutedEmbeddings } from "./run.ts";

/** Reserves for the inputs that are not in the cache; a refusal says how many of them would fit. */
export async function reserveEmbeddings(
  deps: RelayDeps,
  routed: ClaimedEmbeddings & Pick<EmbeddingsRun, "countTokens">,
): Promise<EmbeddingsRun> {
  const { policy, request, route, lookup } = routed;
  const costs = costsOf(deps, routed);
  const items = itemsAt(routed, [...lookup.missing.keys()]);
  const costAt = (candidate: Candidate) => costs.mostCost(candidate, items);
  const { reservation, candidates } = await reserve(deps, policy, {
    candidates: route.candidates,
    costAt,
    unpriced: () => unpricedMember("embeddings", request.extra),
    // Until the first answer arrives, as much as fits is reserved, so that a vendor's counting surprises only one call.
    mostAt: (candidate) => costs.roomyCost(candidate, items),
    // How many of the inputs would fit, at their average size.
    fits: (remaining) => {
      const each = maxCost(route.candidates, costAt) / BigInt(Math.max(1, items.length));
      return each === 0n ? null : { inputs: Math.min(items.length, Number(remaining / each)) };
    },
  });
  return {
    ...routed,
    route: { ...route, candidates },
    costs,
    reservation,
    unanswered: new Unanswered(deps.ledger, reservation),
    progress: new Progress(request.items.length),
    pacing: { endsMs: null },
    logsBody: deps.random() < policy.workspace.keptBodies,
  };
}

function costsOf({ calibration }: RelayDeps, { context, request }: RoutedEmbeddings): Costs {
  const { workspaceId, createdAt } = context;
  const costOf = ({ model }: Candidate, items: readonly EmbeddingItem[], promptTokens: number) => {
    if (model.prices === null || items.length === 0) return 0n;
    // Queries and documents never share a request.
    const kinds = request.queries === null ? 0 : 1;
    const requests =
      model.prices.request === 0n ? 1 : batchSizes(model, items, prefixOf(request, model)).length + kinds;
    return costFor(model.prices, promptTokens, imagesIn(items), requests);
  };
  const factor = (candidate: Candidate) => {
    if (countsExactly(candidate)) return 1;
    return calibration.factor({ workspaceId, provider: candidate.provider.slug, model: candidate.model.id }, createdAt);
  };
  const mostCost: Costs["mostCost"] = (candidate, items) => {
    const prefix = prefixOf(request, candidate.model);
    const counted = Math.ceil(boundOf(candidate, items, prefix) * (factor(candidate) ?? 1));
    const most = items.length * (candidate.model.contextLength ?? Number.POSITIVE_INFINITY);
    return costOf(candidate, items, Math.min(counted, most));
  };
  return {
    mostCost,
    roomyCost(candidate, items) {
      const least = mostCost(candidate, items);
      if (factor(candidate) !== null) return least;
      const most = costOf(candidate, items, items.length * (candidate.model.contextLength ?? assumedContext));
      return most > least ? most : least;
    },
  };
}
