import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table api_keys add column external_user text`.execute(db);
}
