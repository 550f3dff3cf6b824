import { type Kysely, sql } from "kysely";

/** What the list of keys needs of the spending counts: an order by usage, and which keys have spent their limit. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`create index spends_by_usage on spends (total, id)`.execute(db);
  // A hint for the status filter alone. It is kept where the counts are moved, whoever moves them, because no index
  // can answer "whose limit is below its spending" when both change and a new period changes the answer by itself.
  await sql`
    create function mark_spent_out() returns trigger language plpgsql as $$
    begin
      update api_keys as k set spent_out_until = o.until
      from moved as m
      join lateral (
        select hash,
          case limit_reset when 'daily' then m.day when 'weekly' then m.week when 'monthly' then m.month else m.total end
          + case when not include_byok_in_limit then 0
              else case limit_reset when 'daily' then m.byok_day when 'weekly' then m.byok_week
                when 'monthly' then m.byok_month else m.byok_total end
            end as spent,
          case limit_reset
            when 'daily' then m.day_start + interval '24 hours'
            when 'weekly' then m.week_start + interval '168 hours'
            when 'monthly' then (m.month_start at time zone 'UTC' + interval '1 month') at time zone 'UTC'
            else timestamptz '9999-12-31 00:00:00Z'
          end as until
        from api_keys
        where spend_id = m.id and limit_nano is not null and deleted_at is null
      ) as o on true
      where k.hash = o.hash and o.spent >= k.limit_nano and k.spent_out_until is distinct from o.until;
      return null;
    end $$`.execute(db);
  await sql`
    create trigger spends_moved after update on spends referencing new table as moved
    for each statement execute function mark_spent_out()`.execute(db);
}
