import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    alter table leases
      add column recalled boolean not null default false,
      add column absent_since timestamptz`.execute(db);
}
