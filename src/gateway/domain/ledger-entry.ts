import type { NanoUsd } from "#contract/money.ts";
import { storedText } from "./stored-text.ts";
import type { BodyToKeep } from "./kept-bodies.ts";

/** One candidate that was called for a model call, in the order of the calls. */
export interface Attempt {
  provider: string;
  model: string;
  /** null: no answer came */
  status: number | null;
  latency_ms: number;
  is_byok: boolean;
  /** why it failed, in the gateway's words; null: it did not */
  error: string | null;
}

/** A finished model call, as the ledger keeps it. Amounts are nano-dollars, durations milliseconds. */
export interface LedgerEntry {
  id: string;
  workspaceId: string;
  createdAt: Date;
  keyHash: string;
  spendId: string;
  apiType: "embeddings" | "completions";
  model: string;
  provider: string;
  status: number;
  errorType: string | null;
  promptTokens: number;
  completionTokens: number;
  reasoningTokens: number;
  cachedTokens: number;
  meteredBy: "upstream" | "gateway";
  priced: boolean;
  byok: boolean;
  /** what the call came to: at the gateway's vendor keys, and at the caller's own ones */
  cost: NanoUsd;
  byokCost: NanoUsd;
  saved: NanoUsd;
  inputs: number;
  cachedInputs: number;
  latencyMs: number | null;
  durationMs: number;
  streamed: boolean;
  cancelled: boolean;
  finishReason: string | null;
  nativeFinishReason: string | null;
  upstreamId: string | null;
  attempts: readonly Attempt[];
  httpReferer: string | null;
  appTitle: string | null;
  userAgent: string | null;
  externalUser: string | null;
  sessionId: string | null;
  trace: Readonly<Record<string, unknown>> | null;
  requestId: string | null;
  /** the call's bodies, where somebody needs them */
  body?: BodyToKeep | null;
}

/** An entry whose charge is decided: how much of its cost the limits bear, and what did not fit in them. */
export interface ChargedEntry {
  readonly entry: LedgerEntry;
  readonly own: NanoUsd;
  readonly byok: NanoUsd;
  readonly overrun: NanoUsd;
}

const safe = (nano: NanoUsd) => (nano <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(nano) : String(nano));

/**
 * The entry as a row of the commit's JSON parameter; the members are the columns of `ledger`. What is null is left out,
 * as most of them usually are: a member that is missing is read as null.
 */
export function rowOf({ entry, own, byok, overrun }: ChargedEntry): Record<string, unknown> {
  return {
    id: entry.id,
    workspace_id: entry.workspaceId,
    created_at: entry.createdAt,
    key_hash: entry.keyHash,
    spend_id: entry.spendId,
    api_type: entry.apiType,
    model: entry.model,
    provider: entry.provider,
    status: entry.status,
    error_type: entry.errorType ?? undefined,
    prompt_tokens: count(entry.promptTokens),
    completion_tokens: count(entry.completionTokens),
    reasoning_tokens: count(entry.reasoningTokens),
    cached_tokens: count(entry.cachedTokens),
    metered_by: entry.meteredBy,
    priced: entry.priced,
    byok: entry.byok,
    cost: safe(own),
    byok_cost: safe(byok),
    overrun: safe(overrun),
    saved: safe(entry.saved),
    inputs: count(entry.inputs),
    cached_inputs: count(entry.cachedInputs),
    latency_ms: entry.latencyMs === null ? undefined : count(entry.latencyMs),
    duration_ms: count(entry.durationMs),
    streamed: entry.streamed,
    cancelled: entry.cancelled,
    finish_reason: text(entry.finishReason, 100),
    native_finish_reason: text(entry.nativeFinishReason, 100),
    upstream_id: text(entry.upstreamId, 255),
    attempts: entry.attempts.map((attempt) => ({ ...attempt, error: text(attempt.error, 500) ?? null })),
    http_referer: text(entry.httpReferer, 500),
    app_title: text(entry.appTitle, 255),
    user_agent: text(entry.userAgent, 255),
    external_user: text(entry.externalUser, 255),
    session_id: text(entry.sessionId, 256),
    trace: traceOf(entry.trace),
    request_id: text(entry.requestId, 100),
  };
}

function text(value: string | null, longest: number): string | undefined {
  return value === null ? undefined : storedText(value, longest);
}

/** The same call without what callers and vendors wrote, for a store that objects to some of it: money is never lost for words. */
export function bareEntry(entry: LedgerEntry): LedgerEntry {
  const { body: _, ...rest } = entry;
  return {
    ...rest,
    finishReason: null,
    nativeFinishReason: null,
    upstreamId: null,
    attempts: [],
    httpReferer: null,
    appTitle: null,
    userAgent: null,
    externalUser: null,
    sessionId: null,
    trace: null,
  };
}

const largestTrace = 4_000;

/** The caller's trace, unless it is too large or holds what PostgreSQL's jsonb cannot. */
function traceOf(trace: LedgerEntry["trace"]): Readonly<Record<string, unknown>> | undefined {
  if (trace === null) return undefined;
  const json = JSON.stringify(trace);
  return json.length > largestTrace || /\\u(0000|d[89a-f])/.test(json) ? undefined : trace;
}

const largestCount = 2_147_483_647;
const count = (value: number) => Math.min(Math.max(0, Math.round(value)), largestCount);
