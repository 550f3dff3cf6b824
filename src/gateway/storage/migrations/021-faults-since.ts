import { type Kysely, sql } from "kysely";

/**
 * Since when figures are kept that an older version does not count. While an upgrade goes from process to process, the
 * older ones add calls without them. A ledger without calls has no older processes.
 */
export async function up(db: Kysely<never>, now: Date): Promise<void> {
  await sql`create table figures_since (figure text primary key, since timestamptz not null)`.execute(db);
  await sql`
    insert into figures_since (figure, since)
    select 'provider_faults', ${now}::timestamptz where exists (select 1 from ledger)`.execute(db);
}
