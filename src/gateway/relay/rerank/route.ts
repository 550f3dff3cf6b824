import { candidatesOf, nobodyLeft } from "../../domain/routing/candidates.ts";
import { invalid } from "../../domain/refusal.ts";
import { type Candidate, route as choose, type Route } from "../../domain/routing/routing.ts";
import { adapters, toUpstream } from "../../providers/registry.ts";
import { callerOf } from "../current-candidate.ts";
import type { RelayDeps } from "../deps.ts";
import type { Amount } from "./amount.ts";
import type { RerankRequest } from "./request.ts";
import type { AskedRerank } from "./run.ts";

/** The candidates for a rerank call, in order. @throws Refusal not_found, or invalid_request where only the documents are at fault */
export function routeRerank({ domain, random }: RelayDeps, asked: AskedRerank, amount: Amount): Route {
  const { context, policy, request } = asked;
  const candidates = candidatesOf(
    domain.catalog.current(domain),
    { modelIds: [request.model], type: "rerank", caller: callerOf(context) },
    (provider, model) => domain.health.of(provider, model, context.createdAt),
  );
  const chosen = choose(
    candidates,
    {
      type: "rerank",
      preferences: request.preferences,
      defaultSort: policy.workspace.defaultSort,
      parameters: Object.keys(request.extra),
      dimensions: null,
      promptTokens: amount.queryTokens,
      completionTokens: 0,
      unfit: unfitFor(request),
    },
    random,
  );
  if (chosen.candidates.length > 0) return chosen;
  const [first] = chosen.passedOver;
  if (first !== undefined && chosen.passedOver.every(({ code }) => code === "capability")) {
    throw invalid("documents", `do not suit ${request.model}: ${first.reason}`);
  }
  throw nobodyLeft([request.model], chosen.passedOver);
}

function unfitFor({ documents }: RerankRequest): (candidate: Candidate) => string | null {
  const images = documents.some(({ image }) => image !== null);
  return ({ provider, model }) => {
    const dialect = adapters[provider.kind]?.rerank;
    const upstream = toUpstream(provider);
    if (!dialect?.takes(upstream)) return "its kind of provider has no rerank models";
    if (!images || (dialect.takesImages(upstream) && model.inputModalities.includes("image"))) return null;
    return "it ranks texts, not images";
  };
}
