import { createHash } from "node:crypto";
import type { ForwardedEvent } from "#contract/forwarded-event.ts";
import { inputMessages, outputMessages } from "./genai-messages.ts";

/** An OTLP attribute value in JSON; integers are strings, as in protobuf's JSON mapping. */
type AnyValue =
  | { stringValue: string }
  | { intValue: string }
  | { doubleValue: number }
  | { boolValue: boolean }
  | { arrayValue: { values: AnyValue[] } };

export interface Attribute {
  key: string;
  value: AnyValue;
}

export type AttributeValue = string | number | boolean | readonly string[] | null | undefined;

/** Attributes without those whose value is null. Whole numbers become integers, except where fractions are usual. */
export function attributes(values: Readonly<Record<string, AttributeValue>>): Attribute[] {
  const made: Attribute[] = [];
  for (const key of Object.keys(values)) {
    const value = values[key];
    if (value !== null && value !== undefined) made.push({ key, value: valueOf(value, doubles.has(key)) });
  }
  return made;
}

/** Always doubles, even when they are whole: amounts of money, and what the conventions declare as such. */
const doubles: ReadonlySet<string> = new Set([
  "gen_ai.usage.cost",
  "gatehouse.byok_cost",
  "llm.cost.total",
  "gen_ai.request.temperature",
  "gen_ai.request.top_p",
  "gen_ai.request.frequency_penalty",
  "gen_ai.request.presence_penalty",
  "gen_ai.response.time_to_first_chunk",
]);

function valueOf(value: string | number | boolean | readonly string[], double: boolean): AnyValue {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  if (typeof value !== "number") return { arrayValue: { values: value.map((each) => ({ stringValue: each })) } };
  return double || !Number.isSafeInteger(value) ? { doubleValue: value } : { intValue: String(value) };
}

/**
 * One call as a span by OpenTelemetry's GenAI semantic conventions as of November 2026, in OTLP's JSON
 * (github.com/open-telemetry/semantic-conventions-genai: docs/gen-ai/client-inference.md and client-embeddings.md). Its
 * ids follow from the call's, so that a repeat is the same span.
 */
export function spanOf(event: ForwardedEvent, more: Readonly<Record<string, AttributeValue>>): object {
  const failed = event.errorType !== null;
  return {
    ...identityOf(event),
    name: nameOf(event),
    kind: 3,
    startTimeUnixNano: nanoseconds(event.startedAt),
    endTimeUnixNano: nanoseconds(event.endedAt),
    attributes: attributes({ ...genAi(event), ...metadataOf(event), ...more }),
    status: failed ? { code: 2, message: event.errorType } : { code: 1 },
  };
}

function genAi(event: ForwardedEvent): Record<string, AttributeValue> {
  const { input, output } = event;
  return {
    "gen_ai.operation.name": event.operation ?? event.kind,
    "gen_ai.provider.name": providerNames[event.providerPreset ?? ""] ?? event.provider,
    "gen_ai.request.model": event.model,
    ...requestOf(event),
    "server.address": event.server?.address,
    "server.port": event.server?.port,
    "gen_ai.response.model": event.responseModel,
    "gen_ai.response.id": event.upstreamId,
    "gen_ai.response.time_to_first_chunk": event.streamed ? timeToFirstToken(event) : null,
    "gen_ai.response.finish_reasons": finishReasonsOf(event),
    "gen_ai.usage.input_tokens": event.promptTokens,
    "gen_ai.usage.output_tokens": event.completionTokens,
    "gen_ai.usage.total_tokens": event.promptTokens + event.completionTokens,
    "gen_ai.usage.cache_read.input_tokens": event.cachedTokens || null,
    "gen_ai.usage.cache_write.input_tokens": event.cacheWriteTokens || null,
    "gen_ai.usage.reasoning.output_tokens": event.reasoningTokens || null,
    "gen_ai.usage.cost": event.cost,
    "gen_ai.conversation.id": event.sessionId,
    "gen_ai.input.messages": input === null ? null : JSON.stringify(inputMessages(input)),
    "gen_ai.output.messages": output === null ? null : JSON.stringify(outputMessages(output)),
    "session.id": event.sessionId,
    "user.id": event.userId,
    "error.type": event.errorType,
    "http.response.status_code": event.status,
    "gatehouse.generation_id": event.id,
    "gatehouse.api": event.api,
    "gatehouse.provider": event.provider,
    "gatehouse.workspace_id": event.workspaceId,
    "gatehouse.byok": event.byok,
    "gatehouse.byok_cost": event.byokCost,
    "gatehouse.streamed": event.streamed,
    "gatehouse.cancelled": event.cancelled || null,
    "gatehouse.inputs": event.kind === "chat" ? null : event.inputs,
    "gatehouse.unit": event.unit,
    "gatehouse.units": event.units,
    "gatehouse.time_to_first_byte_ms": event.latencyMs,
    "gatehouse.preset": event.preset,
    "gatehouse.preset_version": event.presetVersion,
    "gatehouse.content_filters": event.contentFilters === null ? null : JSON.stringify(event.contentFilters),
    "gatehouse.api_key.hash": event.keyHash,
    "gatehouse.api_key.name": event.keyName,
    "gatehouse.http_referer": event.referer,
    "gatehouse.app_title": event.appTitle,
    "gatehouse.request_id": event.requestId,
    "user_agent.original": event.userAgent,
  };
}

/** One for each choice, where they are known. */
function finishReasonsOf({ output, finishReason }: ForwardedEvent): readonly string[] | null {
  const reasons = outputMessages(output).flatMap(({ finish_reason: reason }) => reason ?? []);
  if (reasons.length > 1) return reasons;
  return finishReason === null ? null : [finishReason];
}

/** How the model was asked. */
function requestOf(event: ForwardedEvent): Record<string, AttributeValue> {
  const { kind, streamed } = event;
  const asked = event.parameters ?? {};
  const { n, dimensions, encoding_format: encoding } = asked;
  return {
    "gen_ai.output.type": outputTypeOf(event),
    "gen_ai.request.stream": streamed || null,
    "gen_ai.request.choice.count": n === 1 ? null : n,
    "gen_ai.request.max_tokens": asked["max_tokens"],
    "gen_ai.request.temperature": asked["temperature"],
    "gen_ai.request.top_p": asked["top_p"],
    "gen_ai.request.top_k": asked["top_k"],
    "gen_ai.request.frequency_penalty": asked["frequency_penalty"],
    "gen_ai.request.presence_penalty": asked["presence_penalty"],
    "gen_ai.request.seed": asked["seed"],
    "gen_ai.request.stop_sequences": asked["stop"],
    "gen_ai.request.reasoning.level": asked["reasoning_effort"],
    "gen_ai.request.encoding_formats": kind === "embeddings" && typeof encoding === "string" ? [encoding] : null,
    "gen_ai.embeddings.dimension.count": dimensions,
  };
}

const outputTypes: Partial<Record<ForwardedEvent["kind"], string>> = { images: "image", speech: "speech" };

function outputTypeOf({ kind, parameters }: ForwardedEvent): string | null {
  const format = parameters?.["response_format"];
  if (typeof format !== "string") return outputTypes[kind] ?? null;
  return format.startsWith("json") ? "json" : format;
}

/** The conventions' names of providers that have one, by the preset that a provider was made from. */
const providerNames: Readonly<Record<string, string>> = {
  anthropic: "anthropic",
  "azure-openai": "azure.ai.openai",
  cohere: "cohere",
  deepseek: "deepseek",
  gemini: "gcp.gemini",
  groq: "groq",
  mistral: "mistral_ai",
  openai: "openai",
  xai: "x_ai",
};

/** Seconds; null where there was no first token. */
const timeToFirstToken = ({ latencyMs }: ForwardedEvent): number | null =>
  latencyMs === null ? null : latencyMs / 1_000;

/** The members of the caller's trace that are not about the trace's own shape, under `trace.metadata.`. */
export function metadataOf({ trace }: ForwardedEvent): Record<string, AttributeValue> {
  const found: Record<string, AttributeValue> = {};
  if (trace === null) return found;
  for (const [key, value] of Object.entries(trace)) {
    if (shape.has(key) || value === null || value === undefined) continue;
    const plain = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
    found[`trace.metadata.${key}`] = plain ? value : JSON.stringify(value);
  }
  if (typeof trace["trace_name"] === "string") found["trace.name"] = trace["trace_name"];
  return found;
}

const shape: ReadonlySet<string> = new Set([
  "trace_id",
  "trace_name",
  "span_name",
  "generation_name",
  "parent_span_id",
]);

export interface SpanIdentity {
  /** 32 and 16 hex digits */
  traceId: string;
  spanId: string;
  parentSpanId?: string;
}

/** A valid trace id is used as it is; any other text becomes one by hashing. */
export function identityOf({ id, trace }: Pick<ForwardedEvent, "id" | "trace">): SpanIdentity {
  const given = textOf(trace?.["trace_id"])?.toLowerCase() ?? null;
  const parent = textOf(trace?.["parent_span_id"])?.toLowerCase() ?? null;
  const hash = createHash("sha256").update(id).digest("hex");
  return {
    traceId: given === null ? hash.slice(0, 32) : isId(given, 32) ? given : digest(given).slice(0, 32),
    spanId: hash.slice(32, 48),
    ...(parent !== null && isId(parent, 16) ? { parentSpanId: parent } : {}),
  };
}

export function nameOf({ trace, kind, model }: ForwardedEvent): string {
  return textOf(trace?.["generation_name"]) ?? textOf(trace?.["span_name"]) ?? `${kind} ${model}`;
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

const digest = (text: string) => createHash("sha256").update(text).digest("hex");
const isId = (text: string, length: number) => text.length === length && /^[0-9a-f]+$/.test(text) && /[^0]/.test(text);

function nanoseconds(at: Date): string {
  return `${at.getTime()}000000`;
}
