import { type Kysely, sql } from "kysely";

/** What a call is billed by besides tokens and requests, and how many of them: characters that were spoken. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table ledger add column unit text, add column units double precision`.execute(db);
}
