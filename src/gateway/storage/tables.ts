import type { ColumnType } from "kysely";
import type { CodeChallengeMethod } from "#contract/app-callback.ts";
import type { KeyPurpose, UpdateKeyBody } from "#contract/keys.ts";
import type { LimitReset } from "#contract/time.ts";
import type { UpdateWorkspaceBody } from "#contract/workspaces.ts";
import type { Fixed, Settings } from "./columns.ts";
import type { BatchTables } from "./batch-tables.ts";
import type { CanaryTables } from "./canary-tables.ts";
import type { DestinationTables } from "./destination-tables.ts";
import type { DirectoryTables } from "./directory-tables.ts";
import type { FederationTables } from "./federation-tables.ts";
import type { FileTables } from "./file-tables.ts";
import type { ForwardingTables } from "./forwarding-tables.ts";
import type { GuardrailTables } from "./guardrail-tables.ts";
import type { LedgerTables } from "./ledger-tables.ts";
import type { PresetTables } from "./preset-tables.ts";
import type { ProviderTables } from "./provider-tables.ts";
import type { VideoTables } from "./video-tables.ts";

/** What is set of a workspace, as it is stored: rows of earlier versions may have more than a body can say today. */
export interface WorkspaceSettings extends Omit<
  Settings<UpdateWorkspaceBody>,
  "default_provider_sort" | "io_logging_api_key_ids"
> {
  default_provider_sort: string | null;
  io_logging_api_key_ids: number[] | null;
}

export interface WorkspacesTable extends WorkspaceSettings {
  id: Fixed<string>;
  created_at: Fixed<Date>;
  created_by: Fixed<string | null>;
  updated_at: Date | null;
  /** a deleted workspace keeps its row: the ledger and the audit log refer to it */
  deleted_at: Date | null;
  is_default: Fixed<boolean>;
  default_guardrail_id: Fixed<string>;
  include_byok_in_budgets: boolean;
}

/** What the owner of a key sets, as it is stored: money in nano-dollars, an instant as a Date. */
export interface KeySettings extends Omit<Settings<UpdateKeyBody>, "limit" | "expires_at" | "workspace_id"> {
  limit_nano: bigint | null;
  expires_at: Date | null;
}

export interface ApiKeysTable extends KeySettings {
  /** lowercase hex SHA-256 of the plaintext, which is kept nowhere */
  hash: Fixed<string>;
  kind: Fixed<"ordinary" | "management">;
  /** of a key that only the gateway itself calls with; its plaintext is kept nowhere */
  purpose: Fixed<KeyPurpose | null>;
  label: Fixed<string>;
  /** null for management keys, which are account-wide */
  workspace_id: string | null;
  creator_user_id: Fixed<string | null>;
  /** whom of the creator's own users the key was made for */
  external_user: Fixed<string | null>;
  created_by: Fixed<string | null>;
  created_at: Fixed<Date>;
  updated_at: Date | null;
  deleted_at: Date | null;
  last_used_at: Date | null;
  /** the row of `spends` that this key's calls are counted on; a rotated key and its successor share one */
  spend_id: Fixed<string>;
  replaces: Fixed<string | null>;
  /** the host of the app that it was made for by OAuth; empty: none, a person was shown the code */
  oauth_app: Fixed<string | null>;
  /** the API key that had it made, and whose rate limits it shares: the id of that one's spending count */
  made_by: Fixed<string | null>;
  rate_scope: Fixed<string | null>;
  replaced_by: string | null;
  /** name and label folded for searching, written by the verbs: see domain/keys/search.ts */
  search_text: string;
  /** until when the limit is spent out; a hint for the status filter, kept by a trigger on `spends` */
  spent_out_until: Date | null;
  /** until when four fifths of the limit or more are spent; a hint as the one above */
  near_limit_until: Date | null;
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
  key_hash: string;
  created_at: Fixed<Date>;
  expires_at: Date;
}

export interface SignInTokensTable {
  /** SHA-256 of the token in a sign-in link; the row is deleted by its one use */
  token_hash: Fixed<string>;
  key_hash: Fixed<string>;
  expires_at: Fixed<Date>;
}

export interface AuthCodesTable {
  /** SHA-256 of the code; the row is deleted by its one use */
  code_hash: Fixed<string>;
  created_at: Fixed<Date>;
  expires_at: Fixed<Date>;
  /** the key whose holder agreed: a management key's by the console, or an API key itself */
  made_by: Fixed<string>;
  /** as in `api_keys.oauth_app` */
  app: Fixed<string>;
  /** SHA-256 of the challenge, which may be the verifier itself */
  challenge_hash: Fixed<string | null>;
  challenge_method: Fixed<CodeChallengeMethod | null>;
  workspace_id: Fixed<string>;
  /** the key to be made */
  name: Fixed<string>;
  limit_nano: Fixed<bigint | null>;
  limit_reset: Fixed<LimitReset | null>;
  key_expires_at: Fixed<Date | null>;
}

/** How a person's id is written, by what its spellings have in common: see domain/user-id.ts. */
export interface UserIdsTable {
  key: Fixed<string>;
  id: Fixed<string>;
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
export interface Tables
  extends
    LedgerTables,
    ProviderTables,
    DestinationTables,
    DirectoryTables,
    FederationTables,
    ForwardingTables,
    CanaryTables,
    PresetTables,
    FileTables,
    GuardrailTables,
    BatchTables,
    VideoTables {
  workspaces: WorkspacesTable;
  api_keys: ApiKeysTable;
  audit: AuditTable;
  sessions: SessionsTable;
  sign_in_tokens: SignInTokensTable;
  auth_codes: AuthCodesTable;
  user_ids: UserIdsTable;
  idempotency: IdempotencyTable;
  instance: InstanceTable;
}
