import { type Kysely, sql } from "kysely";

/** Of the failures of an hour, those that the provider is to blame for: not what callers asked wrongly, nor calls that they left. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table usage_hourly add column provider_faults bigint not null default 0`.execute(db);
  await sql`
    update usage_hourly u set provider_faults = f.count
    from (
      select workspace_id, date_trunc('hour', settled_at, 'UTC') as hour, key_hash, model, provider, count(*) as count
      from ledger
      where status >= 400 and status not in (400, 402, 413, 422, 499) and not cancelled
      group by 1, 2, 3, 4, 5
    ) f
    where u.workspace_id = f.workspace_id and u.hour = f.hour and u.key_hash = f.key_hash and u.model = f.model
      and u.provider = f.provider`.execute(db);
}
