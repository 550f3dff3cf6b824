import { candidatesOf, nobodyLeft } from "../../domain/routing/candidates.ts";
import { invalid } from "../../domain/refusal.ts";
import { route as choose } from "../../domain/routing/route.ts";
import type { Candidate, Route } from "../../domain/routing/routing.ts";
import { adapters, toUpstream } from "../../providers/registry.ts";
import type { EmbeddingsRequest } from "./request.ts";
import { imagesIn, leastTokens, leastTokensOf } from "./estimate.ts";
import { inputFormOf } from "./input-type.ts";
import { callerOf } from "../current-candidate.ts";
import type { RelayDeps } from "../deps.ts";
import type { AskedEmbeddings } from "./run.ts";
import { offeredSpaces, otherSpace } from "./vector-space.ts";

/**
 * The candidates for an embeddings call, in order. @throws Refusal not_found, or invalid_request where only the input
 * is at fault
 */
export function routeEmbeddings({ domain, random }: RelayDeps, { context, policy, request }: AskedEmbeddings): Route {
  const { createdAt } = context;
  const { defaultSort } = policy.workspace;
  const caller = callerOf(context);
  const candidates = candidatesOf(
    domain.catalog.current(domain),
    { modelIds: [request.model], type: "embedding", caller, guardrails: policy.guardrails },
    (p, m) => domain.health.of(p, m, createdAt),
  );
  const wanted = {
    type: "embedding" as const,
    preferences: request.preferences,
    guardrails: policy.guardrails,
    defaultSort,
    parameters: parametersOf(request),
    dimensions: request.dimensions,
    promptTokens: leastTokensOf(request.items),
    completionTokens: 0,
    unfit: unfitFor(request),
    otherSpace: (candidate: Candidate) => otherSpace(candidate, request),
    takes,
  };
  const chosen = choose(candidates, wanted, random);
  if (chosen.candidates.length > 0) return request.truncate ? chosen : withLargeContext(chosen, request);
  // Every provider of the model is available, but none can take this request: the request has to change.
  const own = chosen.passedOver.filter(({ code }) => code === "capability" || code === "dimensions");
  const [first] = own;
  if (first === undefined || own.length < chosen.passedOver.length) {
    const refusal = nobodyLeft([request.model], chosen.passedOver);
    if (request.requiredSpace !== null) refusal.details["vector_spaces"] = offeredSpaces(candidates, request);
    throw refusal;
  }
  const member = first.code === "dimensions" ? "dimensions" : "input";
  throw invalid(member, `does not suit ${request.model}: ${first.reason}`);
}

/** Excludes candidates whose context is too short for an input, as long as at least one candidate remains. */
function withLargeContext(chosen: Route, { items }: EmbeddingsRequest): Route {
  const longest = items.reduce((most, item) => Math.max(most, leastTokens(item)), 0);
  const large = chosen.candidates.filter(({ model }) => (model.contextLength ?? longest) >= longest);
  if (large.length === 0 || large.length === chosen.candidates.length) return chosen;
  const small = chosen.candidates.filter((candidate) => !large.includes(candidate));
  const passedOver = small.map(({ provider, model }) => ({
    provider: provider.slug,
    code: "context_length" as const,
    reason: `its context is ${model.contextLength} tokens, an input has about ${longest}`,
  }));
  return { candidates: large, passedOver: [...chosen.passedOver, ...passedOver] };
}

function parametersOf({ dimensions, inputType, user, extra }: EmbeddingsRequest): string[] {
  return [
    ...(dimensions === null ? [] : ["dimensions"]),
    ...(inputType === null ? [] : ["input_type"]),
    ...(user === null ? [] : ["user"]),
    ...Object.keys(extra),
  ];
}

function takes({ provider, model }: Candidate, parameter: string): boolean {
  const dialect = adapters[provider.kind]?.embeddings;
  if (dialect && !dialect.takes(toUpstream(provider), parameter)) return false;
  return model.supportedParameters === null || model.supportedParameters.includes(parameter);
}

function unfitFor(request: EmbeddingsRequest): (candidate: Candidate) => string | null {
  const { items, dimensions } = request;
  const tokens = items.some((item) => item.type === "tokens");
  const images = imagesIn(items) > 0;
  return ({ provider, model }) => {
    const adapter = adapters[provider.kind]?.embeddings;
    if (provider.kind !== "builtin" && !adapter) return "its kind of provider makes no embeddings";
    if (tokens && !adapter?.capabilities.tokens) return "it takes text, not token ids";
    if (tokens && inputFormOf(model, request).prefix !== "")
      return "it puts a prefix before texts, not before token ids";
    // Silently dropping it would give vectors of a different length than requested.
    const shorter = dimensions !== null && dimensions !== model.dimensions;
    if (shorter && adapter && !adapter.takes(toUpstream(provider), "dimensions")) return "its vectors have one length";
    if (!images) return null;
    const takesImages = provider.kind === "builtin" || adapter?.capabilities.images === true;
    return takesImages && model.inputModalities.includes("image") ? null : "it takes text, not images";
  };
}
