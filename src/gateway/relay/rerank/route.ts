import { invalid } from "../../domain/refusal.ts";
import type { Candidate, Route } from "../../domain/routing/routing.ts";
import { adapters, toUpstream } from "../../providers/registry.ts";
import type { RelayDeps } from "../deps.ts";
import { routeOneModel } from "../one-model.ts";
import type { Amount } from "./amount.ts";
import type { RerankRequest } from "./request.ts";
import type { AskedRerank } from "./run.ts";

/** The candidates for a rerank call, in order. @throws Refusal not_found, or invalid_request where only the documents are at fault */
export function routeRerank(deps: RelayDeps, asked: AskedRerank, { queryTokens }: Amount): Route {
  const { model, preferences } = asked.request;
  const unfit = unfitFor(asked.request);
  return routeOneModel(
    deps,
    asked,
    { type: "rerank", preferences, promptTokens: queryTokens, completionTokens: 0, unfit },
    (reason) => invalid("documents", `do not suit ${model}: ${reason}`),
  );
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
