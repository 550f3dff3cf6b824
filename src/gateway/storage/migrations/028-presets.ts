import { type Kysely, sql } from "kysely";

/** Presets of request settings with their versions, and which of them a call was made with. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table presets (
      id uuid primary key,
      workspace_id uuid not null references workspaces (id),
      slug text not null,
      name text not null,
      description text,
      status text not null check (status in ('active', 'disabled', 'archived')),
      status_updated_at timestamptz,
      designated_version integer not null,
      last_version integer not null,
      created_by text not null,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      unique (workspace_id, slug)
    )`.execute(db);
  await sql`create index presets_changed on presets (workspace_id, updated_at desc, id)`.execute(db);
  await sql`
    create table preset_versions (
      preset_id uuid not null references presets (id) on delete cascade,
      version integer not null,
      id uuid not null,
      config jsonb not null,
      system_prompt text,
      created_by text not null,
      created_at timestamptz not null,
      primary key (preset_id, version)
    )`.execute(db);
  // Calls outlive the preset that they were made with, so these refer to nothing.
  await sql`
    alter table ledger
      add column preset_id uuid,
      add column preset text,
      add column preset_version integer`.execute(db);
}
