import type { ModelType } from "#contract/model-type.ts";
import type { ProviderPreferences, SortBy } from "#contract/routing.ts";
import type { AppliedGuardrail, GuardrailCode } from "../guardrails/effective.ts";
import type { Media } from "../ledger/price.ts";
import type { CatalogModel, CatalogProvider } from "./catalog.ts";
import type { Percentiles } from "./health-window.ts";

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
