import { type Kysely, sql } from "kysely";

/**
 * Videos are made by jobs that outlive the request, and the process. `reserved` is money set aside on each of
 * `spend_ids`, and part of what `spends.reserved` says.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table video_jobs (
      workspace_id uuid not null,
      created_at timestamptz not null,
      id text not null,
      key_hash text not null,
      spend_id uuid not null,
      model text not null,
      provider text not null,
      byok_id text,
      upstream_id text,
      status text not null,
      call jsonb not null,
      pricing jsonb,
      sealed text,
      api_url text not null,
      limited boolean not null,
      spend_ids uuid[] not null default '{}',
      reserved bigint not null default 0 check (reserved >= 0),
      result text,
      error text,
      cost bigint,
      poll_at timestamptz not null,
      polled_at timestamptz,
      failures integer not null default 0,
      expires_at timestamptz not null,
      ended_at timestamptz,
      claimed_until timestamptz,
      callback_url text,
      callback_at timestamptz,
      callback_tries integer not null default 0,
      primary key (workspace_id, created_at, id)
    )`.execute(db);
  await sql`create index video_jobs_open on video_jobs (poll_at) where ended_at is null`.execute(db);
  await sql`create index video_jobs_callbacks on video_jobs (callback_at) where callback_at is not null`.execute(db);
  await sql`create index video_jobs_ended on video_jobs (ended_at) where ended_at is not null`.execute(db);
}
