import { type Kysely, sql } from "kysely";

/** Calls and changes are found by the request that made them. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`create index ledger_request on ledger (request_id) where request_id is not null`.execute(db);
  await sql`create index audit_of_request on audit (request_id) where request_id is not null`.execute(db);
}
