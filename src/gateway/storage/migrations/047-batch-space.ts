import { type Kysely, sql } from "kysely";

/** What the batches of each workspace take, counted as they grow and go, and indexes for their lists and their purge. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table batch_space (
      workspace_id uuid primary key,
      bytes bigint not null
    )`.execute(db);
  await sql`
    insert into batch_space (workspace_id, bytes)
    select workspace_id, sum(bytes) from batches group by workspace_id`.execute(db);
  await sql`create index batches_of_key on batches (workspace_id, spend_id, form, created_at, id)`.execute(db);
  await sql`create index batches_deleted on batches (workspace_id, created_at, id) where status = 'deleted'`.execute(
    db,
  );
}
