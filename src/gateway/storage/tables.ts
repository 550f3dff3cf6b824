import type { ColumnType } from "kysely";
import type { DestinationTables } from "./destination-tables.ts";
import type { ForwardingTables } from "./forwarding-tables.ts";
import type { LedgerTables } from "./ledger-tables.ts";
import type { ProviderTables } from "./provider-tables.ts";

/** A column that is set when the row is made and never changed. */
type Fixed<T> = ColumnType<T, T, never>;

export interface WorkspacesTable {
  id: Fixed<string>;
  slug: string;
  name: string;
  description: string | null;
  created_at: Fixed<Date>;
  created_by: Fixed<string | null>;
  updated_at: Date | null;
  /** a deleted workspace keeps its row: the ledger and the audit log refer to it */
  deleted_at: Date | null;
  is_default: Fixed<boolean>;
  default_guardrail_id: Fixed<string>;
  default_image_model: string | null;
  default_provider_sort: string | null;
  default_text_model: string | null;
  include_byok_in_budgets: boolean;
  io_logging_api_key_ids: number[] | null;
  io_logging_sampling_rate: number;
  is_data_discount_logging_enabled: boolean;
  is_observability_broadcast_enabled: boolean;
  is_observability_io_logging_enabled: boolean;
  requests_per_minute: number | null;
  tokens_per_minute: number | null;
}

export interface ApiKeysTable {
  /** lowercase hex SHA-256 of the plaintext, which is kept nowhere */
  hash: Fixed<string>;
  kind: Fixed<"ordinary" | "management">;
  /** `playground`: made by the console for one session, in no list */
  purpose: Fixed<"playground" | null>;
  name: string;
  label: Fixed<string>;
  /** null for management keys, which are account-wide */
  workspace_id: Fixed<string | null>;
  creator_user_id: Fixed<string | null>;
  created_by: Fixed<string | null>;
  created_at: Fixed<Date>;
  updated_at: Date | null;
  disabled: boolean;
  deleted_at: Date | null;
  expires_at: Date | null;
  last_used_at: Date | null;
  limit_nano: bigint | null;
  limit_reset: "daily" | "weekly" | "monthly" | null;
  include_byok_in_limit: boolean;
  requests_per_minute: number | null;
  tokens_per_minute: number | null;
  /** the row of `spends` that this key's calls are counted on; a rotated key and its successor share one */
  spend_id: Fixed<string>;
  replaces: Fixed<string | null>;
  replaced_by: string | null;
  /** name and label folded for searching, written by the verbs: see domain/key-search.ts */
  search_text: string;
  /** until when the limit is spent out; a hint for the status filter, kept by a trigger on `spends` */
  spent_out_until: Date | null;
}

export interface AuditTable {
  id: Fixed<string>;
  at: Fixed<Date>;
  actor: Fixed<string>;
  action: Fixed<string>;
  target_type: Fixed<string>;
  target_id: Fixed<string>;
  target_name: Fixed<string | null>;
  workspace_id: Fixed<string | null>;
  before: ColumnType<Record<string, unknown> | null, string | null, never>;
  after: ColumnType<Record<string, unknown> | null, string | null, never>;
  source_ip: Fixed<string | null>;
  request_id: Fixed<string | null>;
}

export interface SessionsTable {
  /** SHA-256 of the cookie's token */
  token_hash: Fixed<string>;
  /** the management key that signed in; the session ends with it */
  key_hash: Fixed<string>;
  created_at: Fixed<Date>;
  expires_at: Date;
}

export interface SignInTokensTable {
  /** SHA-256 of the token in a sign-in link; the row is deleted by its one use */
  token_hash: Fixed<string>;
  key_hash: Fixed<string>;
  expires_at: Fixed<Date>;
}

export interface IdempotencyTable {
  /** who asked: the hash of the management key */
  caller: Fixed<string>;
  key: Fixed<string>;
  /** SHA-256 over the operation and its canonical body */
  request_hash: Fixed<string>;
  target_id: Fixed<string>;
  created_at: Fixed<Date>;
}

export interface InstanceTable {
  name: Fixed<string>;
  value: string;
}

/** Every table, as a row is read and written. int8 is a bigint, timestamptz a Date. */
export interface Tables extends LedgerTables, ProviderTables, DestinationTables, ForwardingTables {
  workspaces: WorkspacesTable;
  api_keys: ApiKeysTable;
  audit: AuditTable;
  sessions: SessionsTable;
  sign_in_tokens: SignInTokensTable;
  idempotency: IdempotencyTable;
  instance: InstanceTable;
}
