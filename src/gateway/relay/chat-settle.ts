import { toUsd } from "#contract/money.ts";
import type { KeptBody } from "../domain/forwarded-events.ts";
import type { LedgerEntry } from "../domain/ledger-entry.ts";
import type { Reservation, Settlement } from "../domain/ledger.ts";
import { Refusal } from "../domain/refusal.ts";
import type { Candidate, Route } from "../domain/routing.ts";
import { countTokens } from "../providers/local/lexical.ts";
import type { Usage } from "../providers/provider.ts";
import type { Tried } from "./attempts.ts";
import { endUnjudged } from "./attempts.ts";
import { type ChatRequest, ownPromptCount, type Prompt } from "./chat-request.ts";
import { chatCost } from "./chat-route.ts";
import type { RelayParts } from "./parts.ts";
import { type Begun, entryOf } from "./record.ts";

/** A chat call from its route to its end. */
export interface ChatRun {
  readonly begun: Begun;
  readonly request: ChatRequest;
  readonly prompt: Prompt;
  readonly reservation: Reservation;
  readonly route: Route;
  readonly tried: Tried;
  /** corrects the rates by the tokens that were used */
  readonly count: (tokens: number) => void;
  /** whether the workspace logs the bodies */
  readonly keep: boolean;
}

/** What came of it. */
export interface ChatEnd {
  /** who served; null: nobody did */
  readonly candidate: Candidate | null;
  /** the vendor's count; null: the gateway counts */
  readonly usage: Usage | null;
  /** what was produced, as far as it came, for the gateway's count */
  readonly produced: string;
  /** the answer's choices; left out where it came as a stream */
  readonly choices?: readonly Readonly<Record<string, unknown>>[];
  readonly finishReason: string | null;
  readonly upstreamId: string | null;
  readonly latencyMs: number | null;
  /** what went wrong; null: nothing */
  readonly error: unknown;
  readonly cancelled: boolean;
}

export interface SettledChat {
  readonly settlement: Settlement;
  readonly usage: Record<string, unknown>;
}

/** Charges what a chat call came to. The caller of this waits for `settlement.committed` where an answer depends on it. */
export function settleChat(parts: RelayParts, run: ChatRun, end: ChatEnd): SettledChat {
  const { request, prompt, begun, tried } = run;
  const { candidate, cancelled, error } = end;
  const used: Usage = end.usage ?? {
    promptTokens: candidate === null ? 0 : ownPromptCount(request, prompt),
    completionTokens: end.produced === "" ? 0 : countTokens(end.produced),
  };
  const cost = candidate === null ? 0n : chatCost(candidate, used, prompt.images);
  const byok = candidate !== null && candidate.byok !== null;
  const settlement = parts.ledger.settle(
    run.reservation,
    entryOf(begun, {
      apiType: "completions",
      model: candidate?.model.id ?? request.models[0] ?? "",
      provider: candidate?.provider.slug ?? lastTried(tried),
      ...statusOf(error, cancelled),
      promptTokens: used.promptTokens,
      completionTokens: used.completionTokens,
      reasoningTokens: used.reasoningTokens ?? 0,
      cachedTokens: used.cachedTokens ?? 0,
      meteredBy: end.usage === null && candidate !== null ? "gateway" : "upstream",
      priced: candidate === null || candidate.model.prices !== null,
      byok,
      cost: byok ? 0n : cost,
      byokCost: byok ? cost : 0n,
      latencyMs: end.latencyMs,
      streamed: request.stream,
      cancelled,
      finishReason: end.finishReason,
      nativeFinishReason: end.finishReason,
      upstreamId: end.upstreamId,
      attempts: tried.attempts,
      externalUser: request.user,
      sessionId: request.sessionId,
      trace: request.trace,
      body: parts.deps.bodies.keep(begun.workspaceId, run.keep, () => bodyOf(run, end)),
    }),
  );
  run.count(used.promptTokens + used.completionTokens);
  return { settlement, usage: publicUsage(used, settlement, byok) };
}

function bodyOf({ request, tried }: ChatRun, { produced, choices, finishReason, error }: ChatEnd): KeptBody {
  const refusal = error instanceof Refusal ? error : null;
  const previous = tried.attempts.filter((attempt) => attempt.error !== null);
  return {
    input: request.messages,
    output: choices ?? (produced === "" ? null : [streamed(produced, finishReason)]),
    error:
      refusal === null
        ? null
        : {
            message: refusal.message,
            provider_name: lastTried(tried),
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

/** A stream's text as the one choice of a whole answer. */
function streamed(content: string, finishReason: string | null) {
  return { index: 0, message: { role: "assistant", content }, finish_reason: finishReason };
}

function lastTried({ attempts }: Tried): string {
  return attempts.at(-1)?.provider ?? "";
}

function statusOf(error: unknown, cancelled: boolean): Pick<LedgerEntry, "status" | "errorType"> {
  // The status that web servers note for a caller who left: nobody got an answer.
  if (cancelled) return { status: 499, errorType: null };
  if (error === null) return { status: 200, errorType: null };
  return error instanceof Refusal
    ? { status: error.status, errorType: error.type }
    : { status: 500, errorType: "server" };
}

function publicUsage(used: Usage, { own, byok }: Settlement, isByok: boolean): Record<string, unknown> {
  return {
    prompt_tokens: used.promptTokens,
    completion_tokens: used.completionTokens,
    total_tokens: used.promptTokens + used.completionTokens,
    cost: toUsd(own + byok),
    is_byok: isByok,
    ...(used.cachedTokens === undefined ? {} : { prompt_tokens_details: { cached_tokens: used.cachedTokens } }),
    ...(used.reasoningTokens === undefined
      ? {}
      : { completion_tokens_details: { reasoning_tokens: used.reasoningTokens } }),
  };
}

/** Tells the health of who served how it went. */
export function noteServed(parts: RelayParts, candidate: Candidate, run: ChatRun, end: ChatEnd, failed: ServedFailure) {
  const { health, now } = parts.deps;
  if (end.cancelled) return endUnjudged(parts, candidate);
  const seconds = (performance.now() - run.begun.startedMs - (end.latencyMs ?? 0)) / 1_000;
  const tokens = end.usage?.completionTokens ?? 0;
  health.end(
    candidate.provider.slug,
    candidate.model.id,
    {
      failure: failed,
      latencyMs: end.latencyMs,
      tokensPerSecond: tokens < 10 || seconds <= 0 ? null : tokens / seconds,
      byok: candidate.byok !== null,
    },
    now(),
  );
}

type ServedFailure = {
  reason: string;
  message: string;
  status: number | null;
  retryAfterSeconds: number | null;
} | null;
