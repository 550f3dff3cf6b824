import { type Kysely, sql } from "kysely";

/**
 * Vectors that a workspace keeps beyond the process: each cache has a row that counts it, and its entries. A cache that
 * is turned off or emptied ends, and its entries are deleted afterwards, a few at a time.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    alter table workspaces
      add column embedding_cache_mb integer,
      add column embedding_cache_days integer default 30`.execute(db);
  await sql`
    create table embedding_caches (
      id uuid primary key,
      workspace_id uuid not null references workspaces (id),
      created_at timestamptz not null,
      ended_at timestamptz,
      bytes bigint not null default 0,
      entries bigint not null default 0
    )`.execute(db);
  await sql`create unique index embedding_caches_live on embedding_caches (workspace_id) where ended_at is null`.execute(
    db,
  );
  await sql`
    create table embedding_cache_entries (
      workspace_id uuid not null,
      cache_id uuid not null,
      key bytea not null,
      created_at timestamptz not null,
      used_at timestamptz not null,
      bytes integer not null,
      sealed bytea not null,
      primary key (workspace_id, cache_id, key)
    )`.execute(db);
  // What is encrypted cannot be compressed.
  await sql`alter table embedding_cache_entries alter column sealed set storage external`.execute(db);
  await sql`create index embedding_cache_used on embedding_cache_entries (workspace_id, cache_id, used_at)`.execute(db);
  await sql`create index embedding_cache_age on embedding_cache_entries (workspace_id, cache_id, created_at)`.execute(
    db,
  );
  await sql`
    alter table ledger
      add column stored_inputs integer not null default 0,
      add column stored_saved bigint not null default 0`.execute(db);
  await sql`
    alter table usage_hourly
      add column stored_inputs bigint not null default 0,
      add column stored_saved bigint not null default 0,
      add column stored_calls bigint not null default 0`.execute(db);
}
