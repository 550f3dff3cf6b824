import { type Kysely, sql } from "kysely";

/** Codes that apps exchange for keys, and what is known of a key that was made that way. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table auth_codes (
      code_hash text primary key,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      made_by text not null,
      app text not null,
      challenge_hash text,
      challenge_method text,
      workspace_id uuid not null,
      name text not null,
      limit_nano bigint,
      limit_reset text,
      key_expires_at timestamptz
    )`.execute(db);
  await sql`create index auth_codes_expiring on auth_codes (expires_at)`.execute(db);
  await sql`
    alter table api_keys
      add column oauth_app text,
      add column made_by text,
      add column rate_scope uuid`.execute(db);
  await sql`create index api_keys_made_by on api_keys (made_by) where made_by is not null`.execute(db);
}
