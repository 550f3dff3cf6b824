import { type Kysely, sql } from "kysely";

/** Texts that are embedded on a schedule, by provider and model, what their vectors were, and the keys that pay. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table canaries (
      id uuid primary key,
      provider text not null,
      model text not null,
      workspace_id uuid not null,
      every_hours integer not null,
      created_at timestamptz not null,
      created_by text,
      baseline bytea,
      baseline_space text,
      baseline_at timestamptz,
      noise double precision,
      measure boolean not null,
      suspected boolean not null,
      drift_since timestamptz,
      drift_reason text,
      drift_distance double precision,
      drift_space text,
      failures integer not null,
      next_run_at timestamptz not null,
      claim uuid,
      claimed_until timestamptz,
      unique (provider, model)
    )`.execute(db);
  await sql`
    create table canary_runs (
      id uuid not null,
      canary_id uuid not null references canaries (id) on delete cascade,
      at timestamptz not null,
      outcome text not null,
      reason text,
      distance double precision,
      threshold double precision,
      space text,
      message text,
      generation_id text,
      primary key (canary_id, id)
    )`.execute(db);
  await sql`alter table api_keys drop constraint api_keys_purpose_check`.execute(db);
  await sql`alter table api_keys add constraint api_keys_purpose_check check (purpose in ('playground', 'canary'))`.execute(
    db,
  );
  await sql`create unique index api_keys_canary on api_keys (workspace_id)
    where purpose = 'canary' and deleted_at is null`.execute(db);
}
