import type { BuiltinFilter, ContentFilter, UpdateGuardrailBody } from "#contract/guardrails.ts";
import type { Fixed, Json, Settings } from "./columns.ts";

/** A content filter as it is stored: what the record shows of it is computed. */
type StoredBuiltin = Omit<BuiltinFilter, "label">;

/** What is set of a guardrail, as it is read: money in nano-dollars. */
export interface GuardrailSettings extends Omit<
  Settings<UpdateGuardrailBody>,
  "limit_usd" | "content_filters" | "content_filter_builtins"
> {
  limit_nano: bigint | null;
  content_filters: ContentFilter[] | null;
  content_filter_builtins: StoredBuiltin[] | null;
}

export interface GuardrailsTable extends Omit<GuardrailSettings, "content_filters" | "content_filter_builtins"> {
  id: Fixed<string>;
  workspace_id: Fixed<string>;
  /** of its workspace: it covers all of the workspace's keys, without an assignment */
  is_default: Fixed<boolean>;
  content_filters: Json<ContentFilter[] | null>;
  content_filter_builtins: Json<StoredBuiltin[] | null>;
  created_at: Fixed<Date>;
  updated_at: Date | null;
}

interface Assignments {
  id: string;
  guardrail_id: string;
  assigned_by: string | null;
  created_at: Date;
}

/** A key has one guardrail at most. */
interface GuardrailKeysTable extends Assignments {
  key_hash: string;
}

/** So has a member, who is the creator of keys. */
interface GuardrailMembersTable extends Assignments {
  user_id: string;
  /** the count of what all keys of this creator spend */
  spend_id: Fixed<string>;
}

/** The tables of migrations 036 and 038. */
export interface GuardrailTables {
  guardrails: GuardrailsTable;
  guardrail_keys: GuardrailKeysTable;
  guardrail_members: GuardrailMembersTable;
}
