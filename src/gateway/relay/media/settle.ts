import type { Settlement } from "../../domain/ledger/ledger.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Candidate } from "../../domain/routing/routing.ts";
import { NoRoom } from "../../memory-budget.ts";
import type { RelayDeps } from "../deps.ts";
import { keepBody, toLedgerEntry, withId } from "../record.ts";
import { type MediaAmount, mediaCost, type MediaRequest } from "./kind.ts";
import type { MediaRun } from "./run.ts";

/** The outcome of a call. */
export interface MediaEnd {
  /** the candidate that served; null: none did */
  readonly candidate: Candidate | null;
  /** what it is charged for, if a candidate served */
  readonly billed: MediaAmount;
  readonly meteredBy: "upstream" | "gateway";
  readonly latencyMs: number | null;
  readonly upstreamId: string | null;
  readonly cancelled: boolean;
  /** it was sent as events; default: false */
  readonly streamed?: boolean;
  /** what went wrong; null: nothing */
  readonly error: unknown;
  /** the answer's text; absent: it has none */
  readonly said?: string;
}

/** Charges what the call cost, and what providers that did not answer may bill. */
export function settleMedia<R extends MediaRequest>(
  deps: RelayDeps,
  run: MediaRun<R>,
  { candidate, billed, error, said, ...end }: MediaEnd,
): Settlement {
  const { kind, request, context, attempts } = run;
  const { unanswered, made } = attempts;
  const cost = candidate === null ? 0n : mediaCost(candidate, billed);
  const byok = candidate === null ? unanswered.own === 0n && unanswered.byok > 0n : candidate.byok !== null;
  const refusal = error instanceof Refusal ? error : null;
  const { promptTokens, completionTokens, media } = candidate === null ? nothing : billed;
  run.countTokens(promptTokens + completionTokens);
  return deps.ledger.settle(
    run.reservation,
    toLedgerEntry(context, {
      apiType: kind.apiType,
      model: request.model,
      provider: candidate?.provider.slug ?? made.at(-1)?.provider ?? "",
      status: error === null ? 200 : (refusal?.status ?? 500),
      errorType: error === null ? null : (refusal?.type ?? "server"),
      promptTokens,
      completionTokens,
      unit: media?.unit ?? null,
      units: media?.units ?? null,
      priced: candidate === null || candidate.model.prices !== null,
      byok,
      cost: unanswered.own + (byok ? 0n : cost),
      byokCost: unanswered.byok + (byok ? cost : 0n),
      attempts: made,
      externalUser: request.user,
      sessionId: request.sessionId,
      trace: request.trace,
      body: keepBody(deps, context, { logged: run.logsBody, body: () => kind.body(request, said ?? null) }),
      ...end,
    }),
  );
}

const nothing = { promptTokens: 0, completionTokens: 0, media: null };

/**
 * Charges an unanswered call. A provider that was working when the gateway stopped, or whose answer found no room, has
 * done the work.
 * @throws the error, with the call's id
 */
export async function settleUnanswered<R extends MediaRequest>(
  deps: RelayDeps,
  run: MediaRun<R>,
  error: unknown,
): Promise<never> {
  const { attempts, amount } = run;
  const answered = error instanceof NoRoom;
  const asked = answered || deps.interrupted() !== null ? attempts.asked : null;
  if (asked !== null) {
    const { candidate } = asked;
    const counted = attempts.unanswered.counts(candidate);
    attempts.unanswered.add(candidate, counted ? run.mostCost(candidate) : mediaCost(candidate, amount), answered);
  }
  const settlement = settleMedia(deps, run, {
    candidate: null,
    billed: amount,
    meteredBy: "upstream",
    latencyMs: null,
    upstreamId: null,
    cancelled: false,
    error,
  });
  await settlement.committed.catch(() => {});
  throw withId(error, run.context);
}
