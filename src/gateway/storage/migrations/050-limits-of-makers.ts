import { type Kysely, sql } from "kysely";

/** What a key's calls also count toward: the spending of the key that had it made. Calls from before count as they did. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table ledger add column maker_spend_id uuid`.execute(db);
}
