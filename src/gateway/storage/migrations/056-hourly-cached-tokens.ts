import { type Kysely, sql } from "kysely";

/** Of an hour's prompt tokens, those that vendors read from their caches. Calls that were deleted before count with none. */
export async function up(db: Kysely<never>, now: Date): Promise<void> {
  await sql`alter table usage_hourly add column cached_tokens bigint not null default 0`.execute(db);
  await sql`
    update usage_hourly u set cached_tokens = c.tokens
    from (
      select workspace_id, date_trunc('hour', settled_at, 'UTC') as hour, key_hash, model, provider,
        sum(cached_tokens) as tokens
      from ledger where cached_tokens > 0 group by 1, 2, 3, 4, 5
    ) c
    where u.workspace_id = c.workspace_id and u.hour = c.hour and u.key_hash = c.key_hash and u.model = c.model
      and u.provider = c.provider`.execute(db);
  // An older process on its way out adds hours without them, which verify allows for.
  await sql`
    insert into figures_since (figure, since)
    select 'cached_tokens', ${now}::timestamptz where exists (select 1 from ledger)`.execute(db);
}
