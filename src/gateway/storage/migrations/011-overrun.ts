import { type Kysely, sql } from "kysely";

const periods = ["total", "day", "week", "month"] as const;
const kinds = [
  { prefix: "overrun_", counted: "not l.byok" },
  { prefix: "byok_overrun_", counted: "l.byok" },
] as const;

/**
 * What vendors counted beyond what was charged counts toward limits as well: it gets counters of its own, filled from
 * the ledger, and the hint for the status filter knows them. `lease_gone` ends a commit whose lease was taken from it.
 */
export async function up(db: Kysely<never>): Promise<void> {
  const columns = kinds.flatMap(({ prefix }) => periods.map((period) => `${prefix}${period}`));
  await sql
    .raw(`alter table spends ${columns.map((column) => `add column ${column} bigint not null default 0`).join(", ")}`)
    .execute(db);
  const sums = kinds.flatMap(({ prefix, counted }) =>
    periods.map((period) => {
      const within = period === "total" ? "" : ` and date_trunc('${period}', l.settled_at, 'UTC') = s.${period}_start`;
      return `coalesce(sum(l.overrun) filter (where ${counted}${within}), 0)::bigint as ${prefix}${period}`;
    }),
  );
  await sql
    .raw(
      `update spends as kept set ${columns.map((column) => `${column} = added.${column}`).join(", ")}
       from (
         select s.id, ${sums.join(", ")}
         from ledger l
         cross join lateral (values (l.spend_id), (l.workspace_id), ('00000000-0000-0000-0000-000000000000'::uuid)) as counted (id)
         join spends s on s.id = counted.id
         where l.overrun > 0
         group by s.id
       ) as added
       where kept.id = added.id`,
    )
    .execute(db);
  const spent = (prefix: string) =>
    `case limit_reset when 'daily' then m.${prefix}day when 'weekly' then m.${prefix}week
       when 'monthly' then m.${prefix}month else m.${prefix}total end`;
  await sql
    .raw(
      `create or replace function mark_spent_out() returns trigger language plpgsql as $$
       begin
         update api_keys as k set spent_out_until = o.until
         from moved as m
         join lateral (
           select hash,
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
         ) as o on true
         where k.hash = o.hash and o.spent >= k.limit_nano and k.spent_out_until is distinct from o.until;
         return null;
       end $$`,
    )
    .execute(db);
  await sql`
    create function lease_gone() returns bigint language plpgsql as $$
    begin
      raise exception 'a lease that calls were to be charged from is gone' using errcode = 'GH001';
    end $$`.execute(db);
}
