import { type Kysely, sql } from "kysely";

/** What the content filters of guardrails found in a call's request. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table ledger add column content_filters jsonb`.execute(db);
}
