import type { PayingWorkspace } from "../domain/accounts.ts";
import { candidatesOf, nobodyLeft } from "../domain/candidates.ts";
import { invalid } from "../domain/refusal.ts";
import { affordable, costOf } from "../domain/price.ts";
import type { Account } from "../domain/purse.ts";
import { type Candidate, route as choose, type Route } from "../domain/routing.ts";
import type { Usage } from "../providers/provider.ts";
import { adapters, toUpstream } from "../providers/registry.ts";
import {
  type ChatRequest,
  mostCompletionTokens,
  mostPromptTokens,
  ownPromptCount,
  type Prompt,
} from "./chat-request.ts";
import type { RelayParts } from "./parts.ts";
import type { Begun } from "./record.ts";
import { reserve } from "./reserve.ts";

/** Members that every chat model takes, or that are the gateway's own. */
const everyone = new Set(["messages", "model", "stream", "stream_options", "user", "metadata", "usage"]);

/** Who may serve a chat call, in order. @throws Refusal not_found */
export function routeChat(
  parts: RelayParts,
  { workspaceId, call: { credential }, createdAt }: Begun,
  request: ChatRequest,
  prompt: Prompt,
  { defaultSort }: PayingWorkspace,
): Route {
  const caller = { workspaceId, keyHash: credential.hash, userId: credential.creatorUserId };
  const candidates = candidatesOf(parts.deps.catalog.current(parts.deps), request.models, "chat", caller, (p, m) =>
    parts.deps.health.of(p, m, createdAt),
  );
  const chosen = choose(
    candidates,
    {
      type: "chat",
      preferences: request.preferences,
      defaultSort,
      parameters: Object.keys(request.body).filter((member) => !everyone.has(member)),
      dimensions: null,
      promptTokens: ownPromptCount(request, prompt),
      completionTokens: request.maxTokens ?? 0,
      unfit: ({ provider, model }) => {
        if (!adapters[provider.kind]?.chat) return "its kind of provider has no chat models";
        if (prompt.images > 0 && !model.inputModalities.includes("image")) return "it takes text, not images";
        return null;
      },
      takes: ({ provider, model }, parameter) => {
        if (!adapters[provider.kind]?.chat?.takes(toUpstream(provider), parameter)) return false;
        return model.supportedParameters === null || model.supportedParameters.includes(parameter);
      },
    },
    parts.random,
  );
  if (chosen.candidates.length > 0) return chosen;
  const [first] = chosen.passedOver;
  // Every provider of the model is there, and the prompt is too long for each: the request is what has to change.
  if (first !== undefined && chosen.passedOver.every(({ code }) => code === "context_length"))
    throw invalid("messages", `are too long for ${request.models.join(", ")}: ${first.reason}`);
  throw nobodyLeft(request.models, chosen.passedOver);
}

/** What a chat call came to at a candidate: nano-dollars; 0 at one without a price. */
export function chatCost({ model }: Candidate, usage: Usage, images: number): bigint {
  if (model.prices === null) return 0n;
  const { promptTokens, completionTokens } = usage;
  return costOf(model.prices, { promptTokens, completionTokens, images, requests: 1 });
}

/** Reserves for the longest answer that may come; a refusal says which `max_tokens` would fit. */
export function reserveChat(
  parts: RelayParts,
  accounts: readonly Account[],
  request: ChatRequest,
  prompt: Prompt,
  route: Route,
) {
  const { candidates } = route;
  const costAt = (candidate: Candidate, completionTokens = mostCompletionTokens(request, candidate.model)) => {
    const promptTokens = mostPromptTokens(request, prompt, candidate.model.contextLength);
    return chatCost(candidate, { promptTokens, completionTokens }, prompt.images);
  };
  const fits = (remaining: bigint) => {
    const each = candidates.map((candidate) => {
      const left = remaining - costAt(candidate, 0);
      return left < 0n ? 0 : affordable(candidate.model.prices?.completion ?? 0n, left);
    });
    const known = each.filter((tokens) => tokens !== null);
    if (known.length === 0) return null;
    const most = Math.floor(Math.min(...known) / request.choices);
    return most === 0 ? null : { max_tokens: most };
  };
  return reserve(parts, accounts, { candidates, costAt: (candidate) => costAt(candidate), fits });
}
