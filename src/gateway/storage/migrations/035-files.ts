import { type Kysely, sql } from "kysely";

/** Files of workspaces, how much each workspace keeps, and on PostgreSQL the files' bytes. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table files (
      id text primary key,
      workspace_id uuid not null references workspaces (id),
      created_at timestamptz not null,
      mime_type text not null,
      size_bytes bigint not null,
      sealed text not null
    )`.execute(db);
  await sql`create index files_of_workspace on files (workspace_id, id)`.execute(db);
  await sql`
    create table file_totals (
      workspace_id uuid primary key references workspaces (id),
      bytes bigint not null,
      files integer not null
    )`.execute(db);
  // A file's pieces come before its row, so they refer to nothing. They are ciphertext, which cannot be compressed.
  await sql`
    create table file_pieces (
      file_id text not null,
      n integer not null,
      created_at timestamptz not null,
      sealed bytea not null,
      primary key (file_id, n)
    )`.execute(db);
  await sql`alter table file_pieces alter column sealed set storage external`.execute(db);
}
