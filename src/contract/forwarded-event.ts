/**
 * One finished model call as the forwarding pipeline sees it, made from the ledger's row before any destination's
 * settings apply. Every wire format is written from this and from nothing else.
 */
export interface ForwardedEvent {
  /** the generation id: stable, so that a sink can tell a repeat */
  readonly id: string;
  readonly kind: "chat" | "embeddings";
  readonly startedAt: Date;
  readonly endedAt: Date;
  readonly workspaceId: string;
  /** null where the destination does not take the caller's identity */
  readonly keyHash: string | null;
  readonly keyName: string | null;
  readonly model: string;
  readonly provider: string;
  readonly upstreamId: string | null;
  /** the HTTP status that the caller got */
  readonly status: number;
  readonly errorType: string | null;
  readonly finishReason: string | null;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly reasoningTokens: number;
  readonly cachedTokens: number;
  /** USD, charged to the key */
  readonly cost: number;
  /** USD, charged by the vendor to the caller's own vendor key; null where the destination does not take the breakdown */
  readonly byokCost: number | null;
  readonly byok: boolean;
  /** how many vectors were asked for; 0 for chat */
  readonly inputs: number;
  readonly streamed: boolean;
  readonly cancelled: boolean;
  /** to the first byte; null where there was none */
  readonly latencyMs: number | null;
  readonly durationMs: number;
  readonly userId: string | null;
  readonly sessionId: string | null;
  /** the caller's `trace` object: trace_id, trace_name, span_name, generation_name, parent_span_id and members of their own */
  readonly trace: Readonly<Record<string, unknown>> | null;
  /** the request's context: these four are null where the destination does not take it */
  readonly referer: string | null;
  readonly appTitle: string | null;
  readonly userAgent: string | null;
  readonly requestId: string | null;
  /** the request's messages or input; null when not kept, or removed by privacy mode */
  readonly input: unknown;
  /** the answer's choices; null for embeddings, when not kept, or removed by privacy mode */
  readonly output: unknown;
}
