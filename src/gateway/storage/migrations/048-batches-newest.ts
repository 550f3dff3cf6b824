import { type Kysely, sql } from "kysely";

/** For the list of all workspaces' batches. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`create index batches_newest on batches (created_at, id)`.execute(db);
}
