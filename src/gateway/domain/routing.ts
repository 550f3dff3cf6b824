import type { ProviderPreferences } from "#contract/routing.ts";
import type { CatalogModel, CatalogProvider } from "./catalog.ts";
import type { Percentiles } from "./health-window.ts";
import { parsePrice } from "./price.ts";

/** One way to serve a call: a model at a provider, with the shared credentials or with a workspace's own. */
export interface Candidate {
  readonly provider: CatalogProvider;
  readonly model: CatalogModel;
  /** null: the shared credentials */
  readonly byok: { readonly id: string; readonly isFallback: boolean; readonly sortOrder: number } | null;
  readonly health: CandidateHealth;
}

export interface CandidateHealth {
  /** `probe`: held back until now, and this call finds out; `down`: held back */
  readonly state: "up" | "probe" | "down";
  /** share of calls that failed, 0 to 1; null: too few seen */
  readonly errorRate: number | null;
  /** seconds to the first byte; null: too few seen */
  readonly latency: Percentiles | null;
  /** tokens a second; null: too few seen */
  readonly throughput: Percentiles | null;
}

/** What of a call matters to routing. */
export interface RouteRequest {
  readonly type: "embedding" | "chat";
  readonly preferences: ProviderPreferences;
  /** members that the caller sent and that a vendor may or may not take */
  readonly parameters: readonly string[];
  /** embeddings: the vector length that the caller asked for */
  readonly dimensions: number | null;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** why a candidate's dialect cannot carry this call; null when it can */
  readonly unfit?: (candidate: Candidate) => string | null;
  /** whether a candidate takes a parameter; default: what its model's row states, and all where it states nothing */
  readonly takes?: (candidate: Candidate, parameter: string) => boolean;
}

/** Why a candidate was passed over; the codes are the public API's words where it has one. */
export type ExclusionCode =
  | "allowed_providers"
  | "ignored_providers"
  | "data_policy:training"
  | "data_policy:zdr"
  | "distillable_text"
  | "quantization"
  | "max_price"
  | "require_parameters"
  | "context_length"
  | "dimensions"
  | "vector_space"
  | "capability"
  | "credentials"
  | "fallbacks_disabled";

export interface PassedOver {
  readonly provider: string;
  readonly code: ExclusionCode;
  readonly reason: string;
}

export interface Route {
  /** in the order in which they are tried */
  readonly candidates: readonly Candidate[];
  readonly passedOver: readonly PassedOver[];
}

type Exclusion = readonly [ExclusionCode, string] | null;

/**
 * Decides who is tried, in which order, and why the others are not.
 *
 * Without `order` and `sort` the candidates are drawn by price, each with a weight of 1/price², so that one at half the
 * price is four times as likely to be first. Those that are held back stand behind those that are not. A workspace's
 * own keys come first, its fallback keys last.
 *
 * @param candidates all that offer the model, by position
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
  if (request.preferences.allow_fallbacks !== false) return { candidates: ordered, passedOver };
  const [first, ...rest] = ordered;
  for (const candidate of rest) {
    passedOver.push(
      toPassedOver(candidate, ["fallbacks_disabled", "allow_fallbacks is false, and another one comes first"]),
    );
  }
  return { candidates: first ? [first] : [], passedOver };
}

function toPassedOver(candidate: Candidate, [code, reason]: readonly [ExclusionCode, string]): PassedOver {
  return { provider: candidate.provider.slug, code, reason };
}

/** `OpenAI`, `openai` and `open-ai` all name the provider whose slug is `openai`. */
export function isNamed(provider: Pick<CatalogProvider, "slug" | "name">, name: string): boolean {
  const wanted = fold(name);
  return wanted === fold(provider.slug) || wanted === fold(provider.name);
}

function fold(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}

function exclude(candidate: Candidate, request: RouteRequest): Exclusion {
  const { provider, model } = candidate;
  const { preferences } = request;
  if (provider.unreadable) return ["credentials", "its stored credentials cannot be decrypted"];
  if (preferences.only && !preferences.only.some((name) => isNamed(provider, name)))
    return ["allowed_providers", "only does not name it"];
  if (preferences.ignore?.some((name) => isNamed(provider, name))) return ["ignored_providers", "ignore names it"];
  if (preferences.data_collection === "deny" && provider.dataCollection !== "deny") {
    return ["data_policy:training", "it may collect request data, and data_collection is deny"];
  }
  if (preferences.zdr === true && !provider.zdr) return ["data_policy:zdr", "it is not known to keep nothing (zdr)"];
  if (preferences.enforce_distillable_text === true && model.type === "chat" && model.distillable !== true) {
    return ["distillable_text", "its texts are not known to be free for training"];
  }
  if (preferences.quantizations && !preferences.quantizations.some((name) => name === model.quantization)) {
    return ["quantization", `its quantization is ${model.quantization}`];
  }
  const unfit = request.unfit?.(candidate) ?? null;
  if (unfit !== null) return ["capability", unfit];
  return (
    overPriced(candidate, preferences.max_price) ?? tooSmall(candidate, request) ?? missingParameter(candidate, request)
  );
}

const perMillion = 1_000_000n;

function overPriced({ model }: Candidate, most: ProviderPreferences["max_price"]): Exclusion {
  for (const [member, given] of Object.entries(most ?? {})) {
    if (given === undefined || member === "audio") continue;
    if (model.prices === null) return ["max_price", "it has no price"];
    const kind = member as "prompt" | "completion" | "image" | "request";
    const asked = model.prices[kind] * (kind === "prompt" || kind === "completion" ? perMillion : 1n);
    if (asked > parsePrice(toDecimal(given))) return ["max_price", `its ${kind} price is over max_price.${kind}`];
  }
  return null;
}

/** JSON numbers may be written `1e-7`; prices are decimal text. */
function toDecimal(price: string | number): string {
  return typeof price === "string" ? price : price.toFixed(18);
}

function tooSmall({ model }: Candidate, { type, dimensions, promptTokens }: RouteRequest): Exclusion {
  if (type === "chat" && model.contextLength !== null && promptTokens > model.contextLength) {
    return ["context_length", `its context is ${model.contextLength} tokens, the prompt has about ${promptTokens}`];
  }
  if (dimensions === null || model.dimensions === null) return null;
  // Without a stated range the vendor decides; a vector longer than the model's own is none that any vendor makes.
  const { minimum, maximum } = model.dimensionsRange ?? { minimum: 1, maximum: model.dimensions };
  if (dimensions === model.dimensions || (dimensions >= minimum && dimensions <= maximum)) return null;
  return ["dimensions", `its vectors have ${minimum} to ${maximum} dimensions, not ${dimensions}`];
}

function missingParameter(candidate: Candidate, { preferences, parameters, takes = states }: RouteRequest): Exclusion {
  if (preferences.require_parameters !== true) return null;
  const missing = parameters.filter((parameter) => !takes(candidate, parameter));
  return missing.length === 0 ? null : ["require_parameters", `it does not take ${missing.join(", ")}`];
}

function states({ model }: Candidate, parameter: string): boolean {
  return model.supportedParameters === null || model.supportedParameters.includes(parameter);
}

/**
 * Vectors of two models, or of two lengths, must never be mixed in one index. The space is that of the candidate that
 * the caller names first, else of the one that stands first: always the same one, whatever is drawn.
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

function arrange(fit: readonly Candidate[], request: RouteRequest, random: () => number): readonly Candidate[] {
  if (fit.length < 2) return fit;
  const { order, sort, allow_fallbacks } = request.preferences;
  const by = typeof sort === "string" ? sort : sort?.by;
  let ordered = by ? sortBy(fit, by, request) : draw(fit, request, random);
  if (!(typeof sort === "object" && sort?.partition === "none")) ordered = groupByModel(ordered, fit);
  if (order?.length) ordered = stable(ordered, ({ provider }) => place(provider, order));
  ordered = stable(ordered, (candidate) => Number(isSlow(candidate, request.preferences)));
  // Without fallbacks the first choice is the caller's, even if it has been failing.
  if (allow_fallbacks !== false) ordered = stable(ordered, ({ health }) => Number(health.state === "down"));
  return stable(ordered, ({ byok }) => (byok === null ? 1 : byok.isFallback ? 2 : 0));
}

function place(provider: CatalogProvider, order: readonly string[]): number {
  const index = order.findIndex((name) => isNamed(provider, name));
  return index === -1 ? order.length : index;
}

/** With `models` the caller's first model is tried everywhere before the second one is tried anywhere. */
function groupByModel(ordered: readonly Candidate[], given: readonly Candidate[]): readonly Candidate[] {
  const models = [...new Set(given.map(({ model }) => model.id))];
  return models.length < 2 ? ordered : stable(ordered, ({ model }) => models.indexOf(model.id));
}

type SortBy = "price" | "throughput" | "latency" | "exacto";

function sortBy(fit: readonly Candidate[], by: SortBy, request: RouteRequest): readonly Candidate[] {
  if (by === "latency") return stable(fit, ({ health }) => health.latency?.p50 ?? Number.POSITIVE_INFINITY);
  if (by === "throughput") return stable(fit, ({ health }) => -(health.throughput?.p50 ?? 0));
  const cheapest = stable(fit, (candidate) => expectedPrice(candidate, request));
  // "exacto" asks for the most dependable: here, what has failed least.
  return by === "price" ? cheapest : stable(cheapest, ({ health }) => health.errorRate ?? 0);
}

function stable(candidates: readonly Candidate[], rank: (candidate: Candidate) => number): readonly Candidate[] {
  return candidates.toSorted((a, b) => {
    const [left, right] = [rank(a), rank(b)];
    return left === right ? 0 : left - right;
  });
}

/** What the call is expected to cost, in 1e-18 USD; only for comparing. Unpriced ones stand behind all others. */
function expectedPrice({ model: { prices } }: Candidate, { promptTokens, completionTokens }: RouteRequest): number {
  if (prices === null) return Number.POSITIVE_INFINITY;
  return (
    Number(prices.prompt) * Math.max(promptTokens, 1) +
    Number(prices.completion) * completionTokens +
    Number(prices.request)
  );
}

/** Draws without putting back, each with a weight of 1/price²; free ones before all others. */
function draw(fit: readonly Candidate[], request: RouteRequest, random: () => number): readonly Candidate[] {
  const left = fit.map((candidate) => ({ candidate, price: expectedPrice(candidate, request) }));
  const cheapestPriced = Math.min(...left.map(({ price }) => (price > 0 ? price : Number.POSITIVE_INFINITY)));
  const drawn: Candidate[] = [];
  while (left.length > 0) {
    const free = left.some(({ price }) => price === 0);
    const weights = left.map(({ price }) => {
      if (free) return price === 0 ? 1 : 0;
      return Number.isFinite(price) ? (cheapestPriced / price) ** 2 : Number.MIN_VALUE;
    });
    let at = random() * weights.reduce((sum, weight) => sum + weight, 0);
    let index = weights.findIndex((weight) => (at -= weight) < 0);
    if (index === -1) index = weights.findLastIndex((weight) => weight > 0);
    drawn.push(...left.splice(index, 1).map(({ candidate }) => candidate));
  }
  return drawn;
}

/** Beyond a preferred latency or below a preferred throughput; what was not seen often enough is not held against it. */
function isSlow({ health }: Candidate, preferences: ProviderPreferences): boolean {
  const latency = thresholds(preferences.preferred_max_latency);
  const throughput = thresholds(preferences.preferred_min_throughput);
  return (
    latency.some(([name, most]) => health.latency !== null && health.latency[name] > most) ||
    throughput.some(([name, least]) => health.throughput !== null && health.throughput[name] < least)
  );
}

function thresholds(preferred: ProviderPreferences["preferred_max_latency"]): [keyof Percentiles, number][] {
  if (preferred === undefined || preferred === null) return [];
  if (typeof preferred === "number") return [["p50", preferred]];
  return (["p50", "p75", "p90", "p99"] as const).flatMap((name) => {
    const value = preferred[name];
    return value === undefined || value === null ? [] : [[name, value] as [keyof Percentiles, number]];
  });
}
