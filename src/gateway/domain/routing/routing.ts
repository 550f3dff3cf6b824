import type { ModelType } from "#contract/model-type.ts";
import type { ProviderPreferences, SortBy } from "#contract/routing.ts";
import type { AppliedGuardrail, GuardrailCode } from "../guardrails/effective.ts";
import type { Media } from "../ledger/price.ts";
import type { CatalogModel, CatalogProvider } from "./catalog.ts";
import type { Percentiles } from "./health-window.ts";
import { exclude, type Exclusion, isNamed } from "./exclusion.ts";
import { arrange } from "./order.ts";

/** One way to serve a call: a model at a provider, with the shared credentials or with a workspace's own. */
export interface Candidate {
  readonly provider: CatalogProvider;
  readonly model: CatalogModel;
  /** null: the shared credentials */
  readonly byok: { readonly id: string; readonly isFallback: boolean; readonly sortOrder: number } | null;
  readonly health: CandidateHealth;
}

export interface CandidateHealth {
  /** `probe`: held back until now, and this call is the test; `down`: held back */
  readonly state: "up" | "probe" | "down";
  /** share of calls that failed, 0 to 1; null: too few seen */
  readonly errorRate: number | null;
  /** seconds to the first byte; null: too few seen */
  readonly latency: Percentiles | null;
  /** tokens a second; null: too few seen */
  readonly throughput: Percentiles | null;
}

/** What routing needs to know about a call. */
export interface RouteRequest {
  readonly type: ModelType;
  readonly preferences: ProviderPreferences;
  /** those that cover the call */
  readonly guardrails: readonly AppliedGuardrail[];
  /** how candidates are sorted if the caller does not say; null: drawn at random, weighted by price */
  readonly defaultSort: SortBy | null;
  /** members that the caller sent and that a vendor may or may not accept */
  readonly parameters: readonly string[];
  /** embeddings: the requested vector length */
  readonly dimensions: number | null;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly media?: Media;
  /** what the call has in common with others that should go to the same provider; default: nothing */
  readonly affinity?: string | null;
  /** why a candidate's dialect cannot carry this call; null when it can */
  readonly unfit?: (candidate: Candidate) => string | null;
  /** why a candidate's vectors are of another space than the one required; null when they are not */
  readonly otherSpace?: (candidate: Candidate) => string | null;
  /** whether a candidate takes a parameter; default: what its model's row states, or all where it states nothing */
  readonly takes?: (candidate: Candidate, parameter: string) => boolean;
}

/** Why a candidate was excluded; the codes are the public API's where it has one. */
export type ExclusionCode =
  | GuardrailCode
  | "distillable_text"
  | "quantization"
  | "max_price"
  | "require_parameters"
  | "context_length"
  | "dimensions"
  | "vector_space"
  | "capability"
  | "credentials"
  | "fallbacks_disabled"
  | "limit"
  | "busy"
  | "provider_changed";

export interface PassedOver {
  readonly provider: string;
  readonly code: ExclusionCode;
  readonly reason: string;
  /** the id of the guardrail that excludes it; absent: the request does, or the gateway */
  readonly guardrail?: string;
}

export interface Route {
  /** in the order in which they are tried */
  readonly candidates: readonly Candidate[];
  readonly passedOver: readonly PassedOver[];
}

/**
 * Decides which candidates are tried, in which order, and why the others are not.
 *
 * Without `order`, `sort` and a workspace default the candidates are drawn at random, each with a weight of 1/price²,
 * so that one at half the price is four times as likely to be first. Calls of one affinity draw alike. Candidates that
 * are held back come after the others. Among the candidates of a model a workspace's own keys come first, its fallback
 * keys last.
 *
 * @param candidates all offers of the model, by position
 * @param random numbers from 0 up to 1, as of Math.random
 */
export function route(candidates: readonly Candidate[], request: RouteRequest, random: () => number): Route {
  const passedOver: PassedOver[] = [];
  const fit = candidates.filter((candidate) => {
    const exclusion = exclude(candidate, request);
    if (exclusion) passedOver.push(toPassedOver(candidate, exclusion));
    return exclusion === null;
  });
  const space = oneVectorSpace(fit, request);
  passedOver.push(...space.passedOver);
  const ordered = arrange(space.candidates, request, random);
  // An order without fallbacks is the full list: all others have been excluded.
  if (request.preferences.allow_fallbacks !== false || request.preferences.order?.length)
    return { candidates: ordered, passedOver };
  const [first, ...rest] = ordered;
  for (const candidate of rest) {
    passedOver.push(
      toPassedOver(candidate, ["fallbacks_disabled", "allow_fallbacks is false, and another one comes first"]),
    );
  }
  return { candidates: first ? [first] : [], passedOver };
}

function toPassedOver({ provider }: Candidate, [code, reason, guardrail]: NonNullable<Exclusion>): PassedOver {
  return { provider: provider.slug, code, reason, ...(guardrail !== undefined && { guardrail }) };
}

/**
 * Vectors of two models, or of two lengths, must never be mixed in one index. The space is that of the candidate that
 * the caller names first, else of the first by position: always the same one, whatever is drawn.
 */
function oneVectorSpace(fit: readonly Candidate[], { type, preferences }: RouteRequest): Route {
  if (type !== "embedding" || fit.length < 2) return { candidates: fit, passedOver: [] };
  const named = preferences.order
    ?.map((name) => fit.find(({ provider }) => isNamed(provider, name)))
    .find((one) => one !== undefined);
  const reference = (named ?? fit[0])?.model;
  const inside = (candidate: Candidate) =>
    candidate.model.id === reference?.id && candidate.model.dimensions === reference.dimensions;
  const reason = `its vectors are not of the same space as those of ${(named ?? fit[0])?.provider.slug}`;
  return {
    candidates: fit.filter(inside),
    passedOver: fit
      .filter((candidate) => !inside(candidate))
      .map((candidate) => toPassedOver(candidate, ["vector_space", reason])),
  };
}
