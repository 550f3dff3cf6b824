import type { ApiType, MediaUnit } from "./api-type.ts";
import type { ContentFilterMatch } from "./content-filter-match.ts";

/**
 * One finished model call as the forwarding pipeline sees it, built from the ledger's row before any destination's
 * settings apply. Every wire format is written from this alone.
 */
export interface ForwardedEvent {
  /** the generation id: stable, so that the destination can detect a repeat */
  readonly id: string;
  readonly kind: "chat" | "embeddings" | "rerank" | "speech" | "transcriptions" | "images" | "videos";
  /** the operation that the call was made by */
  readonly api: ApiType;
  /** what `api` does not tell of it, by the name of OpenTelemetry's GenAI conventions; null: nothing */
  readonly operation: "text_completion" | null;
  readonly startedAt: Date;
  readonly endedAt: Date;
  readonly workspaceId: string;
  /** null where the destination does not take the caller's identity */
  readonly keyHash: string | null;
  readonly keyName: string | null;
  readonly model: string;
  /** the provider's own name of the model that answered; null: none did */
  readonly responseModel: string | null;
  /** how the model was asked: what steers its answer, by the public API's names; null: nothing was asked for */
  readonly parameters: Readonly<Record<string, string | number | boolean | readonly string[]>> | null;
  /** the provider's slug */
  readonly provider: string;
  /** the provider's name in answers; null where it was deleted. Rules match it as well as the slug */
  readonly providerName: string | null;
  /** the preset that the provider was made from; null where it was deleted */
  readonly providerPreset: string | null;
  /** where the provider is; null for one that is built in, and where it was deleted */
  readonly server: { readonly address: string; readonly port: number } | null;
  readonly upstreamId: string | null;
  /** the HTTP status that the caller received */
  readonly status: number;
  readonly errorType: string | null;
  readonly finishReason: string | null;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly reasoningTokens: number;
  readonly cachedTokens: number;
  readonly cacheWriteTokens: number;
  /** USD, charged to the key */
  readonly cost: number;
  /** USD, charged by the provider to the caller's own provider key; null where the destination omits the breakdown */
  readonly byokCost: number | null;
  readonly byok: boolean;
  /** how many vectors or scores were requested; 0 for others */
  readonly inputs: number;
  /** what the call is billed by besides tokens and requests, and how many of them; null: nothing else */
  readonly unit: MediaUnit | null;
  readonly units: number | null;
  readonly streamed: boolean;
  readonly cancelled: boolean;
  /** to the first byte; null where there was none */
  readonly latencyMs: number | null;
  readonly durationMs: number;
  readonly userId: string | null;
  readonly sessionId: string | null;
  /** the slug of the preset that the call was made with, and its version; null: with none */
  readonly preset: string | null;
  readonly presetVersion: number | null;
  /** what the content filters of guardrails found in the request; null: nothing */
  readonly contentFilters: readonly ContentFilterMatch[] | null;
  /**
   * the caller's `trace` object: trace_id, trace_name, span_name, generation_name, parent_span_id and custom members
   */
  readonly trace: Readonly<Record<string, unknown>> | null;
  /** the request's context: these four are null where the destination omits it */
  readonly referer: string | null;
  readonly appTitle: string | null;
  readonly userAgent: string | null;
  readonly requestId: string | null;
  /** the request's messages or input; null when not stored, or removed by privacy mode */
  readonly input: unknown;
  /** the answer's choices; null for all but chat, when not stored, or when removed by privacy mode */
  readonly output: unknown;
}

/** An empty event: the default of every member. */
export const blankEvent = {
  id: "",
  kind: "chat",
  api: "completions",
  operation: null,
  startedAt: new Date(0),
  endedAt: new Date(0),
  workspaceId: "",
  keyHash: "",
  keyName: null,
  model: "",
  responseModel: null,
  parameters: null,
  provider: "",
  providerName: null,
  providerPreset: null,
  server: null,
  upstreamId: null,
  status: 200,
  errorType: null,
  finishReason: null,
  promptTokens: 0,
  completionTokens: 0,
  reasoningTokens: 0,
  cachedTokens: 0,
  cacheWriteTokens: 0,
  cost: 0,
  byokCost: null,
  byok: false,
  inputs: 0,
  unit: null,
  units: null,
  streamed: false,
  cancelled: false,
  latencyMs: null,
  durationMs: 0,
  userId: null,
  sessionId: null,
  preset: null,
  presetVersion: null,
  contentFilters: null,
  trace: null,
  referer: null,
  appTitle: null,
  userAgent: null,
  requestId: null,
  input: null,
  output: null,
} satisfies ForwardedEvent;
