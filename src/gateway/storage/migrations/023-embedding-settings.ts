import { type Kysely, sql } from "kysely";

/** How a model's inputs are embedded where callers do not say, and which weights it has. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    alter table provider_models
      add column input_type text,
      add column query_prefix text,
      add column document_prefix text,
      add column revision text`.execute(db);
}
