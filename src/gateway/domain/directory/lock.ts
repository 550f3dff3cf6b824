import { sql, type Transaction } from "kysely";
import type { Tables } from "../../storage/tables.ts";

/**
 * Lets one change of the directory happen at a time, until the transaction ends: each compares all that groups give with
 * what members have.
 */
export async function lockDirectory(trx: Transaction<Tables>): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('directory', 0))`.execute(trx);
}
