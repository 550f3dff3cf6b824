import type { ColumnType } from "kysely";

type Fixed<T> = ColumnType<T, T, never>;

export interface DestinationsTable {
  id: Fixed<string>;
  workspace_id: Fixed<string>;
  type: Fixed<string>;
  name: string;
  enabled: boolean;
  /** the whole config as JSON, sealed by the secret box; null once deleted */
  config: string | null;
  api_key_hashes: string[] | null;
  filter_rules: ColumnType<unknown, string | null, string | null>;
  privacy_mode: boolean;
  sampling_rate: number;
  broadcast_cost: boolean;
  broadcast_identity: boolean;
  broadcast_request_context: boolean;
  regions: string[];
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
