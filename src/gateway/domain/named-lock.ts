import { sql, type Transaction } from "kysely";
import type { Tables } from "../storage/tables.ts";

/** Waits for the store's lock of this name, in whichever process it is held, and holds it until the transaction ends. */
export async function lockNamed(trx: Transaction<Tables>, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(trx);
}
