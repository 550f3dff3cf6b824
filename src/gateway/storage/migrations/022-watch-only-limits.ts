import { type Kysely, sql } from "kysely";

/** A key's limit that is counted and shown, and refuses no call. Processes of an older version still enforce it. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table api_keys add column limit_watch_only boolean not null default false`.execute(db);
}
