import type { ForwardedEvent } from "#contract/forwarded-event.ts";
import { byStatus } from "./answer.ts";
import { type Format, member, type Sink, type SinkRequest, under, withHeaders } from "./format.ts";
import { toolCallOf } from "./genai-messages.ts";
import { identityOf, nameOf } from "./otlp-span.ts";
import { metadata } from "./record.ts";

/** Datadog's LLM Observability HTTP API (docs.datadoghq.com/llm_observability/instrumentation/api). */
export const datadog: Format = {
  // The intake takes at most 5 MB.
  most: { events: 500, bytes: 3_000_000 },
  async toRequests(sink, events) {
    return [request(sink, events.map(spanOf), {})];
  },
  readAnswer: byStatus,
  toTest: async (sink) => request(sink, [], { "x-test-connection": "true" }),
  testPasses: [400],
};

function request(sink: Sink, spans: readonly object[], more: Record<string, string>): SinkRequest {
  const attributes = { ml_app: member(sink, "mlApp"), tags: ["source:gatehouse"], spans };
  return {
    method: "POST",
    url: under(member(sink, "url"), "/api/intake/llm-obs/v1/trace/spans"),
    headers: withHeaders(sink, { "dd-api-key": member(sink, "apiKey"), ...more }),
    body: JSON.stringify({ data: { type: "span", attributes } }),
  };
}

/** The kinds of spans that Datadog knows. */
const spanKinds = {
  chat: "llm",
  embeddings: "embedding",
  rerank: "retrieval",
  speech: "llm",
  transcriptions: "llm",
  images: "llm",
  videos: "llm",
} as const;

function spanOf(event: ForwardedEvent): object {
  const { traceId, spanId, parentSpanId } = identityOf(event);
  const chat = event.kind === "chat";
  return {
    // Decimal numbers of 64 bits, as Datadog's own tracers write them.
    trace_id: decimal(traceId.slice(16)),
    span_id: decimal(spanId),
    parent_id: parentSpanId === undefined ? "undefined" : decimal(parentSpanId),
    ...(event.sessionId === null ? {} : { session_id: event.sessionId }),
    name: nameOf(event),
    start_ns: event.startedAt.getTime() * 1_000_000,
    duration: Math.round(event.durationMs * 1_000_000),
    status: event.errorType === null ? "ok" : "error",
    meta: {
      kind: spanKinds[event.kind],
      ...(event.errorType === null ? {} : { error: { type: event.errorType, message: `status ${event.status}` } }),
      ...(event.input === null ? {} : { input: chat ? { messages: plain(event.input) } : documents(event.input) }),
      ...(event.output === null ? {} : { output: { messages: answers(event.output) } }),
      metadata: {
        ...metadata(event),
        model_name: event.model,
        model_provider: event.provider,
        generation_id: event.id,
        api: event.api,
        operation: event.operation,
        response_model: event.responseModel,
        ...parametersOf(event),
        unit: event.unit,
        units: event.units,
        finish_reason: event.finishReason,
        preset: event.preset,
        preset_version: event.presetVersion,
        content_filters: event.contentFilters,
        streamed: event.streamed,
        byok_cost: event.byokCost,
        api_key_name: event.keyName,
        http_referer: event.referer,
        app_title: event.appTitle,
      },
    },
    metrics: {
      input_tokens: event.promptTokens,
      output_tokens: event.completionTokens,
      total_tokens: event.promptTokens + event.completionTokens,
      total_cost: event.cost,
      // As Datadog's own tracers name them: ddtrace/llmobs/_constants.py.
      ...counted("cache_read_input_tokens", event.cachedTokens),
      ...counted("cache_write_input_tokens", event.cacheWriteTokens),
      ...counted("reasoning_output_tokens", event.reasoningTokens),
      ...(event.latencyMs === null ? {} : { time_to_first_token: event.latencyMs / 1_000 }),
    },
    tags: event.userId === null ? [] : [`user_id:${event.userId}`],
  };
}

const decimal = (hex: string) => BigInt(`0x${hex}`).toString();

const asText = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value ?? ""));

const counted = (name: string, tokens: number) => (tokens > 0 ? { [name]: tokens } : {});

/** Datadog's metadata are texts, numbers and flags. */
const parametersOf = ({ parameters }: ForwardedEvent) =>
  Object.fromEntries(
    Object.entries(parameters ?? {}).map(([name, value]) => [
      name,
      typeof value === "object" ? JSON.stringify(value) : value,
    ]),
  );

interface Message {
  readonly role?: unknown;
  readonly content?: unknown;
  readonly reasoning?: unknown;
  readonly refusal?: unknown;
  readonly tool_calls?: unknown;
}

/** A thought is a message of its own, as in Datadog's tracers; calls are in the form of its SDK. */
function plain(messages: unknown): object[] {
  if (!Array.isArray(messages)) return [{ content: asText(messages) }];
  return messages.flatMap(({ role = "user", content, reasoning, refusal, tool_calls: calls }: Message) => [
    ...(typeof reasoning === "string" && reasoning !== "" ? [{ role: "reasoning", content: reasoning }] : []),
    {
      role: String(role),
      content: asText(content ?? refusal),
      ...(Array.isArray(calls) ? { tool_calls: calls.map(calledTool) } : {}),
    },
  ]);
}

function calledTool(call: Readonly<Record<string, unknown>>): object {
  const { id, name, arguments: given } = toolCallOf(call);
  return { name, arguments: inputOf(given), tool_id: id, type: call["type"] ?? "function" };
}

function inputOf(given: unknown): unknown {
  try {
    return typeof given === "string" ? (JSON.parse(given) as unknown) : given;
  } catch {
    return { arguments: given };
  }
}

function answers(choices: unknown): object[] {
  if (!Array.isArray(choices)) return [];
  return plain(choices.map((choice: { message?: unknown }) => choice.message ?? {}));
}

function documents(input: unknown): object {
  return { documents: (Array.isArray(input) ? input : [input]).map((each) => ({ text: asText(each) })) };
}
