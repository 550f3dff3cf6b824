import { type Kysely, sql } from "kysely";

/** A provider's last hours, and its very last call: both columns never change, so that counting on stays a change in place. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`create index usage_hourly_provider on usage_hourly (provider, hour)`.execute(db);
}
