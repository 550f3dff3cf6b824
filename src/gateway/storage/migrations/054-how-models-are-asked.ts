import { type Kysely, sql } from "kysely";

/** How a call's model was asked, which model its provider says has answered, and which operation of a form it was. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    alter table ledger add column parameters jsonb, add column response_model text, add column operation text`.execute(
    db,
  );
}
