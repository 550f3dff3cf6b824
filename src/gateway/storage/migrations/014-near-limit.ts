import { type Kysely, sql } from "kysely";

/**
 * Which keys are near their limit, and who made them, as filters of the list and for what needs attention. The hint is
 * kept as that of the spent limit is: by one trigger where the counts are moved, whoever moves them.
 */
export async function up(db: Kysely<never>, now: Date): Promise<void> {
  await sql`alter table api_keys add column near_limit_until timestamptz`.execute(db);
  const spent = (
    prefix: string,
  ) => `case limit_reset when 'daily' then m.${prefix}day when 'weekly' then m.${prefix}week
    when 'monthly' then m.${prefix}month else m.${prefix}total end`;
  // Near is from four fifths on; without multiplying, which could pass the largest integer.
  const near = `o.spent >= o.limit_nano - o.limit_nano / 5`;
  const over = `o.spent >= o.limit_nano`;
  const counted = `join lateral (
      select hash, limit_nano,
        ${spent("")} + ${spent("overrun_")}
        + case when not include_byok_in_limit then 0 else ${spent("byok_")} + ${spent("byok_overrun_")} end as spent,
        case limit_reset
          when 'daily' then m.day_start + interval '24 hours'
          when 'weekly' then m.week_start + interval '168 hours'
          when 'monthly' then (m.month_start at time zone 'UTC' + interval '1 month') at time zone 'UTC'
          else timestamptz '9999-12-31 00:00:00Z'
        end as until
      from api_keys
      where spend_id = m.id and limit_nano is not null and deleted_at is null
    ) as o on true`;
  await sql
    .raw(
      `create or replace function mark_spent_out() returns trigger language plpgsql as $$
       begin
         update api_keys as k set near_limit_until = o.until,
           spent_out_until = case when ${over} then o.until else k.spent_out_until end
         from moved as m ${counted}
         where k.hash = o.hash and ${near}
           and (k.near_limit_until is distinct from o.until or (${over} and k.spent_out_until is distinct from o.until));
         return null;
       end $$`,
    )
    .execute(db);
  await sql`
    update api_keys as k set near_limit_until = o.until
    from spends as m ${sql.raw(counted)}
    where k.hash = o.hash and ${sql.raw(near)} and o.until > ${now}`.execute(db);

  const listed = sql`where kind = 'ordinary' and deleted_at is null`;
  await sql`create index api_keys_near_limit on api_keys (near_limit_until) ${listed} and near_limit_until is not null`.execute(
    db,
  );
  await sql`create index api_keys_by_creator on api_keys (creator_user_id, created_at, hash) ${listed}
    and creator_user_id is not null`.execute(db);
  await sql`create index api_keys_unused on api_keys (created_at, hash) ${listed} and last_used_at is null`.execute(db);
}
