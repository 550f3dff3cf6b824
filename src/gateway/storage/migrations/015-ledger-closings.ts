import { type Kysely, sql } from "kysely";

/**
 * What the ledger's deleted rows came to, for each counter: `verify` begins there. The account's row says up to which
 * instant rows were deleted.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table ledger_closings (
      id uuid primary key,
      pruned_before timestamptz not null,
      calls bigint not null default 0,
      total bigint not null default 0,
      byok_total bigint not null default 0,
      overrun_total bigint not null default 0,
      byok_overrun_total bigint not null default 0
    )`.execute(db);
}
