import { type Kysely, sql } from "kysely";

/** Where a workspace is told of videos that have ended, and the secret that signs it. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table video_webhooks (
      workspace_id uuid primary key,
      url text,
      secret text,
      secret_label text,
      secret_created_at timestamptz,
      updated_at timestamptz not null
    )`.execute(db);
}
