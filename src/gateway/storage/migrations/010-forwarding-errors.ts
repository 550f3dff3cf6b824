import { type Kysely, sql } from "kysely";

/** What sinks refused with, by the hour: one row for each thing that they said. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table forwarding_errors (
      destination_id uuid not null,
      hour timestamptz not null,
      message text not null,
      count bigint not null,
      last_at timestamptz not null,
      primary key (destination_id, hour, message)
    ) with (fillfactor = 70)`.execute(db);
}
