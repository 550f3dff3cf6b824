import type { CreateDestinationBody, FilterRules } from "#contract/destinations.ts";
import type { Fixed, Json, Settings } from "./columns.ts";

/** A destination's settings apart from its connection, by the API's names. */
export type DestinationSettings = Settings<Omit<CreateDestinationBody, "type" | "config" | "workspace_id">>;

/** The columns are named by the API's members, without the `generation` of `broadcast_generation_…`. */
export type SettingColumns = {
  [
    K in keyof DestinationSettings as K extends `broadcast_generation_${infer Rest}` ? `broadcast_${Rest}` : K
  ]: DestinationSettings[K];
};

export interface DestinationsTable extends Omit<SettingColumns, "filter_rules"> {
  id: Fixed<string>;
  workspace_id: Fixed<string>;
  type: Fixed<string>;
  /** the whole config as JSON, sealed by the secret box; null once deleted */
  config: string | null;
  filter_rules: Json<FilterRules | null>;
  /** counts the changes; the record's ETag */
  version: number;
  created_at: Fixed<Date>;
  updated_at: Date;
  deleted_at: Date | null;
}

/** The tables of migration 005. */
export interface DestinationTables {
  destinations: DestinationsTable;
}
