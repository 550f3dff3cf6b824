import type { ProviderHealth, ProviderRecord } from "#contract/providers.ts";
import type { OfferedModel } from "./providers.ts";

const rates = { error_rate_last_30m: null, overload_rate_last_30m: null };
const latencies = { latency_p50_ms: null, latency_p95_ms: null };
const ledger = { calls: 0, failures: 0, hours: [], models: [], last_call_hour: null };
const seen = { calls_last_30m: 0, ...rates, ...latencies, retry_at: null, last_failure: null };
/** What was seen of a provider without any calls. */
export const noCalls: ProviderHealth = { status: "idle", recent: null, ...seen, ledger };

export function provider(slug: string, change: Partial<ProviderRecord> = {}): ProviderRecord {
  const reached = { base_url: "https://api.acme.example/v1", api_key: null, options: {} };
  const links = { privacy_policy_url: null, terms_of_service_url: null, status_page_url: null };
  const times = { created_at: "2026-11-20T10:00:00.000Z", updated_at: null };
  const kind = { kind: "openai-compatible", preset: "custom", data_collection: "allow" } as const;
  const state = { zdr: false, enabled: true, position: 100, models: [], health: noCalls };
  return { slug, name: slug.toUpperCase(), ...kind, ...reached, ...state, ...links, ...times, ...change };
}

/** An embedding model. */
export function model(id: string, change: Partial<OfferedModel> = {}): OfferedModel {
  const names = { upstream_id: id, type: "embedding", name: id, description: "", revision: null } as const;
  const lengths = { context_length: 8192, dimensions: 1536, dimensions_range: null, max_completion_tokens: null };
  const inputs = { max_batch: null, input_type: null, query_prefix: null, document_prefix: null };
  const facts = { quantization: null, supported_parameters: null, distillable: null, enabled: true };
  const offer = { input_modalities: ["text" as const], pricing: { prompt: "0.00000002" } };
  return { id, ...names, ...lengths, ...inputs, ...offer, ...facts, ...change };
}
