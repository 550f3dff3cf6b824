import { type Kysely, sql } from "kysely";

/**
 * What forwarding needs of the ledger, and its own tables. A row's position in the ledger is (xact, seq): the
 * transaction that wrote it, then the order within. Rows of transactions that are older than every running one are
 * complete, so reading those in this order never passes a row that commits late.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    alter table ledger
      add column seq bigint generated always as identity,
      add column xact xid8 not null default pg_current_xact_id()`.execute(db);
  await sql`create index ledger_order on ledger (workspace_id, xact, seq)`.execute(db);

  // Bodies that wait for destinations, by the group that they were committed in; gone once every destination has passed.
  await sql`
    create table forwarding_bodies (
      workspace_id uuid not null,
      xact xid8 not null default pg_current_xact_id(),
      n integer not null,
      created_at timestamptz not null,
      bytes integer not null,
      sealed text not null,
      primary key (workspace_id, xact, n)
    )`.execute(db);
  await sql`create index generation_contents_age on generation_contents (created_at)`.execute(db);

  // How far each destination is, who forwards for it, and how it goes.
  await sql`
    create table forwarding (
      destination_id uuid primary key references destinations (id),
      workspace_id uuid not null,
      cursor_xact xid8 not null,
      cursor_seq bigint not null,
      epoch integer not null default 0,
      owner uuid,
      owned_until timestamptz,
      attempt integer not null default 0,
      next_try_at timestamptz,
      failing_since timestamptz,
      last_success_at timestamptz,
      last_error jsonb
    ) with (fillfactor = 50)`.execute(db);
  await sql`
    insert into forwarding (destination_id, workspace_id, cursor_xact, cursor_seq)
    select id, workspace_id, pg_current_xact_id(), 0 from destinations where deleted_at is null`.execute(db);

  await sql`
    create table forwarding_minutes (
      destination_id uuid not null,
      minute timestamptz not null,
      delivered bigint not null default 0,
      failed bigint not null default 0,
      filtered bigint not null default 0,
      sampled_out bigint not null default 0,
      not_allowed bigint not null default 0,
      dead bigint not null default 0,
      primary key (destination_id, minute)
    ) with (fillfactor = 70)`.execute(db);

  // The settings that decided on what comes after a place in the ledger, until the next row's place.
  await sql`
    create table forwarding_settings (
      destination_id uuid not null,
      xact xid8 not null,
      seq bigint not null,
      settings jsonb not null,
      primary key (destination_id, xact, seq)
    )`.execute(db);

  await sql`
    create table dead_letters (
      destination_id uuid not null,
      id text not null,
      workspace_id uuid not null,
      created_at timestamptz not null,
      died_at timestamptz not null,
      attempts integer not null,
      answer jsonb not null,
      sealed text,
      replay boolean not null default false,
      primary key (destination_id, id)
    )`.execute(db);
}
