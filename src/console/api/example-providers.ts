import type { ProviderHealth, ProviderRecord } from "#contract/providers.ts";
import type { OfferedModel } from "./providers.ts";

/** What was seen of a provider without any calls. */
export const noCalls: ProviderHealth = {
  status: "idle",
  calls_last_30m: 0,
  error_rate_last_30m: null,
  overload_rate_last_30m: null,
  latency_p50_ms: null,
  latency_p95_ms: null,
  retry_at: null,
  last_failure: null,
  ledger: { calls: 0, failures: 0, hours: [], models: [], last_call_hour: null },
};

export function provider(slug: string, change: Partial<ProviderRecord> = {}): ProviderRecord {
  return {
    slug,
    name: slug.toUpperCase(),
    kind: "openai-compatible",
    preset: "custom",
    base_url: "https://api.acme.example/v1",
    api_key: null,
    data_collection: "allow",
    zdr: false,
    enabled: true,
    options: {},
    position: 100,
    privacy_policy_url: null,
    terms_of_service_url: null,
    status_page_url: null,
    models: [],
    health: noCalls,
    created_at: "2026-11-20T10:00:00.000Z",
    updated_at: null,
    ...change,
  };
}

/** An embedding model. */
export function model(id: string, change: Partial<OfferedModel> = {}): OfferedModel {
  return {
    id,
    upstream_id: id,
    type: "embedding",
    name: id,
    description: "",
    context_length: 8192,
    dimensions: 1536,
    dimensions_range: null,
    max_batch: null,
    input_type: null,
    query_prefix: null,
    document_prefix: null,
    revision: null,
    max_completion_tokens: null,
    input_modalities: ["text"],
    pricing: { prompt: "0.00000002" },
    quantization: null,
    supported_parameters: null,
    distillable: null,
    enabled: true,
    ...change,
  };
}
