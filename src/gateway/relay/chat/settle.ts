import { toUsd } from "#contract/money.ts";
import type { KeptBody } from "../../domain/bodies/body.ts";
import type { LedgerEntry } from "../../domain/ledger/entry.ts";
import type { Settlement } from "../../domain/ledger/ledger.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { CallFailure } from "../../domain/routing/health.ts";
import type { Candidate } from "../../domain/routing/routing.ts";
import { NoRoom } from "../../memory-budget.ts";
import { usageDetails } from "../../providers/chat-object.ts";
import type { Usage } from "../../providers/provider.ts";
import { type Attempts, endAttempt, endNeutral } from "../attempts.ts";
import type { RelayDeps } from "../deps.ts";
import { chatParameters } from "../call-parameters.ts";
import { keepBody, toLedgerEntry, withId } from "../record.ts";
import { sourceOf } from "../response-cache/caching.ts";
import { keptOutput } from "../response-cache/recording.ts";
import type { AnswerFacts } from "../response-cache/response-cache.ts";
import { cacheSaving, costOf, rateNote, unreadUsage } from "./costs.ts";
import { countOutput, noOutput, type Output } from "./output.ts";
import { withReport } from "./routing-report.ts";
import type { ChatRun } from "./run.ts";
import type { SettledChat } from "./settled.ts";

/** The outcome of a call. */
export interface ChatEnd {
  /** the candidate that served; null: none did */
  readonly candidate: Candidate | null;
  /** the vendor's usage; null: the gateway counts */
  readonly usage: Usage | null;
  /** the gateway's count; default: its own count of the prompt and of the output */
  readonly counted?: Usage | null;
  /** the output as far as it arrived, for the gateway's count */
  readonly produced: Output;
  /** the answer's choices as they are recorded; null: nothing was said */
  readonly choices: readonly Readonly<Record<string, unknown>>[] | null;
  readonly finishReason: string | null;
  readonly upstreamId: string | null;
  /** the vendor's own name of the model that answered; null: it does not say */
  readonly responseModel: string | null;
  readonly latencyMs: number | null;
  /** what went wrong; null: nothing */
  readonly error: unknown;
  readonly cancelled: boolean;
  /** of the vendor's answer, where they are known */
  readonly answerBytes?: number;
}

/** The outcome of a call that a candidate served. */
export interface ServedChat extends ChatEnd {
  readonly candidate: Candidate;
}

/**
 * Charges a chat call's cost, and what providers that did not answer may bill. Where an answer depends on it, the
 * caller waits for `settlement.committed`.
 */
export function settleChat(deps: RelayDeps, run: ChatRun, end: ChatEnd): SettledChat {
  const { request, prompt, bounds, context, attempts } = run;
  const { candidate, cancelled, error } = end;
  const { unanswered } = attempts;
  const isUnanswered = unanswered.own + unanswered.byok > 0n;
  const said = countedBy(end.usage, end.produced);
  const believed = said && candidate && bounds.believable(said, candidate.model, end.produced);
  const used = eachOnce(
    believed ??
      end.counted ?? {
        promptTokens: candidate === null ? 0 : prompt.tokens,
        completionTokens: countOutput(end.produced),
      },
  );
  const cost = candidate === null ? 0n : costOf(run, candidate, used);
  const rate = candidate === null ? null : rateNote(run, candidate, used);
  const serving = attempts.made.at(-1);
  if (rate !== null && serving !== undefined) serving.rate = rate;
  // If no provider served: whether the workspace's own key was used with every provider that may bill.
  const byok = candidate === null ? unanswered.own === 0n && unanswered.byok > 0n : candidate.byok !== null;
  const settlement = deps.ledger.settle(
    run.reservation,
    toLedgerEntry(context, {
      apiType: run.form.apiType,
      operation: run.form.operation ?? null,
      model: candidate?.model.id ?? request.models[0] ?? "",
      responseModel: end.responseModel ?? candidate?.model.upstreamId ?? null,
      parameters: chatParameters(request.body, request.maxTokens),
      provider: candidate?.provider.slug ?? lastTried(attempts),
      ...statusOf(run, error, cancelled),
      promptTokens: used.promptTokens,
      completionTokens: used.completionTokens,
      reasoningTokens: used.reasoningTokens ?? 0,
      cachedTokens: used.cachedTokens ?? 0,
      cacheWriteTokens: used.cacheWriteTokens ?? 0,
      // An implausible count is marked like a missing one.
      meteredBy: (candidate === null ? !isUnanswered : said !== null && believed === said) ? "upstream" : "gateway",
      priced: candidate === null || candidate.model.prices !== null,
      byok,
      cost: unanswered.own + (byok ? 0n : cost),
      byokCost: unanswered.byok + (byok ? cost : 0n),
      saved: candidate === null ? 0n : cacheSaving(run, candidate, used),
      latencyMs: end.latencyMs,
      streamed: request.stream,
      cancelled,
      finishReason: end.finishReason,
      nativeFinishReason: end.finishReason,
      upstreamId: end.upstreamId,
      attempts: attempts.made,
      externalUser: request.user,
      sessionId: request.sessionId,
      trace: request.trace,
      body: keepBody(deps, context, {
        logged: run.logsBody,
        body: () => bodyOf(run, end),
        ...(end.answerBytes === undefined ? {} : { answerBytes: end.answerBytes }),
      }),
    }),
  );
  run.countTokens(used.promptTokens + used.completionTokens);
  return { settlement, usage: publicUsage(used, settlement, byok), used };
}

const nothing = {
  usage: null,
  produced: noOutput,
  choices: null,
  finishReason: null,
  upstreamId: null,
  responseModel: null,
  latencyMs: null,
};

/**
 * Charges an unanswered call for the provider that was being called when it ended: it has read the prompt, and what
 * else it did is unknown.
 * @throws the error, with the call's id for the caller
 */
export async function settleUnanswered(
  deps: RelayDeps,
  run: ChatRun,
  vendor: AbortSignal,
  error: unknown,
): Promise<never> {
  const { context, bounds, attempts } = run;
  const unread = vendor.aborted || error instanceof NoRoom;
  const asked = unread || deps.interrupted() !== null ? attempts.asked : null;
  const candidate = asked?.candidate ?? null;
  const workedMs = performance.now() - (asked?.sinceMs ?? 0);
  let counted: Usage | null = null;
  if (candidate !== null && attempts.unanswered.counts(candidate)) counted = unreadUsage(run, candidate, workedMs);
  else if (candidate !== null && unread)
    counted = bounds.leftBehind(candidate.model, run.received.bytes, null, workedMs);
  const attempt = attempts.made.at(-1);
  if (candidate !== null && counted !== null && attempt !== undefined) {
    attempt.cost = toUsd(costOf(run, candidate, counted));
  }
  const end = { ...nothing, candidate, counted, error, cancelled: context.call.signal.aborted };
  await settleChat(deps, run, end).settlement.committed.catch(() => {});
  throw withReport(withId(error, context), run);
}

/** A vendor that counts nothing of a prompt, or of an answer that it gave, has not counted: the gateway does. */
function countedBy(usage: Usage | null, produced: Output): Usage | null {
  if (usage === null || usage.promptTokens === 0) return null;
  return usage.completionTokens === 0 && produced.bytes > 0 ? null : usage;
}

/** A token of a prompt was read from the vendor's cache, or written to it, or neither. */
function eachOnce(used: Usage): Usage {
  const { promptTokens, cachedTokens = 0, cacheWriteTokens = 0 } = used;
  const written = Math.max(0, promptTokens - cachedTokens);
  return cacheWriteTokens <= written ? used : { ...used, cacheWriteTokens: written };
}

/** The gateway's count of an answer, but no less than the provider has reported. */
export function countAtLeast(usage: Usage, produced: Output): Usage {
  return { ...usage, completionTokens: Math.max(usage.completionTokens, countOutput(produced)) };
}

/** What the response cache keeps with an answer; null: it ended badly. */
export function answerFacts(end: ServedChat, { settlement }: SettledChat): Omit<AnswerFacts, "id" | "headers"> | null {
  const { candidate, finishReason, choices, error } = end;
  const reasons = (choices ?? []).map((choice) => choice["finish_reason"]);
  const isBad = error !== null || [finishReason, ...reasons].includes("error");
  if (isBad) return null;
  return {
    model: candidate.model.id,
    provider: candidate.provider.slug,
    source: sourceOf(candidate),
    cost: settlement.own + settlement.byok,
    finishReason,
    inputs: 0,
    output: keptOutput(choices),
  };
}

function bodyOf({ request, attempts }: ChatRun, end: ChatEnd): KeptBody {
  const { error } = end;
  const refusal = error instanceof Refusal ? error : null;
  const previous = attempts.made.filter((attempt) => attempt.error !== null);
  return {
    input: request.messages,
    output: end.choices,
    error:
      refusal === null
        ? null
        : {
            message: refusal.message,
            provider_name: lastTried(attempts),
            raw: previous.at(-1)?.error ?? null,
            status: refusal.status,
            previous_errors: previous.map((attempt) => ({
              code: attempt.status ?? 0,
              message: attempt.error ?? "",
              provider_name: attempt.provider,
              raw: attempt.error,
            })),
          },
  };
}

function lastTried({ made }: Attempts): string {
  return made.at(-1)?.provider ?? "";
}

function statusOf({ form }: ChatRun, error: unknown, cancelled: boolean): Pick<LedgerEntry, "status" | "errorType"> {
  // The status that web servers log for a caller who left: no answer was received.
  if (cancelled) return { status: 499, errorType: null };
  if (error === null) return { status: 200, errorType: null };
  const errorType = error instanceof Refusal ? error.type : "server";
  return { status: form.statusOf(errorType), errorType };
}

function publicUsage(used: Usage, { own, byok }: Settlement, isByok: boolean): Record<string, unknown> {
  return {
    prompt_tokens: used.promptTokens,
    completion_tokens: used.completionTokens,
    total_tokens: used.promptTokens + used.completionTokens,
    cost: toUsd(own + byok),
    is_byok: isByok,
    ...(used.upstreamNanoUsd === undefined
      ? {}
      : { cost_details: { upstream_inference_cost: toUsd(BigInt(used.upstreamNanoUsd)) } }),
    ...usageDetails(used),
  };
}

/** Reports the outcome to the health of the provider that served. */
export function noteServed(deps: RelayDeps, run: ChatRun, end: ServedChat, failure: CallFailure | null) {
  const { candidate, latencyMs } = end;
  if (end.cancelled || end.error instanceof NoRoom) return endNeutral(deps, candidate);
  const seconds = (performance.now() - run.context.startedMs - (latencyMs ?? 0)) / 1_000;
  const tokens = end.usage?.completionTokens ?? 0;
  const tokensPerSecond = tokens < 10 || seconds <= 0 ? null : tokens / seconds;
  endAttempt(deps, candidate, { failure, latencyMs, tokensPerSecond });
}
