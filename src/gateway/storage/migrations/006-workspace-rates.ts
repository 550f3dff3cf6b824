import { type Kysely, sql } from "kysely";

/** Rate limits of a whole workspace, beside those of its keys. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    alter table workspaces
      add column requests_per_minute integer check (requests_per_minute > 0),
      add column tokens_per_minute integer check (tokens_per_minute > 0)`.execute(db);
}
