import { type Kysely, sql } from "kysely";

/** Federation policies, whom they gave access tokens, and the keys that those are signed with. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table federation_policies (
      id uuid primary key,
      name text not null,
      api_key_hash text not null,
      issuer text not null,
      jwks_url text,
      jwks jsonb,
      audience text not null,
      subject text not null,
      claims jsonb not null,
      token_lifetime integer not null,
      /** counts the changes that end the tokens given before */
      generation integer not null,
      created_at timestamptz not null,
      created_by text,
      updated_at timestamptz
    )`.execute(db);
  await sql`create index federation_policies_in_order on federation_policies (created_at, id)`.execute(db);
  await sql`create index federation_policies_of_key on federation_policies (api_key_hash)`.execute(db);
  await sql`
    create table federation_subjects (
      policy_id uuid not null references federation_policies (id) on delete cascade,
      subject text not null,
      first_at timestamptz not null,
      last_at timestamptz not null,
      count bigint not null,
      primary key (policy_id, subject)
    )`.execute(db);
  await sql`create index federation_subjects_in_order on federation_subjects (policy_id, last_at)`.execute(db);
  await sql`
    create table signing_keys (
      kid text primary key,
      public_key jsonb not null,
      /** the private key, encrypted */
      sealed text not null,
      created_at timestamptz not null
    )`.execute(db);
}
