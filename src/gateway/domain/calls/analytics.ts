import { sql } from "kysely";
import type {
  AnalyticsFilter,
  AnalyticsMeta,
  AnalyticsQuery,
  AnalyticsResult,
  AnalyticsRow,
} from "#contract/analytics.ts";
import { dayMs, hourMs, startOfUtcHour } from "#contract/time.ts";
import type { Context } from "../context.ts";
import { refuseUnlessManagement } from "../permission.ts";
import { invalid } from "../refusal.ts";
import { workspaceScope } from "../workspaces/scope.ts";
import { dimensions, meta as fields, metrics, operators, type Source } from "./analytics-fields.ts";
import { type Condition, endOfScan, scanOf, sourceOf } from "./source.ts";

const defaultDays = 7;
const defaultRows = 1_000;
/** Values of one answer, so that writing it does not keep others waiting. */
const mostValues = 20_000;
const mostDays = { hours: 366, calls: 31 } as const;
const mostHoursByMinute = 3;
/** The most calls that are read one by one, so that a query never takes long. */
export const mostRead = 50_000;

export function meta(ctx: Context): { data: AnalyticsMeta } {
  refuseUnlessManagement(ctx);
  return { data: fields() };
}

interface Plan {
  readonly query: AnalyticsQuery;
  readonly source: Source;
  readonly since: Date;
  readonly until: Date;
  readonly warnings: string[];
}

/**
 * Metrics by dimension and time over all workspaces. What the hourly sums have is read from them; the rest from the
 * calls, the latest `most` of them.
 *
 * @throws Refusal where a name, an operator or a range is none
 */
export async function query(ctx: Context, asked: AnalyticsQuery, most = mostRead): Promise<{ data: AnalyticsResult }> {
  refuseUnlessManagement(ctx);
  const started = performance.now();
  const plan = planOf(asked, ctx.now());
  await warnOfUnknown(ctx, plan);
  const workspaces = await workspaceScope(ctx, undefined);
  const since = plan.source === "calls" ? await startOfRead(ctx, plan, workspaces, most) : startOfUtcHour(plan.since);
  const rows = await read(ctx, plan, workspaces, since);
  const limit = limitOf(asked);
  const data = rows.slice(0, limit).map((row) => written(row, plan));
  return {
    data: {
      data,
      metadata: {
        query_time_ms: Math.round(performance.now() - started),
        row_count: data.length,
        truncated: rows.length > limit,
      },
      ...(plan.warnings.length > 0 && { warnings: plan.warnings }),
    },
  };
}

function planOf(asked: AnalyticsQuery, now: Date): Plan {
  for (const member of ["classifier_dimensions", "classifier_filters"] as const) {
    if (asked[member] !== undefined) throw invalid(member, "cannot be used: this gateway has no classifiers");
  }
  const grouped = asked.dimensions ?? [];
  const filters = asked.filters ?? [];
  const one = (name: string, path: string, known: ReadonlyMap<string, unknown>, kind: string) => {
    if (!known.has(name)) throw invalid(path, `must be a ${kind}: ${[...known.keys()].join(", ")}`);
  };
  asked.metrics.forEach((name, index) => one(name, `metrics.${index}`, metrics, "metric"));
  grouped.forEach((name, index) => one(name, `dimensions.${index}`, dimensions, "dimension"));
  if (new Set(asked.metrics).size < asked.metrics.length) throw invalid("metrics", "must not name one twice");
  if (new Set(grouped).size < grouped.length) throw invalid("dimensions", "must not name one twice");
  refuseTooLarge(asked);
  filters.forEach((filter, index) => refuseWrongFilter(filter, `filters.${index}`));
  refuseWrongOrder(asked);
  if (asked.group_limit !== undefined && (asked.granularity === undefined || grouped.length === 0))
    throw invalid("group_limit", "needs a `granularity` and a dimension");
  const names = [...asked.metrics, ...grouped, ...filters.map(({ field }) => field)];
  const apart = names.find((name) => (metrics.get(name) ?? dimensions.get(name))?.hours === undefined);
  const byMinute = asked.granularity === "minute";
  const source = apart === undefined && !byMinute ? "hours" : "calls";
  const plan: Plan = { query: asked, source, ...rangeOf(asked, now), warnings: [] };
  refuseTooLong(plan, apart);
  if (source === "hours") warnOfHours(plan, now);
  return plan;
}

/** The most rows that an answer with so many values in each may have. */
function mostRowsOf({ metrics: figures, dimensions: grouped = [], granularity }: AnalyticsQuery): number {
  return Math.floor(mostValues / (figures.length + grouped.length + Number(granularity !== undefined)));
}

const limitOf = (asked: AnalyticsQuery) => asked.limit ?? Math.min(defaultRows, mostRowsOf(asked));

function refuseTooLarge(asked: AnalyticsQuery): void {
  const most = mostRowsOf(asked);
  if ((asked.limit ?? 0) > most) throw invalid("limit", `must be at most ${most} with so many metrics and dimensions`);
}

function refuseWrongFilter({ field, operator, value }: AnalyticsFilter, path: string): void {
  const isMetric = metrics.has(field);
  if (!isMetric && !dimensions.has(field))
    throw invalid(
      `${path}.field`,
      `must be a dimension or a metric: ${[...dimensions.keys(), ...metrics.keys()].join(", ")}`,
    );
  const isList = operators[operator] === "array";
  if (isList !== Array.isArray(value))
    throw invalid(
      `${path}.value`,
      isList ? "must be a list with this operator" : "must be one value with this operator",
    );
  if (isMetric && (isList || typeof value !== "number"))
    throw invalid(path, `must compare the metric ${field} with a number`);
  if (!isMetric && ["gt", "gte", "lt", "lte"].includes(operator))
    throw invalid(`${path}.operator`, "must be eq, neq, in or not_in for a dimension");
}

function refuseWrongOrder({
  order_by: order,
  metrics: figures,
  dimensions: grouped = [],
  granularity,
}: AnalyticsQuery) {
  if (order === undefined) return;
  const known = [...figures, ...grouped, ...(granularity === undefined ? [] : ["date"])];
  if (!known.includes(order.field)) throw invalid("order_by.field", `must be one of ${known.join(", ")}`);
}

function rangeOf({ time_range: range, granularity }: AnalyticsQuery, now: Date): Pick<Plan, "since" | "until"> {
  if (range === undefined) {
    const length = granularity === "minute" ? mostHoursByMinute * hourMs : defaultDays * dayMs;
    return { since: new Date(now.getTime() - length), until: new Date(now.getTime() + 1) };
  }
  const since = new Date(range.start);
  const until = new Date(range.end);
  if (since >= until) throw invalid("time_range.end", "must be later than start");
  return { since, until };
}

function refuseTooLong({ query: { granularity }, source, since, until }: Plan, apart: string | undefined): void {
  const length = until.getTime() - since.getTime() - 1;
  if (granularity === "minute" && length > mostHoursByMinute * hourMs)
    throw invalid("time_range", `must be at most ${mostHoursByMinute} hours with minutes`);
  const most = mostDays[source];
  if (length > most * dayMs)
    throw invalid("time_range", `must be at most ${most} days${apart === undefined ? "" : ` with ${apart}`}`);
}

function warnOfHours({ query: { time_range: range }, since, until, warnings }: Plan, now: Date): void {
  const isWhole = (at: Date) => at.getTime() === startOfUtcHour(at).getTime();
  if (range === undefined || (isWhole(since) && (isWhole(until) || until >= now))) return;
  warnings.push("Whole hours are counted, the first and the last one too");
}

const named = { api_key_id: "api_keys", workspace: "workspaces" } as const;

/** A value that is no key's hash and no workspace's id finds nothing, which looks like no traffic. */
async function warnOfUnknown(ctx: Context, { query: asked, warnings }: Plan): Promise<void> {
  for (const { field, value } of asked.filters ?? []) {
    if (field !== "api_key_id" && field !== "workspace") continue;
    const values = [value].flat().map(String);
    const column = field === "workspace" ? sql`w.id::text` : sql`w.hash`;
    const { rows } = await sql<{ id: string }>`
      select ${column} as id from ${sql.table(named[field])} w where ${column} = any(${values}::text[])`.execute(
      ctx.store.db,
    );
    const known = new Set(rows.map(({ id }) => id));
    for (const unknown of values.filter((one) => !known.has(one)).slice(0, 20))
      warnings.push(`There is no ${field === "workspace" ? "workspace" : "key"} with the id ${unknown.slice(0, 100)}`);
  }
}

/** From when on the calls are read, and a warning where that is later than was asked for. */
async function startOfRead(ctx: Context, plan: Plan, workspaces: readonly string[], most: number): Promise<Date> {
  const { since, until, warnings } = plan;
  const key = plan.query.filters?.find(({ field, operator }) => field === "api_key_id" && operator === "eq")?.value;
  const of = typeof key === "string" ? { api_key_hash: key } : {};
  const scan = typeof key === "string" ? most : scanOf(most, workspaces.length);
  const stop = await endOfScan(ctx, sourceOf(workspaces, of), { before: { at: until, id: "" }, since, scan });
  if (stop === null) return since;
  warnings.push(
    `Only calls since ${stop.toISOString()} are counted, about the latest ${most}: there are more in this range`,
  );
  return stop;
}

type Row = Record<string, string | null>;

/** At most one row more than asked for: it shows that there are more. */
async function read(ctx: Context, plan: Plan, workspaces: readonly string[], since: Date): Promise<Row[]> {
  const { query: asked, source, until } = plan;
  const { granularity, dimensions: grouped = [], filters = [] } = asked;
  const of = (name: string) => (metrics.get(name) ?? dimensions.get(name))?.[source] ?? sql`null`;
  const at = source === "hours" ? sql`u.hour` : sql`l.created_at`;
  const time = granularity === undefined ? [] : [sql`date_trunc(${granularity}::text, ${at}, 'UTC') as "date"`];
  const groups = grouped.map((name, index) => sql`${of(name)} as ${sql.id(`d${index}`)}`);
  const figures = asked.metrics.map((name, index) => sql`${of(name)} as ${sql.id(`m${index}`)}`);
  const table =
    source === "hours"
      ? sql`usage_hourly u on u.workspace_id = w.id and u.hour >= ${since} and u.hour < ${until}`
      : sql`ledger l on l.workspace_id = w.id and l.created_at >= ${since} and l.created_at < ${until}`;
  const where = filters
    .filter(({ field }) => dimensions.has(field))
    .map((filter) => comparing(of(filter.field), filter));
  const having = filters.filter(({ field }) => metrics.has(field)).map((filter) => comparing(of(filter.field), filter));
  const keys = [...time.map(() => sql.id("date")), ...grouped.map((_, index) => sql.id(`d${index}`))];
  const columns = keys.map((_, index) => sql.raw(String(index + 1)));
  const grouping = keys.length === 0 ? sql`` : sql`group by ${sql.join(columns)}`;
  const byGroup = grouped.map((_, index) => sql.id(`d${index}`));
  const { rows } = await sql<Row>`
    with found as (
      select ${sql.join([...time, ...groups, ...figures])}
      from unnest(${workspaces}::uuid[]) as w (id) join ${table}
      ${where.length === 0 ? sql`` : sql`where ${sql.join(where, sql` and `)}`}
      ${grouping} ${having.length === 0 ? sql`` : sql`having ${sql.join(having, sql` and `)}`}
    ), ranked as (
      select f.*, ${asked.group_limit === undefined ? sql`1` : sql`row_number() over (partition by ${sql.join(byGroup)} order by "date" desc)`} as rank
      from found f
    ), kept as (
      select kept.* from ranked kept where kept.rank <= ${asked.group_limit ?? 1}
      order by ${orderOf(asked)} limit ${limitOf(asked) + 1}
    )
    select ${sql.join([
      ...time.map(() => sql`to_char("date" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "date"`),
      ...grouped.map((name, index) => {
        const value = sql.id(`d${index}`);
        return sql`${dimensions.get(name)?.shown?.(value) ?? value} as ${value}`;
      }),
      ...asked.metrics.map((_, index) => sql`${sql.id(`m${index}`)}::text as ${sql.id(`m${index}`)}`),
    ])} from kept order by ${orderOf(asked)}`.execute(ctx.store.db);
  return rows;
}

/** By what was asked for, else the latest period or the largest first figure first; then by everything, so that it is one order. */
function orderOf({
  order_by: order,
  metrics: figures,
  dimensions: grouped = [],
  granularity,
}: AnalyticsQuery): Condition {
  const columnOf = (field: string) => {
    if (field === "date") return sql`kept."date"`;
    const dimension = grouped.indexOf(field);
    return dimension === -1 ? sql.id("kept", `m${figures.indexOf(field)}`) : sql.id("kept", `d${dimension}`);
  };
  const first = order?.field ?? (granularity === undefined ? figures[0] : "date") ?? "date";
  const direction = sql.raw((order?.direction ?? "desc") === "asc" ? "asc" : "desc");
  return sql.join([
    sql`${columnOf(first)} ${direction} nulls last`,
    ...(granularity === undefined || first === "date" ? [] : [sql`${columnOf("date")} desc`]),
    ...grouped.filter((name) => name !== first).map((name) => sql`${columnOf(name)} nulls last`),
  ]);
}

const comparisons = { eq: sql`=`, neq: sql`<>`, gt: sql`>`, gte: sql`>=`, lt: sql`<`, lte: sql`<=` } as const;

function comparing(expression: Condition, filter: AnalyticsFilter): Condition {
  const { field, operator, value } = filter;
  const metric = metrics.get(field);
  if (metric !== undefined && operator !== "in" && operator !== "not_in") {
    const amount = metric.format === "currency" ? Number(value) * 1e9 : Number(value);
    return sql`${expression} ${comparisons[operator]} ${amount}::numeric`;
  }
  const values = [value].flat().map(String);
  if (operator === "eq" || operator === "in") return sql`${expression} = any(${values}::text[])`;
  const other = sql`${expression} <> all(${values}::text[])`;
  return filter.include_unset === true ? sql`(${expression} is null or ${other})` : other;
}

function written(row: Row, { query: { granularity, metrics: figures, dimensions: grouped = [] } }: Plan): AnalyticsRow {
  const answer: AnalyticsRow = {};
  if (granularity !== undefined) answer[`date__${granularity}`] = row["date"] ?? null;
  grouped.forEach((name, index) => (answer[name] = row[`d${index}`] ?? null));
  figures.forEach((name, index) => {
    const metric = metrics.get(name);
    const value = row[`m${index}`] ?? (metric?.format === "number" || metric?.format === "currency" ? "0" : null);
    answer[name] = value === null || metric === undefined ? null : metric.write(value);
  });
  return answer;
}
