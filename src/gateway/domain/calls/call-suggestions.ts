import { sql } from "kysely";
import type { CallFilterSuggestion, suggestCallFilters, SuggestedFilter } from "#contract/call-list.ts";
import type { Output, Parsed } from "#contract/endpoint.ts";
import { dayMs } from "#contract/time.ts";
import type { Context } from "../context.ts";
import { searchFilter } from "../keys/search.ts";
import { refuseUnlessManagement } from "../permission.ts";
import { workspaceScope } from "../workspaces/scope.ts";
import { byWorkspace, type Condition, scanOf } from "./source.ts";

type Suggest = typeof suggestCallFilters;

const perField = 8;
const ofOneField = 20;
/** How many of the newest calls are looked through for what no sum has. */
const mostScanned = 5_000;
/** How many sums of hours are looked through, so that many keys and models do not make it slow. */
const mostHours = 20_000;
const summedDays = 30;

interface Wanted {
  readonly workspaces: readonly string[];
  readonly q: string;
  readonly field: SuggestedFilter | undefined;
  readonly limit: number;
}

/** The values that calls can be found by and that have a text in them. */
export async function suggest(ctx: Context, query: Parsed<Suggest>["query"]): Promise<Output<Suggest>> {
  refuseUnlessManagement(ctx);
  const { q = "", field } = query;
  const wanted: Wanted = {
    workspaces: await workspaceScope(ctx, query.workspace_id),
    q: q.trim(),
    field,
    limit: field === undefined ? perField : ofOneField,
  };
  const found = await Promise.all([ofKeys(ctx, wanted), ofSums(ctx, wanted), ofCalls(ctx, wanted)]);
  return { data: found.flat() };
}

const isWanted = ({ field }: Wanted, ...fields: readonly SuggestedFilter[]) =>
  field === undefined || fields.includes(field);

async function ofKeys(ctx: Context, wanted: Wanted): Promise<CallFilterSuggestion[]> {
  const { workspaces, q, limit } = wanted;
  const filter = q === "" ? sql`true` : searchFilter(q);
  if (!isWanted(wanted, "key") || filter === null) return [];
  const { rows } = await sql<{ hash: string; name: string; label: string; disabled: boolean; workspace_id: string }>`
    select hash, name, label, disabled, workspace_id from api_keys
    where deleted_at is null and workspace_id = any(${workspaces}::uuid[]) and ${filter}
    order by last_used_at desc nulls last, hash limit ${limit}`.execute(ctx.store.db);
  return rows.map(({ hash, name, label, disabled, workspace_id }) => ({
    field: "key",
    value: hash,
    label: name,
    detail: `${label.slice(-7)}${disabled ? ", disabled" : ""}`,
    workspace_id,
  }));
}

interface Found {
  field: SuggestedFilter;
  value: string;
  label: string;
}

/** Models and providers, which the sums by hour know. */
async function ofSums(ctx: Context, wanted: Wanted): Promise<CallFilterSuggestion[]> {
  if (!isWanted(wanted, "model", "provider")) return [];
  const since = new Date(ctx.now().getTime() - summedDays * dayMs);
  const { rows } = await sql<Found>`
    with sums as materialized (
      select u.model, u.provider, u.requests from unnest(${wanted.workspaces}::uuid[]) as w (id)
      cross join lateral (
        select u.model, u.provider, u.requests from usage_hourly u
        where u.workspace_id = w.id and u.hour >= ${since}
        order by u.hour desc limit ${scanOf(mostHours, wanted.workspaces.length)}
      ) as u
    )
    ${ranked(
      wanted,
      sql`select 'model' as field, model as value, model as label, sum(requests) as calls from sums group by model
        union all
        select 'provider', s.provider, coalesce(p.name, s.provider), sum(s.requests)
        from sums s left join providers p on p.slug = s.provider group by s.provider, p.name`,
    )}`.execute(ctx.store.db);
  return rows.map(plain);
}

/** What only single calls have. */
async function ofCalls(ctx: Context, wanted: Wanted): Promise<CallFilterSuggestion[]> {
  const fields = { session: "session_id", preset: "preset", user: "external_user", app: "app_title" } as const;
  if (!isWanted(wanted, "session", "preset", "user", "app")) return [];
  const source = byWorkspace(wanted.workspaces);
  const columns = sql`l.session_id, l.preset, l.external_user, l.app_title, l.created_at, l.id`;
  const scan = scanOf(mostScanned, wanted.workspaces.length);
  const each = Object.entries(fields).map(([field, column]) => {
    const value = sql.ref(column);
    return sql`select ${field}::text as field, ${value} as value, ${value} as label, count(*) as calls
      from newest group by ${value}`;
  });
  const { rows } = await sql<Found>`
    with newest as materialized (select l.* from ${source(sql`true`, columns, scan, 0)})
    ${ranked(wanted, sql.join(each, sql` union all `))}`.execute(ctx.store.db);
  return rows.map(plain);
}

const plain = (found: Found): CallFilterSuggestion => ({ ...found, detail: null, workspace_id: null });

/** Of each field the values that fit, those with the most calls first. */
function ranked({ q, field, limit }: Wanted, values: Condition): Condition {
  const text = q.toLowerCase();
  return sql`
    select field, value, label from (
      select v.*, row_number() over (partition by field order by calls desc, value) as place
      from (${values}) as v
      where value <> '' and (strpos(lower(value), ${text}) > 0 or strpos(lower(label), ${text}) > 0)
        and ${field === undefined ? sql`true` : sql`field = ${field}`}
    ) as v where place <= ${limit} order by field, place`;
}
