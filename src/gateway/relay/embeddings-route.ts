import type { PayingWorkspace } from "../domain/accounts.ts";
import { candidatesOf, nobodyLeft } from "../domain/candidates.ts";
import { invalid } from "../domain/refusal.ts";
import { type Candidate, route as choose, type Route } from "../domain/routing.ts";
import type { EmbeddingItem } from "../providers/provider.ts";
import { adapters, toUpstream } from "../providers/registry.ts";
import type { EmbeddingsRequest } from "./embeddings-request.ts";
import { countsExactly, cutItem, imagesIn, leastTokens, leastTokensOf, ownCount } from "./estimate.ts";
import type { RelayParts } from "./parts.ts";
import type { Begun } from "./record.ts";

/** Who may serve an embeddings call, in order. @throws Refusal not_found, or invalid_request where only the input is at fault */
export function routeEmbeddings(
  parts: RelayParts,
  begun: Begun,
  request: EmbeddingsRequest,
  { defaultSort }: PayingWorkspace,
): Route {
  const { workspaceId, createdAt } = begun;
  const { credential } = begun.call;
  const { deps, random } = parts;
  const caller = { workspaceId, keyHash: credential.hash, userId: credential.creatorUserId };
  const candidates = candidatesOf(deps.catalog.current(deps), [request.model], "embedding", caller, (p, m) =>
    deps.health.of(p, m, createdAt),
  );
  const wanted = {
    type: "embedding" as const,
    preferences: request.preferences,
    defaultSort,
    parameters: parametersOf(request),
    dimensions: request.dimensions,
    promptTokens: leastTokensOf(request.items),
    completionTokens: 0,
    unfit: unfitFor(request),
    takes,
  };
  const chosen = choose(candidates, wanted, random);
  if (chosen.candidates.length > 0) return request.truncate ? chosen : withLargeContext(chosen, request);
  // Every provider of the model is there, and none can take this very request: the request is what has to change.
  const own = chosen.passedOver.filter(({ code }) => code === "capability" || code === "dimensions");
  const [first] = own;
  if (first === undefined || own.length < chosen.passedOver.length) {
    throw nobodyLeft([request.model], chosen.passedOver);
  }
  const member = first.code === "dimensions" ? "dimensions" : "input";
  throw invalid(member, `does not suit ${request.model}: ${first.reason}`);
}

/** Passes over those whose context an input is too long for, while somebody is left for whom it is not. */
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

function unfitFor({ items, dimensions }: EmbeddingsRequest): (candidate: Candidate) => string | null {
  const tokens = items.some((item) => item.type === "tokens");
  const images = imagesIn(items) > 0;
  return ({ provider, model }) => {
    const adapter = adapters[provider.kind]?.embeddings;
    if (provider.kind !== "builtin" && !adapter) return "its kind of provider makes no embeddings";
    if (tokens && !adapter?.capabilities.tokens) return "it takes text, not token ids";
    // Left out in silence, it would bring vectors of another length than was asked for.
    const shorter = dimensions !== null && dimensions !== model.dimensions;
    if (shorter && adapter && !adapter.takes(toUpstream(provider), "dimensions")) return "its vectors have one length";
    if (!images) return null;
    const takesImages = provider.kind === "builtin" || adapter?.capabilities.images === true;
    return takesImages && model.inputModalities.includes("image") ? null : "it takes text, not images";
  };
}

/**
 * Inputs beyond every candidate's context: cut where the caller asked for it and the count is known exactly (elsewhere
 * the vendor cuts), else refused before they cost anything.
 */
export function withinContext(request: EmbeddingsRequest, { candidates }: Route): readonly EmbeddingItem[] {
  const { items, truncate, model } = request;
  let limit = 0;
  let exact = true;
  for (const candidate of candidates) {
    limit = Math.max(limit, candidate.model.contextLength ?? Number.POSITIVE_INFINITY);
    if (!countsExactly(candidate)) exact = false;
  }
  if (truncate) return exact ? items.map((item) => cutItem(item, limit)) : items;
  items.forEach((item, index) => {
    const tokens = exact ? ownCount(item) : leastTokens(item);
    if (tokens <= limit) return;
    const path = items.length === 1 ? "input" : `input.${index}`;
    const about = exact ? "" : "about ";
    const message = `has ${about}${tokens} tokens, and ${model} takes at most ${limit}: shorten it, or send truncate: true`;
    throw invalid(path, message, { index, tokens, context_length: limit, exact });
  });
  return items;
}
