import type { ColumnType } from "kysely";
import type { UpdateByokBody } from "#contract/byok.ts";
import type { ProviderModel, UpdateProviderBody } from "#contract/providers.ts";
import type { Json, Settings } from "./columns.ts";

/** A stored instant: read as Date, written as Date. */
type At = ColumnType<Date, Date, Date>;

type ProviderSettings = Omit<Settings<UpdateProviderBody>, "base_url" | "api_key" | "models" | "options">;

export interface ProvidersTable extends ProviderSettings {
  slug: string;
  kind: string;
  base_url: string | null;
  /** sealed by the secret box; null: none needed */
  secret: string | null;
  /** masked abbreviation of the secret */
  secret_label: string | null;
  options: Json<Settings<UpdateProviderBody>["options"]>;
  created_at: At;
  updated_at: ColumnType<Date | null, Date | null, Date | null>;
}

type ModelSettings = Omit<Settings<ProviderModel>, "dimensions_range" | "pricing">;

export interface ProviderModelsTable extends ModelSettings {
  provider_slug: string;
  dimensions_minimum: number | null;
  dimensions_maximum: number | null;
  /** USD as decimal text per token, image and request; null: unpriced */
  pricing: Json<Settings<ProviderModel>["pricing"]>;
  position: number;
  created_at: At;
}

export interface ByokKeysTable extends Omit<Settings<UpdateByokBody>, "key"> {
  id: string;
  workspace_id: string;
  provider: string;
  /** sealed by the secret box; null once deleted */
  secret: string | null;
  label: string;
  /** of the address that it was given for; null: that was not to be found out, and it is sent nowhere */
  origin: string | null;
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
