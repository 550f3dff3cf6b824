import { createHash } from "node:crypto";
import { sql } from "kysely";
import {
  firstDay,
  type getAppRankings,
  type getBenchmarks,
  type getRankingsDaily,
  type getSessionCost,
  type getTaskClassifications,
  mostDays,
  type TurnRange,
} from "#contract/datasets.ts";
import type { Output, Parsed } from "#contract/endpoint.ts";
import { toUsd } from "#contract/money.ts";
import { dayMs, startOfUtcDay, startOfUtcMonth, startOfUtcWeek } from "#contract/time.ts";
import type { Context } from "../context.ts";
import { invalid } from "../refusal.ts";
import { workspaceScope } from "../workspaces/scope.ts";
import { promptSize } from "./analytics-fields.ts";
import { byWorkspace, endOfScan, scanOf } from "./source.ts";

const defaultDays = 30;
const sessionDays = 7;
const mostModels = 50;
/** The most calls that are read one by one, so that a dataset never takes long. */
const mostRead = 50_000;

const dayOf = (at: Date) => at.toISOString().slice(0, 10);
const startOf = (day: string) => new Date(`${day}T00:00:00.000Z`);

interface Days {
  /** of the first day, and of the day after the last one */
  readonly since: Date;
  readonly until: Date;
  readonly start_date: string;
  readonly end_date: string;
}

function daysOf(
  { start_date: start, end_date: end }: { start_date?: string | undefined; end_date?: string | undefined },
  now: Date,
): Days {
  const yesterday = dayOf(new Date(startOfUtcDay(now).getTime() - dayMs));
  const last = end ?? yesterday;
  if (last < firstDay) throw invalid("end_date", `must be ${firstDay} or later`);
  const asked = start ?? dayOf(new Date(startOf(last).getTime() - (defaultDays - 1) * dayMs));
  const first = asked < firstDay ? firstDay : asked;
  if (first > last) throw invalid("end_date", "must not be before start_date");
  const [since, until] = [startOf(first), new Date(startOf(last).getTime() + dayMs)];
  if (until.getTime() - since.getTime() > mostDays * dayMs)
    throw invalid("start_date", `must be at most ${mostDays} days before end_date`);
  return { since, until, start_date: first, end_date: last };
}

/** The workspaces whose calls the caller may see, once more within its rate. */
async function begin(ctx: Context): Promise<string[]> {
  if (ctx.actor.kind === "system") return await workspaceScope(ctx, undefined);
  ctx.datasetRates.count(ctx.actor.keyHash, ctx.now());
  return await workspaceScope(ctx, ctx.actor.kind === "ordinary" ? ctx.actor.workspaceId : undefined);
}

const versioned = (ctx: Context, note?: string | null) => ({
  as_of: ctx.now().toISOString(),
  version: "v1" as const,
  ...(note != null && { note }),
});

const unlabeled = (what: string) => `This gateway does not label calls by ${what}`;

const startOfPeriod = { day: startOfUtcDay, week: startOfUtcWeek, month: startOfUtcMonth };

/** Tokens by model and period, the first 50 of each and the rest together. */
export async function rankingsDaily(
  ctx: Context,
  query: Parsed<typeof getRankingsDaily>["query"],
): Promise<Output<typeof getRankingsDaily>> {
  const { category, language_type: language, modality, context_bucket: bucket } = query;
  const sampled = category ?? language;
  if (category !== undefined && language !== undefined) throw invalid("language_type", "cannot go with category");
  if (sampled !== undefined && (modality ?? bucket) !== undefined)
    throw invalid("", "`category` and `language_type` cannot go with `modality` and `context_bucket`");
  if (sampled !== undefined && query.period === "day")
    throw invalid("period", "must be week or month with `category` or `language_type`");
  const period = query.period ?? (sampled === undefined ? "day" : "week");
  const days = daysOf(query, ctx.now());
  const workspaces = await begin(ctx);
  const { start_date, end_date } = days;
  const what = Object.entries({ modality, category, language: language }).find(([, value]) => value !== undefined)?.[0];
  if (what !== undefined) {
    return { data: [], meta: { ...versioned(ctx, unlabeled(what)), start_date, end_date } };
  }
  const { rows, note } = await tokensByModel(ctx, workspaces, { days, period, bucket });
  const data = rows.map((row) => ({
    date: dayOf(row.date),
    model_permaslug: row.model ?? "other",
    total_tokens: String(row.tokens),
  }));
  // A period that began before the range holds the range's days alone.
  const first = dayOf(startOfPeriod[period](days.since));
  return {
    data: data.map((item) => (item.date === first ? { ...item, date: start_date } : item)),
    meta: { ...versioned(ctx, note), start_date, end_date },
  };
}

interface TokensRow {
  date: Date;
  model: string | null;
  tokens: bigint;
}

async function tokensByModel(
  ctx: Context,
  workspaces: readonly string[],
  { days, period, bucket }: { days: Days; period: "day" | "week" | "month"; bucket: string | undefined },
): Promise<{ rows: TokensRow[]; note: string | null }> {
  const { since, until } = days;
  const read = bucket === undefined ? { since, note: null } : await readable(ctx, workspaces, since, until);
  const source =
    bucket === undefined
      ? sql`select date_trunc(${period}::text, u.hour, 'UTC') as date, u.model,
          sum(u.prompt_tokens + u.completion_tokens) as tokens
        from unnest(${workspaces}::uuid[]) as w (id)
        join usage_hourly u on u.workspace_id = w.id and u.hour >= ${since} and u.hour < ${until} group by 1, 2`
      : sql`select date_trunc(${period}::text, l.created_at, 'UTC') as date, l.model,
          sum(l.prompt_tokens::int8 + l.completion_tokens) as tokens
        from unnest(${workspaces}::uuid[]) as w (id)
        join ledger l on l.workspace_id = w.id and l.created_at >= ${read.since} and l.created_at < ${until}
        where ${promptSize} = ${bucket} group by 1, 2`;
  const { rows } = await sql<TokensRow>`
    with summed as (${source}), ranked as (
      select *, row_number() over (partition by date order by tokens desc, model) as rank from summed where tokens > 0
    )
    select date, case when rank <= ${mostModels} then model end as model, sum(tokens)::int8 as tokens
    from ranked group by date, 2 order by date, (case when min(rank) <= ${mostModels} then 0 else 1 end), tokens desc, 2`.execute(
    ctx.store.db,
  );
  return { rows, note: read.note };
}

/** From when on the calls of a range are read one by one, and what is left out. */
async function readable(
  ctx: Context,
  workspaces: readonly string[],
  since: Date,
  until: Date,
): Promise<{ since: Date; note: string | null }> {
  const scan = scanOf(mostRead, workspaces.length);
  const stop = await endOfScan(ctx, byWorkspace(workspaces), { before: { at: until, id: "" }, since, scan });
  if (stop === null) return { since, note: null };
  return { since: stop, note: `Only calls since ${stop.toISOString()} are counted: there are more in this range` };
}

const defaultApps = 50;
/** Periods before the window, over which `trending` takes the mean. */
const periodsBefore = 3;

/** A number for a name: the public API has numbers, and this gateway keeps no list of apps. */
export const appId = (name: string) => createHash("sha256").update(name).digest().readUInt32BE() >>> 1;

/** Apps by tokens, or by what they gained. */
export async function appRankings(
  ctx: Context,
  query: Parsed<typeof getAppRankings>["query"],
): Promise<Output<typeof getAppRankings>> {
  const days = daysOf(query, ctx.now());
  const { start_date, end_date } = days;
  const workspaces = await begin(ctx);
  const labels = query.subcategory ?? query.category;
  if (labels !== undefined) {
    return { data: [], meta: { ...versioned(ctx, unlabeled("their app's category")), start_date, end_date } };
  }
  const trending = query.sort === "trending";
  const length = days.until.getTime() - days.since.getTime();
  const wanted = trending ? new Date(days.since.getTime() - periodsBefore * length) : days.since;
  const read = await readable(ctx, workspaces, wanted, days.until);
  const now = sql`l.created_at >= ${days.since}`;
  const tokens = sql`(l.prompt_tokens::int8 + l.completion_tokens)`;
  const { rows } = await sql<{ app: string; requests: bigint; tokens: string; rank: bigint }>`
    with summed as (
      select l.app_title as app, count(*) filter (where ${now}) as requests,
        coalesce(sum(${tokens}) filter (where ${now}), 0)
          - ${trending ? sql`coalesce(sum(${tokens}) filter (where not ${now}), 0) / ${periodsBefore}` : sql`0`} as tokens
      from unnest(${workspaces}::uuid[]) as w (id)
      join ledger l on l.workspace_id = w.id and l.created_at >= ${read.since} and l.created_at < ${days.until}
      where l.app_title is not null group by 1
    )
    select app, requests, round(tokens)::text as tokens, row_number() over (order by tokens desc, app) as rank
    from summed where ${trending ? sql`tokens > 0` : sql`requests > 0`}
    order by rank limit ${query.limit ?? defaultApps} offset ${query.offset ?? 0}`.execute(ctx.store.db);
  return {
    data: rows.map(({ app, requests, tokens: total, rank }) => ({
      app_id: appId(app),
      app_name: app,
      rank: Number(rank),
      total_requests: Number(requests),
      total_tokens: total,
    })),
    meta: { ...versioned(ctx, read.note), start_date, end_date },
  };
}

const defaultSessions = 100;
const appSlug = sql`trim(both '-' from regexp_replace(lower(coalesce(app, '')), '[^a-z0-9]+', '-', 'g'))`;
const turnRange = sql`case when calls = 1 then '1-turn' when calls < 10 then '2-9-turns'
  when calls < 50 then '10-49-turns' else '50-plus-turns' end`;

/** What a session costs, by app, model and how many calls it has. */
export async function sessionCost(
  ctx: Context,
  query: Parsed<typeof getSessionCost>["query"],
): Promise<Output<typeof getSessionCost>> {
  const workspaces = await begin(ctx);
  const until = startOfUtcDay(ctx.now());
  const read = await readable(ctx, workspaces, new Date(until.getTime() - sessionDays * dayMs), until);
  const { app_slug: slug, model, turn_range: turns, offset = 0, limit = defaultSessions } = query;
  const wanted = [
    ...(slug === undefined ? [] : [sql`${appSlug} = ${slug}`]),
    ...(model === undefined ? [] : [sql`model = ${model}`]),
    ...(turns === undefined ? [] : [sql`${turnRange} = ${turns}`]),
  ];
  const { rows } = await sql<{ slug: string; app: string | null; model: string; turns: TurnRange; cost: number }>`
    with sessions as (
      select l.workspace_id, l.session_id, mode() within group (order by l.app_title) as app,
        mode() within group (order by l.model) as model, count(*) as calls, sum(l.cost + l.byok_cost) as cost
      from unnest(${workspaces}::uuid[]) as w (id)
      join ledger l on l.workspace_id = w.id and l.created_at >= ${read.since} and l.created_at < ${until}
      where l.session_id is not null group by 1, 2
    )
    select ${appSlug} as slug, app, model, ${turnRange} as turns,
      percentile_cont(0.5) within group (order by cost::float8) as cost
    from sessions ${wanted.length === 0 ? sql`` : sql`where ${sql.join(wanted, sql` and `)}`}
    group by 1, 2, 3, 4 order by count(*) desc, 2 nulls last, 3, 4 limit ${limit} offset ${offset}`.execute(
    ctx.store.db,
  );
  return {
    data: rows.map((row) => ({
      app_slug: row.slug,
      app_name: row.app ?? "",
      model_permaslug: row.model,
      turn_range: row.turns,
      median_session_cost_usd: toUsd(BigInt(Math.round(row.cost))),
    })),
    meta: {
      ...versioned(ctx, read.note),
      window_days: sessionDays,
      window_end_date: dayOf(new Date(until.getTime() - dayMs)),
    },
  };
}

export async function benchmarks(
  ctx: Context,
  query: Parsed<typeof getBenchmarks>["query"],
): Promise<Output<typeof getBenchmarks>> {
  await begin(ctx);
  const note = "Benchmark scores are measured by third parties; this gateway has none";
  return {
    data: [],
    meta: {
      ...versioned(ctx, note),
      source: query.source ?? null,
      source_url: null,
      citation: null,
      model_count: 0,
      task_type: query.task_type ?? null,
    },
  };
}

export async function taskClassifications(ctx: Context): Promise<Output<typeof getTaskClassifications>> {
  await begin(ctx);
  return {
    data: {
      as_of: ctx.now().toISOString(),
      window_days: 7,
      classifications: [],
      macro_categories: [],
      note: unlabeled("task"),
    },
  };
}
