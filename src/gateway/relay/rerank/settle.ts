import type { KeptBody } from "../../domain/bodies/body.ts";
import type { Settlement } from "../../domain/ledger/ledger.ts";
import type { Candidate } from "../../domain/routing/routing.ts";
import type { RerankUsage } from "../../providers/provider.ts";
import type { RelayDeps } from "../deps.ts";
import { settleCall, settleUnansweredCall } from "../settle-call.ts";
import { billedUnits, costAt, ownUnits, type Units } from "./amount.ts";
import type { RerankRequest } from "./request.ts";
import type { RerankRun } from "./run.ts";

/** The outcome of a rerank call. */
interface RerankEnd {
  /** the candidate that served; null: none did */
  readonly candidate: Candidate | null;
  readonly usage: RerankUsage | null;
  readonly latencyMs: number | null;
  /** what went wrong; null: nothing */
  readonly error: unknown;
}

/** Charges what the call cost, and what providers that did not answer may bill. */
export function settleRerank(
  deps: RelayDeps,
  run: RerankRun,
  { candidate, usage, latencyMs, error }: RerankEnd,
): { settlement: Settlement; units: Units } {
  const { request, amount } = run;
  const units = candidate === null ? none : billedUnits(amount, candidate, usage);
  const settlement = settleCall(deps, run, {
    apiType: "rerank",
    candidate,
    cost: candidate === null ? 0n : costAt(candidate, units),
    tokens: units.totalTokens,
    error,
    body: () => bodyOf(request),
    entry: {
      promptTokens: units.totalTokens,
      meteredBy: usage === null && candidate !== null ? "gateway" : "upstream",
      inputs: request.documents.length,
      latencyMs,
    },
  });
  return { settlement, units };
}

const none: Units = { totalTokens: 0, searchUnits: 0 };

/** Charges a call that no candidate answered. @throws the error, with the call's id */
export async function settleUnanswered(deps: RelayDeps, run: RerankRun, error: unknown): Promise<never> {
  return await settleUnansweredCall(deps, run, error, {
    ownCost: (candidate) => costAt(candidate, ownUnits(run.amount)),
    settle: () => settleRerank(deps, run, { candidate: null, usage: null, latencyMs: null, error }).settlement,
  });
}

/** The query and the documents; scores are not kept. */
function bodyOf({ query, documents }: RerankRequest): KeptBody {
  return {
    input: [query, ...documents.map(({ text, image }) => (image === null ? text : { text, image }))],
    output: null,
    error: null,
  };
}
