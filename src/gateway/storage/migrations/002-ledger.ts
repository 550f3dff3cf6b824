import { type Kysely, sql } from "kysely";

/**
 * Money: counters, leases, the append-only ledger and its rollup. Whatever grows with traffic has the workspace and a
 * time in its key, so that it can be distributed by workspace and partitioned by time.
 */
export async function up(db: Kysely<never>): Promise<void> {
  // fillfactor: counters are updated in place, over and over.
  await sql`
    create table spends (
      id uuid primary key,
      total bigint not null default 0,
      day bigint not null default 0,
      week bigint not null default 0,
      month bigint not null default 0,
      byok_total bigint not null default 0,
      byok_day bigint not null default 0,
      byok_week bigint not null default 0,
      byok_month bigint not null default 0,
      day_start timestamptz not null,
      week_start timestamptz not null,
      month_start timestamptz not null,
      reserved bigint not null default 0 check (reserved >= 0)
    ) with (fillfactor = 50)`.execute(db);
  await sql`
    create table leases (
      spend_id uuid not null,
      process_id uuid not null,
      amount bigint not null check (amount >= 0),
      expires_at timestamptz not null,
      primary key (spend_id, process_id)
    ) with (fillfactor = 50)`.execute(db);
  await sql`create index leases_expiry on leases (expires_at)`.execute(db);
  await sql`
    create table ledger (
      id text not null,
      workspace_id uuid not null,
      created_at timestamptz not null,
      settled_at timestamptz not null,
      key_hash text not null,
      spend_id uuid not null,
      api_type text not null,
      model text not null,
      provider text not null,
      status smallint not null,
      error_type text,
      prompt_tokens integer not null,
      completion_tokens integer not null,
      reasoning_tokens integer not null,
      cached_tokens integer not null,
      metered_by text not null,
      priced boolean not null,
      byok boolean not null,
      cost bigint not null,
      byok_cost bigint not null,
      overrun bigint not null,
      saved bigint not null,
      inputs integer not null,
      cached_inputs integer not null,
      latency_ms integer,
      duration_ms integer not null,
      streamed boolean not null,
      cancelled boolean not null,
      finish_reason text,
      native_finish_reason text,
      upstream_id text,
      attempts jsonb not null,
      http_referer text,
      app_title text,
      user_agent text,
      external_user text,
      session_id text,
      trace jsonb,
      request_id text,
      primary key (workspace_id, created_at, id)
    )`.execute(db);
  await sql`create index ledger_key on ledger (key_hash, created_at)`.execute(db);
  await sql`
    create table usage_hourly (
      workspace_id uuid not null,
      hour timestamptz not null,
      key_hash text not null,
      model text not null,
      provider text not null,
      usage bigint not null,
      byok_usage bigint not null,
      saved bigint not null,
      requests bigint not null,
      failures bigint not null,
      prompt_tokens bigint not null,
      completion_tokens bigint not null,
      reasoning_tokens bigint not null,
      primary key (workspace_id, hour, key_hash, model, provider)
    ) with (fillfactor = 70)`.execute(db);
  await sql`create index usage_hourly_key on usage_hourly (key_hash, hour)`.execute(db);
  await sql`
    create table generation_contents (
      id text not null,
      workspace_id uuid not null,
      created_at timestamptz not null,
      sealed text not null,
      primary key (workspace_id, created_at, id)
    )`.execute(db);
  await sql`
    create table workspace_budgets (
      id uuid not null unique,
      workspace_id uuid not null references workspaces (id),
      interval text not null,
      limit_nano bigint not null check (limit_nano > 0),
      created_at timestamptz not null,
      updated_at timestamptz not null,
      primary key (workspace_id, interval)
    )`.execute(db);
  await sql`
    create table credits (
      id uuid primary key,
      at timestamptz not null,
      amount bigint not null,
      note text
    )`.execute(db);
}
