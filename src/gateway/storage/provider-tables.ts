import type { ColumnType } from "kysely";

/** A stored instant: read as Date, written as Date. */
type At = ColumnType<Date, Date, Date>;
/** jsonb: read parsed, written as JSON text. */
type Json<T> = ColumnType<T, string, string>;
type Defaulted<T> = ColumnType<T, T | undefined, T>;

export interface ProvidersTable {
  slug: string;
  name: string;
  kind: string;
  preset: string;
  base_url: string | null;
  /** sealed by the secret box; null: none needed */
  secret: string | null;
  /** masked abbreviation of the secret */
  secret_label: string | null;
  data_collection: string;
  zdr: boolean;
  enabled: boolean;
  options: Json<Record<string, string>>;
  position: number;
  privacy_policy_url: string | null;
  terms_of_service_url: string | null;
  status_page_url: string | null;
  created_at: At;
  updated_at: ColumnType<Date | null, Date | null, Date | null>;
}

export interface ProviderModelsTable {
  provider_slug: string;
  id: string;
  upstream_id: string;
  type: string;
  name: string;
  description: Defaulted<string>;
  context_length: number | null;
  dimensions: number | null;
  dimensions_minimum: number | null;
  dimensions_maximum: number | null;
  max_batch: number | null;
  max_completion_tokens: number | null;
  input_modalities: string[];
  /** USD as decimal text per token, image and request; null: unpriced */
  pricing: ColumnType<Record<string, string> | null, string | null, string | null>;
  quantization: string | null;
  supported_parameters: string[] | null;
  /** its texts may be used to train other models; null: not stated */
  distillable: boolean | null;
  enabled: boolean;
  position: number;
  created_at: At;
}

export interface ByokKeysTable {
  id: string;
  workspace_id: string;
  provider: string;
  name: string | null;
  /** sealed by the secret box; null once deleted */
  secret: string | null;
  label: string;
  disabled: boolean;
  is_fallback: boolean;
  sort_order: number;
  allowed_models: string[] | null;
  allowed_user_ids: string[] | null;
  allowed_api_key_hashes: string[] | null;
  created_at: At;
  updated_at: ColumnType<Date | null, Date | null, Date | null>;
  deleted_at: ColumnType<Date | null, Date | null, Date | null>;
}

/** The tables of migration 003. */
export interface ProviderTables {
  providers: ProvidersTable;
  provider_models: ProviderModelsTable;
  byok_keys: ByokKeysTable;
}
