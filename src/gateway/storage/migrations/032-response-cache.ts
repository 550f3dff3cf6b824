import { type Kysely, sql } from "kysely";

/**
 * Whole answers that callers asked to be kept for equal calls, each for at most a day, and on the ledger the call whose
 * answer another one was given.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table cached_answers (
      workspace_id uuid not null references workspaces (id),
      key bytea not null,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      bytes integer not null,
      sealed bytea not null,
      primary key (workspace_id, key)
    )`.execute(db);
  // What is encrypted cannot be compressed.
  await sql`alter table cached_answers alter column sealed set storage external`.execute(db);
  await sql`create index cached_answers_expiry on cached_answers (expires_at)`.execute(db);
  await sql`alter table ledger add column response_cache_source_id text`.execute(db);
}
