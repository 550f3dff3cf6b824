import type { ForwardedEvent } from "#contract/forwarded-event.ts";
import { identityOf, metadataOf, nameOf } from "./otlp-span.ts";

/**
 * One call as a row of the table that the public API's warehouses have (`OPENROUTER_TRACES`): what is often asked for
 * in columns of its own, what varies as JSON. A table of an earlier version lacks `CACHE_WRITE_TOKENS`, whose value is in
 * `ATTRIBUTES` as well (docs/destinations.md).
 */
export function rowOf(event: ForwardedEvent) {
  const { traceId, spanId, parentSpanId } = identityOf(event);
  const json = (value: unknown) => (value === null ? null : JSON.stringify(value));
  return {
    GENERATION_ID: event.id,
    TRACE_ID: traceId,
    SPAN_ID: spanId,
    PARENT_SPAN_ID: parentSpanId ?? null,
    SPAN_TYPE: spanTypes[event.kind],
    NAME: nameOf(event),
    TIMESTAMP: event.startedAt.toISOString(),
    END_TIMESTAMP: event.endedAt.toISOString(),
    DURATION_MS: event.durationMs,
    LATENCY_MS: event.latencyMs,
    STATUS: event.errorType === null ? "ok" : "error",
    STATUS_CODE: event.status,
    ERROR_TYPE: event.errorType,
    WORKSPACE_ID: event.workspaceId,
    USER_ID: event.userId,
    SESSION_ID: event.sessionId,
    API_KEY_HASH: event.keyHash,
    API_KEY_NAME: event.keyName,
    MODEL: event.model,
    PROVIDER_NAME: event.provider,
    FINISH_REASON: event.finishReason,
    PROMPT_TOKENS: event.promptTokens,
    COMPLETION_TOKENS: event.completionTokens,
    REASONING_TOKENS: event.reasoningTokens,
    CACHED_TOKENS: event.cachedTokens,
    CACHE_WRITE_TOKENS: event.cacheWriteTokens,
    TOTAL_TOKENS: event.promptTokens + event.completionTokens,
    TOTAL_COST: event.cost,
    BYOK_COST: event.byokCost,
    IS_BYOK: event.byok,
    INPUT: json(event.input),
    OUTPUT: json(event.output),
    METADATA: json(metadata(event)),
    ATTRIBUTES: json({
      api: event.api,
      operation: event.operation,
      response_model: event.responseModel,
      parameters: event.parameters,
      server_address: event.server?.address,
      cache_write_tokens: event.cacheWriteTokens,
      streamed: event.streamed,
      cancelled: event.cancelled,
      inputs: event.inputs,
      unit: event.unit,
      units: event.units,
      preset: event.preset,
      preset_version: event.presetVersion,
      content_filters: event.contentFilters,
      upstream_id: event.upstreamId,
      http_referer: event.referer,
      app_title: event.appTitle,
      user_agent: event.userAgent,
      request_id: event.requestId,
    }),
  };
}

const spanTypes = {
  chat: "GENERATION",
  embeddings: "EMBEDDING",
  rerank: "RERANK",
  speech: "SPEECH",
  transcriptions: "TRANSCRIPTION",
  images: "IMAGE",
  videos: "VIDEO",
} as const;

export type Row = ReturnType<typeof rowOf>;

/** The caller's own members of `trace`, by their own names. */
export function metadata(event: ForwardedEvent): Record<string, unknown> {
  const prefix = "trace.metadata.";
  return Object.fromEntries(
    Object.entries(metadataOf(event))
      .filter(([key]) => key.startsWith(prefix))
      .map(([key, value]) => [key.slice(prefix.length), value]),
  );
}
