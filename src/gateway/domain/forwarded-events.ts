import type { ForwardedEvent } from "#contract/forwarded-event.ts";
import type { GenerationContent } from "#contract/generations.ts";
import { toUsd } from "#contract/money.ts";

/** A ledger row as PostgreSQL writes it in JSON, with the name of its key. */
export interface LedgerJson {
  /** its place in the ledger */
  xact: string;
  seq: number;
  id: string;
  workspace_id: string;
  created_at: string;
  key_hash: string;
  key_name: string | null;
  api_type: "embeddings" | "completions";
  model: string;
  provider: string;
  status: number;
  error_type: string | null;
  prompt_tokens: number;
  completion_tokens: number;
  reasoning_tokens: number;
  cached_tokens: number;
  byok: boolean;
  cost: number;
  byok_cost: number;
  inputs: number;
  latency_ms: number | null;
  duration_ms: number;
  streamed: boolean;
  cancelled: boolean;
  finish_reason: string | null;
  upstream_id: string | null;
  http_referer: string | null;
  app_title: string | null;
  user_agent: string | null;
  external_user: string | null;
  session_id: string | null;
  trace: Record<string, unknown> | null;
  request_id: string | null;
}

/** What {@link LedgerJson} is read from: `l` is the ledger, `k` its key. */
export const eventColumns = `l.xact::text as xact, l.seq, l.id, l.workspace_id, l.created_at, l.key_hash,
  k.name as key_name, l.api_type, l.model, l.provider, l.status, l.error_type, l.prompt_tokens, l.completion_tokens,
  l.reasoning_tokens, l.cached_tokens, l.byok, l.cost, l.byok_cost, l.inputs, l.latency_ms, l.duration_ms, l.streamed,
  l.cancelled, l.finish_reason, l.upstream_id, l.http_referer, l.app_title, l.user_agent, l.external_user,
  l.session_id, l.trace, l.request_id`;

export const eventTables = "ledger l left join api_keys k on k.hash = l.key_hash";

/** A call's bodies in the public API's form, and what went wrong with it. */
export interface KeptBody {
  /** the messages, or the inputs: texts and other items */
  input: readonly unknown[];
  /** the answer's choices; null for embeddings, and where there was no answer */
  output: readonly Readonly<Record<string, unknown>>[] | null;
  error: GenerationContent["error"];
}

/** All text of an answer's messages. */
export function saidIn(choices: readonly Readonly<Record<string, unknown>>[]): string {
  return choices
    .map(({ message }) => {
      if (typeof message !== "object" || message === null) return "";
      const { content, reasoning, tool_calls } = message as Record<string, unknown>;
      const said = [content, reasoning].filter((text) => typeof text === "string").join("");
      return tool_calls === undefined ? said : said + JSON.stringify(tool_calls);
    })
    .join("");
}

export function eventOf(row: LedgerJson, body: KeptBody | null): ForwardedEvent {
  const startedAt = new Date(row.created_at);
  return {
    id: row.id,
    kind: row.api_type === "embeddings" ? "embeddings" : "chat",
    startedAt,
    endedAt: new Date(startedAt.getTime() + row.duration_ms),
    workspaceId: row.workspace_id,
    keyHash: row.key_hash,
    keyName: row.key_name,
    model: row.model,
    provider: row.provider,
    upstreamId: row.upstream_id,
    status: row.status,
    errorType: row.error_type,
    finishReason: row.finish_reason,
    promptTokens: row.prompt_tokens,
    completionTokens: row.completion_tokens,
    reasoningTokens: row.reasoning_tokens,
    cachedTokens: row.cached_tokens,
    cost: toUsd(BigInt(row.cost)),
    byokCost: toUsd(BigInt(row.byok_cost)),
    byok: row.byok,
    inputs: row.inputs,
    streamed: row.streamed,
    cancelled: row.cancelled,
    latencyMs: row.latency_ms,
    durationMs: row.duration_ms,
    userId: row.external_user,
    sessionId: row.session_id,
    trace: row.trace,
    referer: row.http_referer,
    appTitle: row.app_title,
    userAgent: row.user_agent,
    requestId: row.request_id,
    input: body?.input ?? null,
    output: body?.output ?? null,
  };
}
