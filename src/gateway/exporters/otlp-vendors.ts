import type { DestinationType } from "#contract/destination-kinds.ts";
import type { ForwardedEvent } from "#contract/forwarded-event.ts";
import { basic, member, under } from "./format.ts";
import { inputMessages, outputMessages } from "./genai-messages.ts";
import type { OtlpVendor } from "./otlp.ts";

/** github.com/Arize-ai/openinference/blob/main/spec/semantic_conventions.md */
const openInference = {
  chat: "LLM",
  embeddings: "EMBEDDING",
  rerank: "RERANKER",
  speech: "LLM",
  transcriptions: "LLM",
  images: "LLM",
  videos: "LLM",
} as const;
/** langfuse.com/docs/observability/features/observation-types */
const langfuse = {
  chat: "generation",
  embeddings: "embedding",
  rerank: "retriever",
  speech: "generation",
  transcriptions: "generation",
  images: "generation",
  videos: "generation",
} as const;
/** langfuse.com/docs/observability/features/token-and-cost-tracking: each token in one count, and their sum */
function langfuseUsage(event: ForwardedEvent) {
  const { promptTokens, completionTokens, cachedTokens, cacheWriteTokens, reasoningTokens } = event;
  return {
    input: Math.max(0, promptTokens - cachedTokens - cacheWriteTokens),
    ...(cachedTokens > 0 ? { cache_read_input_tokens: cachedTokens } : {}),
    ...(cacheWriteTokens > 0 ? { cache_creation_input_tokens: cacheWriteTokens } : {}),
    output: Math.max(0, completionTokens - reasoningTokens),
    ...(reasoningTokens > 0 ? { output_reasoning_tokens: reasoningTokens } : {}),
    total: promptTokens + completionTokens,
  };
}

/** docs.langchain.com/langsmith/run-data-format: run types */
const langsmith = {
  chat: "llm",
  embeddings: "embedding",
  rerank: "retriever",
  speech: "llm",
  transcriptions: "llm",
  images: "llm",
  videos: "llm",
} as const;

/** Where each vendor's documentation puts its OTLP/HTTP trace endpoint, and how it wants to be spoken to. */
export const otlpVendors = {
  // arize.com/docs/ax: space_id and api_key as headers; OpenInference attributes
  arize: {
    url: (sink) => under(member(sink, "baseUrl"), "/v1/traces"),
    headers: (sink) => ({ space_id: member(sink, "spaceKey"), api_key: member(sink, "apiKey") }),
    resource: (sink) => ({
      model_id: member(sink, "modelId"),
      "openinference.project.name": member(sink, "modelId"),
    }),
    span: (event) => ({
      "openinference.span.kind": openInference[event.kind],
      "llm.model_name": event.kind === "chat" ? event.model : null,
      "llm.provider": event.provider,
      "embedding.model_name": event.kind === "embeddings" ? event.model : null,
      "reranker.model_name": event.kind === "rerank" ? event.model : null,
      "llm.token_count.prompt": event.promptTokens,
      "llm.token_count.completion": event.completionTokens,
      "llm.token_count.total": event.promptTokens + event.completionTokens,
      "llm.token_count.prompt_details.cache_read": event.cachedTokens || null,
      "llm.token_count.prompt_details.cache_write": event.cacheWriteTokens || null,
      "llm.token_count.completion_details.reasoning": event.reasoningTokens || null,
      "llm.invocation_parameters": event.parameters === null ? null : JSON.stringify(event.parameters),
      "llm.cost.total": event.cost,
      "input.value": event.input === null ? null : JSON.stringify(inputMessages(event.input)),
      "output.value": event.output === null ? null : JSON.stringify(outputMessages(event.output)),
    }),
  },
  // braintrust.dev/docs/integrations/sdk-integrations/opentelemetry
  braintrust: {
    url: (sink) => under(member(sink, "baseUrl"), "/otel/v1/traces"),
    headers: (sink) => ({
      authorization: `Bearer ${member(sink, "apiKey")}`,
      "x-bt-parent": `project_id:${member(sink, "projectId")}`,
    }),
  },
  // grafana.com/docs/grafana-cloud/send-data/otlp: basic authentication by instance id and token
  grafana: {
    url: (sink) => under(member(sink, "baseUrl"), "/otlp/v1/traces"),
    headers: (sink) => ({ authorization: basic(member(sink, "instanceId"), member(sink, "apiKey")) }),
  },
  // langfuse.com/integrations/native/opentelemetry: basic authentication by public and secret key
  langfuse: {
    url: (sink) => under(member(sink, "baseUrl"), "/api/public/otel/v1/traces"),
    headers: (sink) => ({
      authorization: basic(member(sink, "publicKey"), member(sink, "secretKey")),
      // Without it, calls appear up to ten minutes late.
      "x-langfuse-ingestion-version": "4",
    }),
    span: (event) => ({
      "langfuse.observation.type": langfuse[event.kind],
      "langfuse.trace.name": typeof event.trace?.["trace_name"] === "string" ? event.trace["trace_name"] : null,
      "langfuse.observation.completion_start_time":
        event.latencyMs === null || !event.streamed
          ? null
          : new Date(event.startedAt.getTime() + event.latencyMs).toISOString(),
      "langfuse.observation.model.parameters": event.parameters === null ? null : JSON.stringify(event.parameters),
      "langfuse.observation.usage_details": JSON.stringify(langfuseUsage(event)),
      "langfuse.observation.cost_details": JSON.stringify({ total: event.cost }),
    }),
  },
  // docs.smith.langchain.com: trace with OpenTelemetry
  langsmith: {
    url: (sink) => under(member(sink, "endpoint"), "/otel/v1/traces"),
    headers: ({ config, ...sink }) => ({
      "x-api-key": member({ config, ...sink }, "apiKey"),
      "langsmith-project": config["project"] ?? "",
      ...(config["workspaceId"] === undefined ? {} : { "x-tenant-id": config["workspaceId"] }),
    }),
    span: (event) => ({
      "langsmith.span.kind": langsmith[event.kind],
      "langsmith.trace.session_id": event.sessionId,
    }),
  },
  // docs.newrelic.com/docs/opentelemetry/best-practices/opentelemetry-otlp: one host for each region
  newrelic: {
    url: ({ config }) => `https://otlp${config["region"] === "eu" ? ".eu01" : ""}.nr-data.net/v1/traces`,
    headers: (sink) => ({ "api-key": member(sink, "licenseKey") }),
  },
  // comet.com/docs/opik/integrations/opentelemetry
  opik: {
    url: () => "https://www.comet.com/opik/api/v1/private/otel/v1/traces",
    headers: (sink) => ({
      authorization: member(sink, "apiKey"),
      "comet-workspace": member(sink, "workspace"),
      projectname: member(sink, "projectName"),
    }),
  },
  "otel-collector": { url: (sink) => member(sink, "endpoint") },
  // openrouter.ai/docs/guides/features/broadcast/ramp: OTLP with the key as a bearer token
  ramp: {
    url: (sink) => member(sink, "baseUrl"),
    headers: (sink) => ({ authorization: `Bearer ${member(sink, "apiKey")}` }),
  },
  // docs.sentry.io/concepts/otlp: the DSN's public key is the credential
  sentry: {
    url: (sink) => under(member(sink, "otlpEndpoint"), "/v1/traces"),
    headers: (sink) => ({
      "x-sentry-auth": `sentry sentry_key=${new URL(member(sink, "dsn")).username}`,
    }),
  },
  // docs.wandb.ai/weave/guides/tracking/otel: the project is named in the resource; JSON is not taken
  weave: {
    protobuf: true,
    url: (sink) => under(member(sink, "baseUrl"), "/otel/v1/traces"),
    headers: (sink) => ({
      "wandb-api-key": member(sink, "apiKey"),
      authorization: basic("api", member(sink, "apiKey")),
      project_id: `${member(sink, "entity")}/${member(sink, "project")}`,
    }),
    resource: (sink) => ({ "wandb.entity": member(sink, "entity"), "wandb.project": member(sink, "project") }),
  },
  // openrouter.ai/docs/guides/features/broadcast/webhook: a sink that refuses the test's empty payload passes too
  webhook: {
    url: (sink) => member(sink, "url"),
    method: (sink) => (sink.config["method"] === "PUT" ? "PUT" : "POST"),
    testPasses: [400],
  },
} as const satisfies Partial<Record<DestinationType, OtlpVendor>>;
