import type { Attempt } from "../../domain/ledger/attempt.ts";
import { affordable } from "../../domain/ledger/price.ts";
import type { Candidate } from "../../domain/routing/routing.ts";
import type { RelayDeps } from "../deps.ts";
import { reserve } from "../reserve.ts";
import { Unanswered } from "../unanswered.ts";
import { unknownTiers } from "./bounds.ts";
import { chatCost, pricesFor, tierOf } from "./costs.ts";
import type { ChatRun, ClaimedChat } from "./run.ts";
import { unpricedExtra } from "./unpriced-extra.ts";

/** Reserves for the longest possible answer; a refusal says which `max_tokens` would fit. */
export async function reserveChat(
  deps: RelayDeps,
  routed: ClaimedChat & Pick<ChatRun, "countTokens">,
): Promise<ChatRun> {
  const { policy, request, prompt, bounds, route } = routed;
  const ratedAt = (candidate: Candidate) => ({
    promptTokens: bounds.promptTokens(candidate.model),
    tier: tierOf(candidate, unknownTiers, request),
    isBilled: false,
  });
  const costAt = (candidate: Candidate, perChoice?: number) => {
    const { model } = candidate;
    const completionTokens = bounds.completionTokens(model, perChoice);
    const used = {
      ...ratedAt(candidate),
      written: bounds.written(model),
      completionTokens,
      imageOutputTokens: completionTokens,
    };
    return chatCost(candidate, used, prompt.images);
  };
  // Where the prompt alone is too long: how much of it would fit, with the shortest answer.
  const shorterPrompt = (remaining: bigint) => {
    const each = route.candidates.map((candidate) => {
      const rated = { tier: tierOf(candidate, unknownTiers, request), isBilled: false };
      const least = { promptTokens: 0, completionTokens: request.choices, ...rated };
      const left = remaining - chatCost(candidate, least, prompt.images);
      return affordable(pricesFor(candidate, least)?.prompt ?? 0n, left);
    });
    const most = Math.min(...each.filter((tokens) => tokens !== null));
    return most > 0 && Number.isFinite(most) ? { prompt_tokens: most, max_tokens: 1 } : null;
  };
  const { longest, thinking } = request.settings;
  const fits = (remaining: bigint) => {
    const each = route.candidates.map((candidate) => {
      const left = remaining - costAt(candidate, 0);
      const { completion = 0n, imageOutput = null } = pricesFor(candidate, ratedAt(candidate)) ?? {};
      return left < 0n ? 0 : affordable(imageOutput ?? completion, left);
    });
    const known = each.filter((tokens) => tokens !== null);
    if (known.length === 0) return null;
    const most = Math.floor(Math.min(...known) / request.choices);
    if (most === 0) return shorterPrompt(remaining);
    // What is thought may be billed beside the answer.
    const share = thinking === null ? most : Math.floor(most / 2);
    const shorter = [longest, thinking].filter((asked) => asked !== null && asked.tokens > share);
    return { max_tokens: Math.max(1, share), ...Object.fromEntries(shorter.map((asked) => [asked?.path, share])) };
  };
  const { reservation, candidates, mostCost } = await reserve(deps, policy, {
    candidates: route.candidates,
    costAt: (candidate) => costAt(candidate),
    unpriced: unpricedExtra(request),
    fits,
  });
  const unanswered = new Unanswered(deps.ledger, reservation);
  return {
    ...routed,
    route: { ...route, candidates },
    reservation,
    mostCost,
    attempts: { made: unknownModels(deps, request.models), failed: [], asked: null, unanswered },
    received: { bytes: 0, streamed: request.stream, usage: null },
    logsBody: deps.random() < policy.workspace.keptBodies,
  };
}

/**
 * Models that the caller names along with known ones and that no provider here offers: skipped, and listed as attempts.
 */
function unknownModels({ domain }: RelayDeps, models: readonly string[]): Attempt[] {
  const { offers } = domain.catalog.current(domain);
  return models
    .filter((id) => !offers.has(id))
    .map((model) => ({
      provider: "none",
      model,
      status: 404,
      latency_ms: 0,
      is_byok: false,
      error: "no provider here offers this model",
    }));
}
