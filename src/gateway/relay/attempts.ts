import { toUsd } from "#contract/money.ts";
import type { Attempt } from "../domain/ledger/attempt.ts";
import { Refusal } from "../domain/refusal.ts";
import type { CallFailure } from "../domain/routing/health.ts";
import type { Candidate, Route } from "../domain/routing/routing.ts";
import { CallFailed } from "../providers/call.ts";
import { failure } from "../providers/failure.ts";
import { NoRoom } from "../memory-budget.ts";
import type { Slot } from "../slots.ts";
import { BadAnswer, type UpstreamFailure } from "../providers/provider.ts";
import { asOfNow, changedMeanwhile } from "./current-candidate.ts";
import type { RelayDeps } from "./deps.ts";
import { type Claim, hasNoRoom, slotAt } from "./claim.ts";
import type { CallContext } from "./record.ts";
import type { Unanswered } from "./unanswered.ts";
import { type FailedCall, upstreamRefusal } from "./upstream-refusal.ts";

/** Why an attempt ended for a reason other than its provider. */
const callerLeft = "the caller left";
export const gatewayStopped = "the gateway stopped";
export const gatewayFull = "the gateway had no room for the answer";
const gatewayBusy = "the gateway had too much work waiting";
const gatewayFailed = "the gateway had an internal error";
const notTheProviders: ReadonlySet<string> = new Set([
  callerLeft,
  gatewayStopped,
  gatewayFull,
  gatewayBusy,
  gatewayFailed,
]);

/** Whether an attempt failed, and whether the provider was at fault. */
export function isProviders(error: string | null): boolean {
  return error !== null && !notTheProviders.has(error);
}

/** A candidate being called. */
export interface Asked {
  readonly candidate: Candidate;
  /** since when, by `performance.now()` */
  readonly sinceMs: number;
  /** how long after the beginning of the call */
  readonly startedMs: number;
  /** what is reserved for the call by then, nano-dollars */
  readonly reserved: bigint;
}

export function askedNow(candidate: Candidate, context: CallContext, { reserved }: Unanswered): Asked {
  const sinceMs = performance.now();
  const { background } = context.call;
  if (background !== undefined) background.wasAsked = true;
  return { candidate, sinceMs, startedMs: sinceMs - context.startedMs, reserved };
}

/** The calls made so far for one request. */
export interface Attempts {
  readonly made: Attempt[];
  readonly failed: FailedCall[];
  readonly unanswered: Unanswered;
  /** null: no candidate is being called */
  asked: Asked | null;
}

/** One request, for any candidate that may answer it. */
export interface Trying<T> {
  readonly route: Route;
  readonly attempts: Attempts;
  readonly context: CallContext;
  readonly claim: Claim;
  /** aborts when the call is given up */
  readonly vendor: AbortSignal;
  readonly ask: (candidate: Candidate) => Promise<T>;
  /** the most that a candidate may bill, and the most after so long without an answer: nano-dollars */
  readonly mostCost: (candidate: Candidate) => bigint;
  readonly mostCostUnread: (candidate: Candidate, waitedMs: number) => bigint;
  /** whether the last provider reported usage with an answer that cannot be used */
  readonly wasCounted: () => boolean;
}

/** Of calls that are billed once requested: a caller who leaves does not cancel them. */
export const unhurried: AbortSignal = new AbortController().signal;

/** The candidate that answered, and its slot, which the caller of this gives back when the answer is over. */
export interface Answered<T> {
  readonly candidate: Candidate;
  readonly answer: T;
  readonly slot: Slot;
}

/**
 * Tries the candidates in order until one answers. A faulty request fails at every provider of the same model, so those
 * are skipped; another model may accept it. A provider that does not answer may still bill, so the next one is tried
 * only where the limits leave room for both. Failures are reported to health here, a success by the caller of this.
 * Once the caller has left, no further candidate is tried.
 * @throws Refusal when none answered, or NoRoom for the answer; the abort's reason when the call was aborted
 */
export async function firstThatAnswers<T>(deps: RelayDeps, trying: Trying<T>): Promise<Answered<T>> {
  const slots: Slot[] = [];
  try {
    const answered = await tryInOrder(deps, trying, slots);
    return { ...answered, slot: slots.pop() ?? (() => {}) };
  } finally {
    trying.claim.end();
    for (const slot of slots) slot();
  }
}

/** @param slots takes the slot of the candidate that is being called */
async function tryInOrder<T>(
  deps: RelayDeps,
  { route, attempts, context, claim, vendor, ask, mostCost, mostCostUnread, wasCounted }: Trying<T>,
  slots: Slot[],
): Promise<Omit<Answered<T>, "slot">> {
  const { signal: caller } = context.call;
  const refusedBy = new Set<string>();
  const passedOver = [...route.passedOver];
  for (const chosen of route.candidates) {
    slots.pop()?.();
    if (refusedBy.has(chosen.model.id)) continue;
    const slot = slotAt(deps, context, chosen, claim);
    if (slot === null) {
      passedOver.push(hasNoRoom(chosen));
      continue;
    }
    slots.push(slot);
    const why = await attempts.unanswered.passOver(chosen, () => mostCost(chosen));
    if (why !== null) {
      passedOver.push(why);
      continue;
    }
    if (caller.aborted && attempts.failed.length > 0) break;
    const stopping = deps.interrupted();
    if (stopping !== null) throw stopping;
    const candidate = asOfNow(deps, context, chosen);
    if (candidate === null) {
      passedOver.push(changedMeanwhile(chosen));
      continue;
    }
    const { provider, model } = candidate;
    const { health, now } = deps.domain;
    const asked = askedNow(candidate, context, attempts.unanswered);
    attempts.asked = asked;
    const note = (status: number | null, error: string | null, cost = 0n, sent = true) =>
      void attempts.made.push(attemptOf(asked, { status, error, cost, sent }));
    health.begin(provider.slug, model.id, now());
    try {
      const answer = await ask(candidate);
      note(200, null);
      return { candidate, answer };
    } catch (error) {
      const failed = failureOf(error);
      const interrupted = deps.interrupted();
      if (error instanceof NoRoom) {
        endNeutral(deps, candidate);
        note(200, gatewayFull);
        throw error;
      }
      if (failed === null || vendor.aborted || interrupted !== null) {
        endNeutral(deps, candidate);
        if (failed !== null && !failed.mayBill) attempts.asked = null;
        if (interrupted !== null) note(null, gatewayStopped);
        else if (vendor.aborted) note(null, callerLeft);
        else note(null, error instanceof Refusal ? gatewayBusy : gatewayFailed);
        throw interrupted ?? error;
      }
      endAttempt(deps, candidate, { failure: failed });
      const waitedMs = performance.now() - asked.sinceMs;
      const cost = failed.mayBill
        ? attempts.unanswered.add(candidate, mostCostUnread(candidate, waitedMs), wasCounted())
        : 0n;
      note(failed.status, failed.message, cost, failed.sent);
      attempts.failed.push({ provider: provider.name, failure: failed });
      attempts.asked = null;
      // Where nothing was sent, only this provider's dialect cannot express the request.
      if (!failed.retryable && failed.status !== null) refusedBy.add(model.id);
      if (caller.aborted) break;
    }
  }
  throw upstreamRefusal(attempts.failed, attempts.made, passedOver);
}

/** The outcome of an attempt. */
interface AttemptOutcome {
  readonly status: number | null;
  readonly error: string | null;
  /** what the call is charged for it, nano-dollars */
  readonly cost: bigint;
  /** whether the provider was sent the request */
  readonly sent: boolean;
}

export function attemptOf(
  { candidate: { provider, model, byok }, sinceMs, startedMs, reserved }: Asked,
  { status, error, cost, sent }: AttemptOutcome,
): Attempt {
  return {
    provider: provider.slug,
    model: model.id,
    status,
    latency_ms: Math.round(performance.now() - sinceMs),
    started_ms: Math.round(startedMs),
    reserved: toUsd(reserved),
    is_byok: byok !== null,
    error,
    ...(cost === 0n ? {} : { cost: toUsd(cost) }),
    ...(!sent && { sent }),
  };
}

/** The provider's fault that an error shows; null: it is not about the provider. */
export function failureOf(error: unknown): UpstreamFailure | null {
  if (error instanceof CallFailed) return error.failure;
  if (error instanceof BadAnswer) return failure("bad_answer", { status: 200, message: error.message });
  return null;
}

/** What a caller is told of a provider's failure after its answer has begun; any other error stays as it is. */
export function refusalOf(error: unknown, { provider }: Candidate): unknown {
  const failed = failureOf(error);
  return failed === null ? error : upstreamRefusal([{ provider: provider.name, failure: failed }], [], []);
}

/** A call's outcome as far as the provider's health is concerned. Absent: it answered, and no more is known. */
interface AttemptEnd {
  readonly failure?: CallFailure | null;
  readonly latencyMs?: number | null;
  readonly tokensPerSecond?: number | null;
}

/** Reports a call's outcome to its provider's health. */
export function endAttempt(
  { domain: { health, now } }: RelayDeps,
  { provider, model, byok }: Candidate,
  { failure = null, latencyMs = null, tokensPerSecond = null }: AttemptEnd,
) {
  health.end(provider.slug, model.id, { failure, latencyMs, tokensPerSecond, byok: byok !== null }, now());
}

/** How an answer ended that had begun. */
interface AnswerEnd {
  /** what went wrong, as it was thrown; null: nothing */
  readonly fault: unknown;
  /** its caller left, or it failed for the gateway's reasons */
  readonly isNeutral: boolean;
  readonly latencyMs: number;
}

/** Reports the end of an answer that had begun. */
export function endAnswer(deps: RelayDeps, candidate: Candidate, { fault, isNeutral, latencyMs }: AnswerEnd) {
  const failure = deps.interrupted() === null ? failureOf(fault) : null;
  if (failure !== null) endAttempt(deps, candidate, { failure });
  else if (isNeutral) endNeutral(deps, candidate);
  else endAttempt(deps, candidate, { latencyMs });
}

/** A call that ended for a reason that says nothing about the provider. */
export function endNeutral(deps: RelayDeps, candidate: Candidate) {
  const failure = { reason: "invalid_request", message: "", status: null, retryAfterSeconds: null };
  endAttempt(deps, candidate, { failure });
}
