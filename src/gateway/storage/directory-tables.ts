import type { ScimSyncJobRecord, WorkspaceRole } from "#contract/scim.ts";
import type { Fixed } from "./columns.ts";

interface ScimTokensTable {
  /** lowercase hex SHA-256 of the plaintext, which is kept nowhere */
  hash: Fixed<string>;
  id: Fixed<string>;
  name: Fixed<string>;
  label: Fixed<string>;
  created_at: Fixed<Date>;
  created_by: Fixed<string | null>;
  last_used_at: Date | null;
}

/** What is kept of a person, as the directory says it. */
export interface ScimUserValues {
  /** unique whatever its case */
  user_name: string;
  external_id: string | null;
  display_name: string | null;
  formatted_name: string | null;
  given_name: string | null;
  family_name: string | null;
  email: string | null;
  /** `work`, `home` or `other`; null where there is no address */
  email_type: string | null;
  active: boolean;
}

interface Resource {
  id: Fixed<string>;
  created_at: Fixed<Date>;
  updated_at: Date;
}

export interface ScimUsersTable extends ScimUserValues, Resource {}

export interface ScimGroupValues {
  external_id: string | null;
  display_name: string;
}

export interface ScimGroupsTable extends ScimGroupValues, Resource {}

export interface ScimMappingsTable extends Resource {
  group_id: Fixed<string>;
  workspace_id: Fixed<string>;
  role: WorkspaceRole;
}

interface WorkspaceMembersTable {
  workspace_id: Fixed<string>;
  user_id: Fixed<string>;
  id: Fixed<string>;
  /** given by hand, or in the default workspace by being in the directory */
  manual_role: WorkspaceRole | null;
  /** the highest of the groups' mappings */
  mapped_role: WorkspaceRole | null;
  created_at: Fixed<Date>;
}

export interface ScimSyncJobsTable {
  id: Fixed<string>;
  status: ScimSyncJobRecord["status"];
  created_at: Fixed<Date>;
  started_at: Date | null;
  /** when it last did something */
  seen_at: Date;
  finished_at: Date | null;
  synced_groups: number | null;
  deleted_groups: number | null;
  error_message: string | null;
}

/** The tables of migration 042, as 046 changed them. */
export interface DirectoryTables {
  scim_tokens: ScimTokensTable;
  scim_users: ScimUsersTable;
  scim_groups: ScimGroupsTable;
  scim_group_members: { group_id: Fixed<string>; user_id: Fixed<string> };
  scim_group_mappings: ScimMappingsTable;
  workspace_members: WorkspaceMembersTable;
  scim_sync_jobs: ScimSyncJobsTable;
}
