import { type Kysely, sql } from "kysely";

/** Batches of model calls, their requests with the answers, which are ciphertext, and which batch a call is of. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table batches (
      workspace_id uuid not null,
      created_at timestamptz not null,
      id text not null,
      form text not null,
      key_hash text not null,
      spend_id uuid not null,
      endpoint text not null,
      model text,
      status text not null,
      sealed text not null,
      bytes bigint not null default 0,
      total integer not null default 0,
      completed integer not null default 0,
      failed integer not null default 0,
      cancelled integer not null default 0,
      expired integer not null default 0,
      prompt_tokens bigint not null default 0,
      completion_tokens bigint not null default 0,
      error text,
      served_at timestamptz,
      expires_at timestamptz not null,
      cancelled_at timestamptz,
      ended_at timestamptz,
      primary key (workspace_id, created_at, id)
    )`.execute(db);
  await sql`create index batches_open on batches (spend_id, created_at) where ended_at is null`.execute(db);
  await sql`create index batches_ended on batches (ended_at) where ended_at is not null`.execute(db);
  await sql`
    create table batch_requests (
      workspace_id uuid not null,
      created_at timestamptz not null,
      batch_id text not null,
      n integer not null,
      state text not null,
      request bytea,
      result bytea,
      request_id text,
      tries integer not null default 0,
      due_at timestamptz not null,
      claimed_until timestamptz,
      primary key (workspace_id, created_at, batch_id, n)
    )`.execute(db);
  await sql`create index batch_requests_queued on batch_requests (workspace_id, created_at, batch_id, due_at, n) where state = 'queued'`.execute(
    db,
  );
  await sql`create index batch_requests_running on batch_requests (claimed_until) where state = 'running'`.execute(db);
  await sql`alter table ledger add column batch_id text`.execute(db);
  // Ciphertext cannot be compressed.
  await sql`alter table batch_requests alter column request set storage external`.execute(db);
  await sql`alter table batch_requests alter column result set storage external`.execute(db);
}
