import { type Kysely, sql } from "kysely";

/** Calls that were refused before they were made: counted by key, reason and minute, since a row each would be a way to fill the disk. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table refused_calls (
      key_hash text not null,
      minute timestamptz not null,
      reason text not null,
      status smallint not null,
      workspace_id uuid not null,
      count bigint not null,
      first_at timestamptz not null,
      last_at timestamptz not null,
      last_request_id text not null,
      last_message text not null,
      last_needed bigint,
      last_remaining bigint,
      primary key (key_hash, minute, reason, status)
    ) with (fillfactor = 70)`.execute(db);
  await sql`create index refused_calls_of_workspace on refused_calls (workspace_id, minute)`.execute(db);
  await sql`create index refused_calls_by_age on refused_calls (minute)`.execute(db);
}
