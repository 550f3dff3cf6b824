import { type Kysely, sql } from "kysely";

/** Workspaces, keys, and what surrounds the management of them. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`create extension if not exists pg_trgm`.execute(db);
  await sql`create extension if not exists btree_gin`.execute(db);
  await createWorkspaces(db);
  await createKeys(db);
  await createManagement(db);
}

async function createWorkspaces(db: Kysely<never>): Promise<void> {
  await sql`
      create table workspaces (
        id uuid primary key,
        slug text not null,
        name text not null,
        description text,
        created_at timestamptz not null,
        created_by text,
        updated_at timestamptz,
        deleted_at timestamptz,
        is_default boolean not null default false,
        default_guardrail_id uuid not null,
        default_image_model text,
        default_provider_sort text,
        default_text_model text,
        include_byok_in_budgets boolean not null default false,
        io_logging_api_key_ids integer[],
        io_logging_sampling_rate double precision not null default 1,
        is_data_discount_logging_enabled boolean not null default false,
        is_observability_broadcast_enabled boolean not null default false,
        is_observability_io_logging_enabled boolean not null default false
      )`.execute(db);
  await sql`create unique index workspaces_slug on workspaces (slug) where deleted_at is null`.execute(db);
  await sql`create unique index workspaces_default on workspaces (is_default) where is_default`.execute(db);
}

async function createKeys(db: Kysely<never>): Promise<void> {
  await sql`
      create table api_keys (
        hash text primary key,
        kind text not null check (kind in ('ordinary', 'management')),
        purpose text check (purpose in ('playground')),
        name text not null,
        label text not null,
        workspace_id uuid references workspaces (id),
        creator_user_id text,
        created_by text,
        created_at timestamptz not null,
        updated_at timestamptz,
        disabled boolean not null default false,
        deleted_at timestamptz,
        expires_at timestamptz,
        last_used_at timestamptz,
        limit_nano bigint check (limit_nano >= 0),
        limit_reset text check (limit_reset in ('daily', 'weekly', 'monthly')),
        include_byok_in_limit boolean not null default false,
        requests_per_minute integer check (requests_per_minute > 0),
        tokens_per_minute integer check (tokens_per_minute > 0),
        spend_id uuid not null,
        replaces text,
        replaced_by text,
        search_text text not null,
        spent_out_until timestamptz,
        check ((kind = 'management') = (workspace_id is null))
      )`.execute(db);
  await sql`create index api_keys_spend on api_keys (spend_id)`.execute(db);

  // One index for each order that the list can be read in; all of them hold only what a list can show.
  const listed = sql`where kind = 'ordinary' and purpose is null and deleted_at is null`;
  await sql`create index api_keys_newest on api_keys (created_at, hash) ${listed}`.execute(db);
  await sql`create index api_keys_of_workspace on api_keys (workspace_id, created_at, hash) ${listed}`.execute(db);
  await sql`create index api_keys_by_name on api_keys (lower(name) collate "C", hash collate "C") ${listed}`.execute(
    db,
  );
  await sql`create index api_keys_by_expiry on api_keys ((coalesce(expires_at, 'infinity')), hash) ${listed}`.execute(
    db,
  );
  await sql`create index api_keys_by_use on api_keys ((coalesce(last_used_at, '-infinity')), hash) ${listed}`.execute(
    db,
  );
  await sql`create index api_keys_disabled on api_keys (created_at, hash) ${listed} and disabled`.execute(db);
  await sql`create index api_keys_expiring on api_keys (expires_at) ${listed} and expires_at is not null`.execute(db);
  await sql`create index api_keys_spent_out on api_keys (spent_out_until) ${listed} and spent_out_until is not null`.execute(
    db,
  );
  await sql`create index api_keys_search on api_keys using gin (workspace_id, search_text gin_trgm_ops) ${listed}`.execute(
    db,
  );
}

async function createManagement(db: Kysely<never>): Promise<void> {
  await sql`
      create table audit (
        id uuid primary key,
        at timestamptz not null,
        actor text not null,
        action text not null,
        target_type text not null,
        target_id text not null,
        target_name text,
        workspace_id uuid,
        before jsonb,
        after jsonb,
        source_ip text,
        request_id text
      )`.execute(db);
  await sql`create index audit_newest on audit (at, id)`.execute(db);
  await sql`create index audit_of_target on audit (target_id, at, id)`.execute(db);
  await sql`create index audit_of_workspace on audit (workspace_id, at, id)`.execute(db);

  await sql`
      create table sessions (
        token_hash text primary key,
        key_hash text not null references api_keys (hash),
        created_at timestamptz not null,
        expires_at timestamptz not null
      )`.execute(db);
  await sql`create index sessions_expiry on sessions (expires_at)`.execute(db);
  await sql`
      create table sign_in_tokens (
        token_hash text primary key,
        key_hash text not null references api_keys (hash),
        expires_at timestamptz not null
      )`.execute(db);
  await sql`
      create table idempotency (
        caller text not null,
        key text not null,
        request_hash text not null,
        target_id text not null,
        created_at timestamptz not null,
        primary key (caller, key)
      )`.execute(db);
  await sql`create index idempotency_age on idempotency (created_at)`.execute(db);
  await sql`create table instance (name text primary key, value text not null)`.execute(db);
}
