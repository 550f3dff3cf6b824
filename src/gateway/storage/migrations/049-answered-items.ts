import { type Kysely, sql } from "kysely";

/** Items of answers in the form of responses, for callers that send them back by their ids; each for a week at most. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table answered_items (
      spend_id uuid not null,
      key bytea not null,
      created_at timestamptz not null,
      bytes integer not null,
      sealed bytea not null,
      primary key (spend_id, key)
    )`.execute(db);
  // What is encrypted cannot be compressed.
  await sql`alter table answered_items alter column sealed set storage external`.execute(db);
  await sql`create index answered_items_age on answered_items (created_at)`.execute(db);
}
