import { type Kysely, sql } from "kysely";

/**
 * Guardrails of workspaces, and the keys and members that they are assigned to. A workspace's default guardrail has a row
 * once it was changed; its id is the workspace's default_guardrail_id.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table guardrails (
      id uuid primary key,
      workspace_id uuid not null references workspaces (id),
      is_default boolean not null,
      name text not null,
      description text,
      allowed_models text[],
      ignored_models text[],
      allowed_providers text[],
      ignored_providers text[],
      allowed_data_regions text[],
      enforce_zdr boolean,
      enforce_zdr_anthropic boolean,
      enforce_zdr_google boolean,
      enforce_zdr_openai boolean,
      enforce_zdr_xai boolean,
      enforce_zdr_other boolean,
      enable_free_model_training boolean,
      enable_free_model_publication boolean,
      enable_paid_model_training boolean,
      limit_nano bigint,
      reset_interval text,
      include_byok_in_budgets boolean not null,
      content_filters jsonb,
      content_filter_builtins jsonb,
      created_at timestamptz not null,
      updated_at timestamptz
    )`.execute(db);
  await sql`create index guardrails_of_workspace on guardrails (workspace_id, created_at, id)`.execute(db);
  await sql`create unique index default_guardrail_of_workspace on guardrails (workspace_id) where is_default`.execute(
    db,
  );
  await sql`create unique index workspaces_default_guardrail on workspaces (default_guardrail_id)`.execute(db);
  await sql`
    create table guardrail_keys (
      key_hash text primary key references api_keys (hash),
      id uuid not null unique,
      guardrail_id uuid not null references guardrails (id) on delete cascade,
      assigned_by text,
      created_at timestamptz not null
    )`.execute(db);
  await sql`create index keys_of_guardrail on guardrail_keys (guardrail_id, created_at, id)`.execute(db);
  await sql`
    create table guardrail_members (
      user_id text primary key,
      id uuid not null unique,
      guardrail_id uuid not null references guardrails (id) on delete cascade,
      assigned_by text,
      created_at timestamptz not null
    )`.execute(db);
  await sql`create index members_of_guardrail on guardrail_members (guardrail_id, created_at, id)`.execute(db);
}
