import { Refusal } from "../../domain/refusal.ts";
import { candidatesOf, nobodyLeft } from "../../domain/routing/candidates.ts";
import { route as choose } from "../../domain/routing/route.ts";
import type { Candidate, Route } from "../../domain/routing/routing.ts";
import { isForGateway } from "../../providers/compatible/members.ts";
import { adapters, toUpstream } from "../../providers/registry.ts";
import { callerOf } from "../current-candidate.ts";
import type { RelayDeps } from "../deps.ts";
import { cannotOpen, noOpener } from "../files/vendors-own.ts";
import { affinityOf } from "./affinity.ts";
import { cannotContinue, noKeeper } from "./continued.ts";
import { passageTo } from "./passed.ts";
import type { ChatRequest } from "./request.ts";
import type { AskedChat } from "./run.ts";

/** Members that every chat model accepts, or that are the gateway's own. */
const everyone = new Set(["messages", "model", "stream", "stream_options", "user", "metadata"]);

/** The public form goes to all with its own members; another form to those that speak it. */
const isSentAsItIs = (candidate: Candidate, request: ChatRequest) =>
  request.passed === null || passageTo(candidate, request) !== null;

/** The candidates for a chat call, in order. @throws Refusal not_found */
export function routeChat(
  { domain, random }: RelayDeps,
  { context, form, policy, request, keeper, vendorsOwn, prompt }: AskedChat,
): Route {
  const { createdAt } = context;
  const caller = callerOf(context);
  const candidates = candidatesOf(
    domain.catalog.current(domain),
    { modelIds: request.models, type: "chat", caller, guardrails: policy.guardrails },
    (p, m) => domain.health.of(p, m, createdAt),
  );
  const chosen = choose(
    candidates,
    {
      type: "chat",
      preferences: request.preferences,
      guardrails: policy.guardrails,
      defaultSort: policy.workspace.defaultSort,
      parameters: Object.keys(request.body).filter(
        (member) => !everyone.has(member) && !isForGateway(member, request.body[member]),
      ),
      dimensions: null,
      promptTokens: prompt.tokens,
      completionTokens: request.maxTokens ?? 0,
      affinity: affinityOf(request, prompt.tokens),
      unfit: (candidate) => {
        const { provider, model } = candidate;
        if (!adapters[provider.kind]?.chat) return "its kind of provider has no chat models";
        if (prompt.images > 0 && !model.inputModalities.includes("image")) return "it takes text, not images";
        return (
          cannotContinue(keeper, candidate) ??
          cannotOpen(vendorsOwn, { api: form.apiType, isSent: isSentAsItIs(candidate, request) }, candidate)
        );
      },
      takes: (candidate, parameter) => {
        if (passageTo(candidate, request) !== null) return true;
        const { provider, model } = candidate;
        if (!adapters[provider.kind]?.chat?.takes(toUpstream(provider), parameter)) return false;
        return model.supportedParameters === null || model.supportedParameters.includes(parameter);
      },
    },
    random,
  );
  if (chosen.candidates.length > 0) return chosen;
  const [first] = chosen.passedOver;
  // Every provider of the model is available, but the prompt is too long for each: the request has to change.
  if (first !== undefined && chosen.passedOver.every(({ code }) => code === "context_length")) {
    const message = `are too long for ${request.models.join(", ")}: ${first.reason}`;
    const issues = [{ path: "messages", message }];
    throw new Refusal("context_length_exceeded", `messages ${message}`, { issues });
  }
  if (vendorsOwn !== null && chosen.passedOver.every(({ code }) => code === "capability")) {
    throw noOpener(vendorsOwn, chosen.passedOver);
  }
  if (keeper !== null) throw noKeeper(keeper, request.models);
  throw nobodyLeft(request.models, chosen.passedOver);
}
