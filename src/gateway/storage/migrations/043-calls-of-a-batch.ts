import { type Kysely, sql } from "kysely";

/** The calls of a batch, in the order of the list of calls. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`create index ledger_batch on ledger (batch_id, created_at, id) where batch_id is not null`.execute(db);
}
