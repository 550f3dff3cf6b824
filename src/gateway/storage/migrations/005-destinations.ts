import { type Kysely, sql } from "kysely";

/** Where request data is forwarded. A deleted destination keeps its row: what it was sent refers to it. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table destinations (
      id uuid primary key,
      workspace_id uuid not null references workspaces (id),
      type text not null,
      name text not null,
      enabled boolean not null,
      config text,
      api_key_hashes text[],
      filter_rules jsonb,
      privacy_mode boolean not null,
      sampling_rate double precision not null check (sampling_rate >= 0.0001 and sampling_rate <= 1),
      broadcast_cost boolean not null,
      broadcast_identity boolean not null,
      broadcast_request_context boolean not null,
      regions text[] not null,
      version integer not null default 1,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      deleted_at timestamptz
    )`.execute(db);
  await sql`create index destinations_workspace on destinations (workspace_id, type) where deleted_at is null`.execute(
    db,
  );
}
