import { type Kysely, sql } from "kysely";

/** What people said of calls: one row for each call and management key. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table generation_feedback (
      workspace_id uuid not null,
      created_at timestamptz not null,
      id text not null,
      key_hash text not null,
      at timestamptz not null,
      author text not null,
      category text not null,
      sealed text,
      primary key (workspace_id, created_at, id, key_hash)
    )`.execute(db);
}
