import { createHash } from "node:crypto";
import type { ProviderPreferences, SortBy } from "#contract/routing.ts";
import type { CatalogProvider } from "./catalog.ts";
import type { Percentiles } from "./health-window.ts";
import { mediaPrice } from "../ledger/price.ts";
import { isNamed, states } from "./exclusion.ts";
import type { Candidate, RouteRequest } from "./routing.ts";

/** The order in which eligible candidates are tried: see `route`. */
export function arrange(fit: readonly Candidate[], request: RouteRequest, random: () => number): readonly Candidate[] {
  if (fit.length < 2) return fit;
  const { order, sort, allow_fallbacks } = request.preferences;
  const by = (typeof sort === "string" ? sort : sort?.by) ?? request.defaultSort;
  let ordered = by ? sortBy(fit, by, request) : draw(fit, request, random);
  const acrossModels = typeof sort === "object" && sort?.partition === "none";
  if (!acrossModels) ordered = groupByModel(ordered, fit);
  ordered = stable(ordered, (candidate) => lacks(candidate, request));
  if (order?.length) ordered = stable(ordered, ({ provider }) => rankOf(provider, order));
  ordered = stable(ordered, (candidate) => Number(isSlow(candidate, request.preferences)));
  // Without fallbacks the order is the caller's, even if one of its providers has been failing.
  if (allow_fallbacks !== false) ordered = stable(ordered, ({ health }) => Number(health.state === "down"));
  const ownFirst = (some: readonly Candidate[]) =>
    stable(some, ({ byok }) => (byok === null ? 1 : byok.isFallback ? 2 : 0));
  return ownKeysInOrder(acrossModels ? ownFirst(ordered) : withinModels(ordered, ownFirst));
}

/** Arranges the candidates of each model among themselves: a model keeps its places among the others. */
function withinModels(
  ordered: readonly Candidate[],
  rearrange: (some: readonly Candidate[]) => readonly Candidate[],
): readonly Candidate[] {
  const byModel = Map.groupBy(ordered, ({ model }) => model.id);
  const rearranged = new Map([...byModel].map(([model, some]) => [model, rearrange(some).values()]));
  return ordered.map((candidate) => rearranged.get(candidate.model.id)?.next().value ?? candidate);
}

/** A workspace's own keys for one provider are tried in their configured order, one after another. */
function ownKeysInOrder(ordered: readonly Candidate[]): readonly Candidate[] {
  if (ordered.filter(({ byok }) => byok !== null).length < 2) return ordered;
  const endpointKey = ({ provider, model, byok }: Candidate) => `${provider.slug} ${model.id} ${byok?.isFallback}`;
  const firsts = new Map<string, number>();
  for (const [index, candidate] of ordered.entries()) {
    if (!firsts.has(endpointKey(candidate))) firsts.set(endpointKey(candidate), index);
  }
  const byKey = stable(ordered, ({ byok }) => byok?.sortOrder ?? 0);
  return stable(byKey, (candidate) => firsts.get(endpointKey(candidate)) ?? 0);
}

function rankOf(provider: CatalogProvider, order: readonly string[]): number {
  const index = order.findIndex((name) => isNamed(provider, name));
  return index === -1 ? order.length : index;
}

/** With `models`, the caller's first model is tried everywhere before the second one is tried anywhere. */
function groupByModel(ordered: readonly Candidate[], given: readonly Candidate[]): readonly Candidate[] {
  const models = [...new Set(given.map(({ model }) => model.id))];
  return models.length < 2 ? ordered : stable(ordered, ({ model }) => models.indexOf(model.id));
}

/** Parameters whose loss spoils an answer: candidates known to take them come first. */
const steering = ["tools", "response_format"];

/** How much of what the caller needs a candidate lacks: tools, an output format, the requested answer length. */
function lacks(candidate: Candidate, { parameters, completionTokens, takes = states }: RouteRequest): number {
  const wanted = steering.filter((parameter) => parameters.includes(parameter) && !takes(candidate, parameter));
  const { maxCompletionTokens: most } = candidate.model;
  return wanted.length + Number(typeof most === "number" && completionTokens > most);
}

function sortBy(fit: readonly Candidate[], by: SortBy, request: RouteRequest): readonly Candidate[] {
  if (by === "latency") return stable(fit, ({ health }) => health.latency?.p50 ?? Number.POSITIVE_INFINITY);
  if (by === "throughput") return stable(fit, ({ health }) => -(health.throughput?.p50 ?? 0));
  const cheapest = stable(fit, (candidate) => expectedPrice(candidate, request));
  // "exacto" asks for the most dependable: here, the lowest failure rate.
  return by === "price" ? cheapest : stable(cheapest, ({ health }) => health.errorRate ?? 0);
}

function stable(candidates: readonly Candidate[], rank: (candidate: Candidate) => number): readonly Candidate[] {
  return candidates.toSorted((a, b) => {
    const [left, right] = [rank(a), rank(b)];
    return left === right ? 0 : left - right;
  });
}

/** The call's expected cost, in 1e-18 USD; only for comparing. Unpriced candidates sort last. */
function expectedPrice(
  { model: { prices } }: Candidate,
  { promptTokens, completionTokens, media }: RouteRequest,
): number {
  if (prices === null) return Number.POSITIVE_INFINITY;
  return (
    Number(prices.prompt) * Math.max(promptTokens, 1) +
    Number(prices.completion) * completionTokens +
    Number(prices.request) +
    (media === undefined ? 0 : Number(mediaPrice(prices, media)))
  );
}

/**
 * Draws without replacement, each with a weight of 1/price²; free ones first, unpriced ones last. Efraimidis and
 * Spirakis (2006): the smallest of -ln(u)/weight is drawn first. Where calls have an affinity, u is a hash of it and of
 * the candidate, which is weighted rendezvous hashing: each such call draws the same order, all affinities together
 * draw by weight, and one that loses its provider goes to its own next one, not all to the same.
 */
function draw(fit: readonly Candidate[], request: RouteRequest, random: () => number): readonly Candidate[] {
  const { affinity = null } = request;
  const cheapest = fit.reduce((least, candidate) => {
    const price = expectedPrice(candidate, request);
    return price > 0 && price < least ? price : least;
  }, Number.POSITIVE_INFINITY);
  const draws = new Map(
    fit.map((candidate) => {
      const price = expectedPrice(candidate, request);
      const tier = price === 0 ? 0 : Number.isFinite(price) ? 1 : 2;
      const weight = tier === 1 ? (cheapest / price) ** 2 : 1;
      const chance = affinity === null ? random() : chanceOf(affinity, candidate);
      return [candidate, { tier, time: -Math.log(1 - chance) / weight }];
    }),
  );
  const byTime = stable(fit, (candidate) => draws.get(candidate)?.time ?? 0);
  return stable(byTime, (candidate) => draws.get(candidate)?.tier ?? 0);
}

const hashBytes = 6;

/** From 0 up to 1, the same for the same affinity and candidate. */
function chanceOf(affinity: string, { provider, model, byok }: Candidate): number {
  const hash = createHash("sha256").update([affinity, provider.slug, model.id, byok?.id ?? ""].join("\0"));
  return hash.digest().readUIntBE(0, hashBytes) / 2 ** (8 * hashBytes);
}

/**
 * Beyond a preferred latency or below a preferred throughput; too few measurements do not count against a candidate.
 */
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
