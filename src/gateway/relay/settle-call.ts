import type { ApiType } from "#contract/api-type.ts";
import type { KeptBody } from "../domain/bodies/body.ts";
import type { LedgerEntry } from "../domain/ledger/entry.ts";
import type { Settlement } from "../domain/ledger/ledger.ts";
import type { Trace } from "../domain/ledger/trace.ts";
import { Refusal } from "../domain/refusal.ts";
import type { Candidate } from "../domain/routing/routing.ts";
import { NoRoom } from "../memory-budget.ts";
import type { RelayDeps } from "./deps.ts";
import { keepBody, toLedgerEntry, withId } from "./record.ts";
import type { ServedCall } from "./reserved-call.ts";

/** A call to be settled. */
interface SettledCall extends ServedCall {
  readonly request: {
    readonly model: string;
    readonly user: string | null;
    readonly sessionId: string | null;
    readonly trace: Trace | null;
  };
}

/** Its outcome. */
interface CallEnd {
  readonly apiType: ApiType;
  /** the candidate that served; null: none did */
  readonly candidate: Candidate | null;
  /** what it costs there, nano-dollars */
  readonly cost: bigint;
  /** what the rates count */
  readonly tokens: number;
  /** what went wrong; null: nothing */
  readonly error: unknown;
  /** what a workspace that keeps bodies keeps of it */
  readonly body: () => KeptBody;
  /** what else the ledger records */
  readonly entry: Partial<LedgerEntry>;
}

/** Charges what the call cost, and what providers that did not answer may bill. */
export function settleCall(
  deps: RelayDeps,
  { request, context, attempts, reservation, logsBody, countTokens }: SettledCall,
  { apiType, candidate, cost, tokens, error, body, entry }: CallEnd,
): Settlement {
  const { unanswered, made } = attempts;
  const byok = candidate === null ? unanswered.own === 0n && unanswered.byok > 0n : candidate.byok !== null;
  const refusal = error instanceof Refusal ? error : null;
  countTokens(tokens);
  return deps.ledger.settle(
    reservation,
    toLedgerEntry(context, {
      apiType,
      model: request.model,
      responseModel: candidate?.model.upstreamId ?? null,
      provider: candidate?.provider.slug ?? made.at(-1)?.provider ?? "",
      status: error === null ? 200 : (refusal?.status ?? 500),
      errorType: error === null ? null : (refusal?.type ?? "server"),
      priced: candidate === null || candidate.model.prices !== null,
      byok,
      cost: unanswered.own + (byok ? 0n : cost),
      byokCost: unanswered.byok + (byok ? cost : 0n),
      attempts: made,
      externalUser: request.user,
      sessionId: request.sessionId,
      trace: request.trace,
      body: keepBody(deps, context, { logged: logsBody, body }),
      ...entry,
    }),
  );
}

interface Unanswered {
  /** by the gateway's own count, nano-dollars */
  readonly ownCost: (candidate: Candidate) => bigint;
  readonly settle: () => Settlement;
}

/**
 * Charges an unanswered call. A provider that was working when the gateway stopped, or whose answer found no room, has
 * done the work.
 * @throws the error, with the call's id
 */
export async function settleUnansweredCall(
  deps: RelayDeps,
  { attempts, context, mostCost }: ServedCall,
  error: unknown,
  { ownCost, settle }: Unanswered,
): Promise<never> {
  const answered = error instanceof NoRoom;
  const asked = answered || deps.interrupted() !== null ? attempts.asked : null;
  if (asked !== null) {
    const { candidate } = asked;
    const counted = attempts.unanswered.counts(candidate);
    attempts.unanswered.add(candidate, counted ? mostCost(candidate) : ownCost(candidate), answered);
  }
  await settle().committed.catch(() => {});
  throw withId(error, context);
}
