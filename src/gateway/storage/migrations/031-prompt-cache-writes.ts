import { type Kysely, sql } from "kysely";

/** Of a prompt's tokens, those that the vendor wrote to its cache, as it has those that it read from there. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table ledger add column cache_write_tokens integer not null default 0`.execute(db);
}
