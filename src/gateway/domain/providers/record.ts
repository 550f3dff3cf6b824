import { isDeepStrictEqual } from "node:util";
import type { Selectable } from "kysely";
import type {
  CreateProviderBody,
  ProviderHealth,
  ProviderKind,
  ProviderModel,
  ProviderRecord,
} from "#contract/providers.ts";
import type { ProviderModelsTable, ProvidersTable } from "../../storage/provider-tables.ts";
import { pick } from "../patch.ts";

export type ProviderRow = Selectable<ProvidersTable>;
export type ProviderModelRow = Selectable<ProviderModelsTable>;

/**
 * A provider's settings apart from its name, dialect, address and key, each with its default. Creation, PATCH, record
 * and audit row are derived from this table.
 */
export const providerDefaults: Omit<Pick<ProviderRow, keyof CreateProviderBody & keyof ProviderRow>, Identity> = {
  data_collection: "allow",
  zdr: false,
  enabled: true,
  options: {},
  position: 100,
  privacy_policy_url: null,
  terms_of_service_url: null,
  status_page_url: null,
};
type Identity = "slug" | "name" | "kind" | "preset" | "base_url";

/** The same for one of its models. The range of dimensions is one member and two columns. */
export const modelDefaults: Omit<ProviderModelRow, "provider_slug" | "position" | "created_at" | RequiredOfModel> = {
  description: "",
  context_length: null,
  dimensions: null,
  dimensions_minimum: null,
  dimensions_maximum: null,
  max_batch: null,
  input_type: null,
  query_prefix: null,
  document_prefix: null,
  revision: null,
  max_completion_tokens: null,
  input_modalities: ["text"],
  pricing: null,
  quantization: null,
  supported_parameters: null,
  distillable: null,
  enabled: true,
};
type RequiredOfModel = Extract<keyof ProviderModel, "id" | "upstream_id" | "type" | "name">;

/** A provider as its admin sees it: the secret is its mask. */
export function providerRecord(
  row: ProviderRow,
  models: readonly ProviderModelRow[],
  health: ProviderHealth,
): ProviderRecord {
  return {
    ...auditedProvider(row, models),
    health,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at?.toISOString() ?? null,
  };
}

/** What the audit log keeps of a provider: the record without observations. */
export function auditedProvider(
  row: ProviderRow,
  models: readonly ProviderModelRow[],
): Omit<ProviderRecord, "health" | "created_at" | "updated_at"> {
  return {
    slug: row.slug,
    name: row.name,
    kind: row.kind as ProviderKind,
    preset: row.preset,
    base_url: row.base_url,
    api_key: row.secret_label,
    ...pick(row, providerDefaults),
    models: models.map(modelRecord),
  };
}

/** Whether two lists of models are equivalent, in the same order. */
export function areSameModels(a: readonly ProviderModelRow[], b: readonly ProviderModelRow[]): boolean {
  return isDeepStrictEqual(a.map(modelRecord), b.map(modelRecord));
}

function modelRecord(row: ProviderModelRow): ProviderRecord["models"][number] {
  const { dimensions_minimum: minimum, dimensions_maximum: maximum, ...settings } = pick(row, modelDefaults);
  return {
    id: row.id,
    upstream_id: row.upstream_id,
    type: row.type,
    name: row.name,
    ...settings,
    dimensions_range: minimum === null || maximum === null ? null : { minimum, maximum },
  };
}
