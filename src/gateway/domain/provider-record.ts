import type { Selectable } from "kysely";
import type {
  ModelPricing,
  ProviderHealth,
  ProviderKind,
  ProviderPreset,
  ProviderRecord,
} from "#contract/providers.ts";
import type { ProviderModelsTable, ProvidersTable } from "../storage/provider-tables.ts";

export type ProviderRow = Selectable<ProvidersTable>;
export type ProviderModelRow = Selectable<ProviderModelsTable>;

/** A provider as its admin sees it: the secret is its mask. */
export function providerRecord(
  row: ProviderRow,
  models: readonly ProviderModelRow[],
  health: ProviderHealth,
): ProviderRecord {
  return {
    slug: row.slug,
    name: row.name,
    kind: row.kind as ProviderKind,
    preset: row.preset as ProviderPreset,
    base_url: row.base_url,
    api_key: row.secret_label,
    data_collection: row.data_collection === "deny" ? "deny" : "allow",
    zdr: row.zdr,
    enabled: row.enabled,
    options: row.options,
    position: row.position,
    privacy_policy_url: row.privacy_policy_url,
    terms_of_service_url: row.terms_of_service_url,
    status_page_url: row.status_page_url,
    models: models.map(modelRecord),
    health,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at?.toISOString() ?? null,
  };
}

function modelRecord(row: ProviderModelRow): ProviderRecord["models"][number] {
  const { dimensions_minimum: minimum, dimensions_maximum: maximum } = row;
  return {
    id: row.id,
    upstream_id: row.upstream_id,
    type: row.type === "chat" ? "chat" : "embedding",
    name: row.name,
    description: row.description,
    context_length: row.context_length,
    dimensions: row.dimensions,
    dimensions_range: minimum === null || maximum === null ? null : { minimum, maximum },
    max_batch: row.max_batch,
    max_completion_tokens: row.max_completion_tokens,
    input_modalities: row.input_modalities,
    // Stored as they passed the contract.
    pricing: row.pricing as ModelPricing | null,
    quantization: row.quantization,
    supported_parameters: row.supported_parameters,
    distillable: row.distillable,
    enabled: row.enabled,
  };
}

/** What the audit log keeps of a provider: the record without what was merely observed. */
export function auditedProvider(row: ProviderRow, models: readonly ProviderModelRow[]): Record<string, unknown> {
  const { health: _, created_at: __, updated_at: ___, ...members } = providerRecord(row, models, unseen);
  return members;
}

const unseen: ProviderHealth = {
  status: "idle",
  calls_last_30m: 0,
  error_rate_last_30m: null,
  overload_rate_last_30m: null,
  latency_p50_ms: null,
  latency_p95_ms: null,
  retry_at: null,
  last_failure: null,
};
