import { type Kysely, sql } from "kysely";

/**
 * What identity providers push by SCIM, who belongs to which workspace, and by what: `manual_role` was given by hand,
 * `mapped_role` by a group; the higher one counts. Rows of deleted workspaces stay and are not read.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table scim_tokens (
      hash text primary key,
      id uuid not null unique,
      name text not null,
      label text not null,
      created_at timestamptz not null,
      created_by text,
      last_used_at timestamptz
    )`.execute(db);
  await sql`
    create table scim_users (
      id uuid primary key,
      user_name text not null,
      external_id text,
      display_name text,
      formatted_name text,
      given_name text,
      family_name text,
      email text,
      active boolean not null,
      created_at timestamptz not null,
      updated_at timestamptz not null
    )`.execute(db);
  await sql`create unique index scim_users_by_name on scim_users (lower(user_name))`.execute(db);
  await sql`create index scim_users_by_external_id on scim_users (external_id)`.execute(db);
  await sql`create index scim_users_in_order on scim_users (created_at, id)`.execute(db);
  await sql`
    create table scim_groups (
      id uuid primary key,
      external_id text,
      display_name text not null,
      created_at timestamptz not null,
      updated_at timestamptz not null
    )`.execute(db);
  await sql`create index scim_groups_by_name on scim_groups (lower(display_name))`.execute(db);
  await sql`create index scim_groups_by_external_id on scim_groups (external_id)`.execute(db);
  await sql`
    create table scim_group_members (
      group_id uuid not null references scim_groups (id) on delete cascade,
      user_id uuid not null references scim_users (id) on delete cascade,
      primary key (group_id, user_id)
    )`.execute(db);
  await sql`create index scim_groups_of_user on scim_group_members (user_id)`.execute(db);
  await sql`
    create table scim_group_mappings (
      id uuid primary key,
      group_id uuid not null references scim_groups (id) on delete cascade,
      workspace_id uuid not null,
      role text not null,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      unique (group_id, workspace_id)
    )`.execute(db);
  await sql`create index scim_mappings_of_workspace on scim_group_mappings (workspace_id)`.execute(db);
  await sql`
    create table workspace_members (
      workspace_id uuid not null,
      user_id uuid not null references scim_users (id) on delete cascade,
      id uuid not null unique,
      manual_role text,
      mapped_role text,
      created_at timestamptz not null,
      primary key (workspace_id, user_id),
      check (manual_role is not null or mapped_role is not null)
    )`.execute(db);
  await sql`create index workspaces_of_member on workspace_members (user_id)`.execute(db);
  await sql`
    create table scim_sync_jobs (
      id uuid primary key,
      status text not null,
      created_at timestamptz not null,
      started_at timestamptz,
      /** when it last did something */
      seen_at timestamptz not null,
      finished_at timestamptz,
      synced_groups integer,
      deleted_groups integer,
      error_message text
    )`.execute(db);
}
