import type { ForwardedEvent } from "#contract/forwarded-event.ts";
import { createHash } from "node:crypto";
import { byStatus } from "./answer.ts";
import { type Format, member, type Sink, type SinkRequest, under, withHeaders } from "./format.ts";
import { identityOf, nameOf } from "./otlp-span.ts";
import { metadata } from "./record.ts";

/** PostHog's batch capture (posthog.com/docs/api/capture) with the events of its LLM analytics (manual-capture). */
export const posthog: Format = {
  most: { events: 1_000, bytes: 8_000_000 },
  async toRequests(sink, events) {
    return [request(sink, events.map(captureOf), {})];
  },
  readAnswer: byStatus,
  toTest: async (sink) => request(sink, [], { "x-test-connection": "true" }),
  // Some versions refuse an empty batch, after checking the key.
  testPasses: [400],
};

function request(sink: Sink, batch: readonly object[], more: Record<string, string>): SinkRequest {
  return {
    method: "POST",
    url: under(member(sink, "endpoint"), "/batch/"),
    headers: withHeaders(sink, more),
    body: JSON.stringify({ api_key: member(sink, "apiKey"), historical_migration: false, batch }),
  };
}

/** PostHog has no event for reranks and media: they are spans. */
const captures = {
  chat: "$ai_generation",
  embeddings: "$ai_embedding",
  rerank: "$ai_span",
  speech: "$ai_span",
  transcriptions: "$ai_span",
  images: "$ai_span",
  videos: "$ai_span",
} as const;

function captureOf(event: ForwardedEvent): object {
  const { traceId, spanId, parentSpanId } = identityOf(event);
  return {
    event: captures[event.kind],
    // PostHog drops a second event with the same uuid, name, time and person.
    uuid: uuidOf(event.id),
    timestamp: event.endedAt.toISOString(),
    distinct_id: event.userId ?? traceId,
    properties: {
      ...metadata(event),
      ...(event.userId === null ? { $process_person_profile: false } : {}),
      $ai_trace_id: traceId,
      $ai_span_id: spanId,
      $ai_span_name: nameOf(event),
      $ai_parent_id: parentSpanId,
      $ai_session_id: event.sessionId ?? undefined,
      $ai_model: event.model,
      $ai_provider: event.provider,
      $ai_input: event.input ?? undefined,
      $ai_input_tokens: event.promptTokens,
      $ai_output_choices: choicesOf(event.output),
      $ai_output_tokens: event.kind === "chat" ? event.completionTokens : undefined,
      $ai_cache_read_input_tokens: event.cachedTokens || undefined,
      $ai_cache_creation_input_tokens: event.cacheWriteTokens || undefined,
      $ai_reasoning_tokens: event.reasoningTokens || undefined,
      $ai_latency: event.durationMs / 1_000,
      $ai_time_to_first_token: event.latencyMs === null ? undefined : event.latencyMs / 1_000,
      $ai_stream: event.streamed,
      $ai_temperature: event.parameters?.["temperature"],
      $ai_max_tokens: event.parameters?.["max_tokens"],
      $ai_model_parameters: event.parameters ?? undefined,
      $ai_http_status: event.status,
      $ai_is_error: event.errorType !== null,
      $ai_error: event.errorType ?? undefined,
      $ai_total_cost_usd: event.cost,
      gatehouse_generation_id: event.id,
      gatehouse_api: event.api,
      gatehouse_operation: event.operation ?? undefined,
      gatehouse_response_model: event.responseModel ?? undefined,
      gatehouse_unit: event.unit ?? undefined,
      gatehouse_units: event.units ?? undefined,
      gatehouse_preset: event.preset ?? undefined,
      gatehouse_preset_version: event.presetVersion ?? undefined,
      gatehouse_content_filters: event.contentFilters ?? undefined,
      gatehouse_byok_cost_usd: event.byokCost ?? undefined,
      gatehouse_api_key_name: event.keyName ?? undefined,
      gatehouse_app_title: event.appTitle ?? undefined,
      gatehouse_http_referer: event.referer ?? undefined,
    },
  };
}

function choicesOf(output: unknown): unknown {
  if (!Array.isArray(output)) return undefined;
  return output.map((choice: { message?: unknown }) => choice.message ?? choice);
}

/** A UUID (version 8: made by us) that follows from the id. */
function uuidOf(id: string): string {
  const hex = createHash("sha256").update(id).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
