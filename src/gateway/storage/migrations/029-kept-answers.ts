import { type Kysely, sql } from "kysely";

/** Which key was given an answer that its provider keeps: asked whenever a call continues one. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`create index ledger_kept_answer on ledger (upstream_id) where api_type = 'responses'`.execute(db);
}
