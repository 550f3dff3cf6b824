import type { KeptBody } from "../../domain/bodies/body.ts";
import type { Settlement } from "../../domain/ledger/ledger.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Candidate } from "../../domain/routing/routing.ts";
import { NoRoom } from "../../memory-budget.ts";
import type { RerankUsage } from "../../providers/provider.ts";
import type { RelayDeps } from "../deps.ts";
import { keepBody, toLedgerEntry, withId } from "../record.ts";
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
  const { request, amount, context, attempts } = run;
  const { unanswered, made } = attempts;
  const units = candidate === null ? none : billedUnits(amount, candidate, usage);
  const cost = candidate === null ? 0n : costAt(candidate, units);
  const byok = candidate === null ? unanswered.own === 0n && unanswered.byok > 0n : candidate.byok !== null;
  const refusal = error instanceof Refusal ? error : null;
  run.countTokens(units.totalTokens);
  const settlement = deps.ledger.settle(
    run.reservation,
    toLedgerEntry(context, {
      apiType: "rerank",
      model: request.model,
      provider: candidate?.provider.slug ?? made.at(-1)?.provider ?? "",
      status: error === null ? 200 : (refusal?.status ?? 500),
      errorType: error === null ? null : (refusal?.type ?? "server"),
      promptTokens: units.totalTokens,
      meteredBy: usage === null && candidate !== null ? "gateway" : "upstream",
      priced: candidate === null || candidate.model.prices !== null,
      byok,
      cost: unanswered.own + (byok ? 0n : cost),
      byokCost: unanswered.byok + (byok ? cost : 0n),
      inputs: request.documents.length,
      latencyMs,
      attempts: made,
      externalUser: request.user,
      sessionId: request.sessionId,
      trace: request.trace,
      body: keepBody(deps, context, { logged: run.logsBody, body: () => bodyOf(request) }),
    }),
  );
  return { settlement, units };
}

const none: Units = { totalTokens: 0, searchUnits: 0 };

/**
 * Charges an unanswered call. A provider that was working when the gateway stopped, or whose answer found no room, has
 * read the documents.
 * @throws the error, with the call's id
 */
export async function settleUnanswered(deps: RelayDeps, run: RerankRun, error: unknown): Promise<never> {
  const { attempts, amount } = run;
  const answered = error instanceof NoRoom;
  const asked = answered || deps.interrupted() !== null ? attempts.asked : null;
  if (asked !== null) {
    const { candidate } = asked;
    const counted = attempts.unanswered.counts(candidate);
    attempts.unanswered.add(
      candidate,
      counted ? run.mostCost(candidate) : costAt(candidate, ownUnits(amount)),
      answered,
    );
  }
  const { settlement } = settleRerank(deps, run, { candidate: null, usage: null, latencyMs: null, error });
  await settlement.committed.catch(() => {});
  throw withId(error, run.context);
}

/** The query and the documents; scores are not kept. */
function bodyOf({ query, documents }: RerankRequest): KeptBody {
  return {
    input: [query, ...documents.map(({ text, image }) => (image === null ? text : { text, image }))],
    output: null,
    error: null,
  };
}
