import { sql } from "kysely";
import type { Output, Parsed } from "#contract/endpoint.ts";
import { toUsd } from "#contract/money.ts";
import { dayMs, hourMs, startOfUtcHour } from "#contract/time.ts";
import type { getUsageReport, ReportedGroup, ReportFigures, ReportGroup, ReportSort } from "#contract/usage-report.ts";
import type { Context } from "../context.ts";
import { readCursor, writeCursor } from "../cursor.ts";
import { refuseUnlessManagement } from "../permission.ts";
import { invalid } from "../refusal.ts";
import { workspaceScope } from "../workspaces/scope.ts";
import { mostRead } from "./analytics.ts";
import { type Condition, endOfScan, longestCallMs, scanOf, sourceOf } from "./source.ts";

type Query = Parsed<typeof getUsageReport>["query"];

const defaultRows = 100;
const maxDays = 366;
const list = "usage-report";

interface Grouping {
  /** of the hourly sums; absent: they do not have it, and the calls are read */
  readonly hours?: Condition;
  readonly calls: Condition;
  /** the display name of a value */
  readonly name: (value: Condition) => Condition;
}

const uuidOf = (text: Condition) =>
  sql`(case when ${text} ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then ${text}::uuid end)`;

const groupings: Readonly<Record<ReportGroup, Grouping>> = {
  key: {
    hours: sql`u.key_hash`,
    calls: sql`l.key_hash`,
    name: (value) => sql`(select k.name from api_keys k where k.hash = ${value})`,
  },
  model: { hours: sql`u.model`, calls: sql`l.model`, name: (value) => sql`nullif(${value}, '')` },
  provider: {
    hours: sql`u.provider`,
    calls: sql`l.provider`,
    name: (value) => sql`(select p.name from providers p where p.slug = ${value})`,
  },
  workspace: {
    hours: sql`u.workspace_id::text`,
    calls: sql`l.workspace_id::text`,
    name: (value) => sql`(select w.name from workspaces w where w.id = ${uuidOf(value)})`,
  },
  creator: {
    hours: sql`k.creator_user_id`,
    calls: sql`k.creator_user_id`,
    name: (value) =>
      sql`(select coalesce(s.display_name, s.email, s.user_name) from scim_users s where s.id = ${uuidOf(value)})`,
  },
  session: { calls: sql`l.session_id`, name: () => sql`null::text` },
  app: { calls: sql`l.app_title`, name: (value) => sql`nullif(${value}, '')` },
};

/** The figures, with what an hour and a call add to each. */
const added: Readonly<Record<keyof ReportFigures, readonly [hour: Condition, call: Condition]>> = {
  usage: [sql`u.usage`, sql`l.cost`],
  byok_usage: [sql`u.byok_usage`, sql`l.byok_cost`],
  requests: [sql`u.requests`, sql`1`],
  failures: [sql`u.failures`, sql`(l.status >= 400)::int`],
  prompt_tokens: [sql`u.prompt_tokens`, sql`l.prompt_tokens`],
  cached_tokens: [sql`u.cached_tokens`, sql`l.cached_tokens`],
  completion_tokens: [sql`u.completion_tokens`, sql`l.completion_tokens`],
  reasoning_tokens: [sql`u.reasoning_tokens`, sql`l.reasoning_tokens`],
};
const members = Object.keys(added) as (keyof ReportFigures)[];
const before = (member: string) => `before_${member}`;
/** Those of the period, and those of the one that it is compared with. */
const columns = [...members, ...members.map(before)];

type Figures = Record<keyof ReportFigures, bigint>;
interface Row extends Figures {
  /** what the row is: every call of the period, all that is grouped, or one group */
  kind: "all" | "grouped" | "row";
  g0: string;
  g1: string;
  n0: string | null;
  n1: string | null;
  l0: string | null;
  l1: string | null;
  row_count: bigint;
}

interface Plan {
  readonly query: Query;
  readonly by: readonly ReportGroup[];
  readonly since: Date;
  readonly until: Date;
  readonly compared: readonly [since: Date, until: Date];
  readonly workspaces: readonly string[];
}

/**
 * What was used in a period, by one or two groupings. Totals and rows are one statement, so that they are of one moment.
 * @param most how many calls are read, where the hourly sums lack what is asked for
 */
export async function get(ctx: Context, query: Query, most = mostRead): Promise<Output<typeof getUsageReport>> {
  refuseUnlessManagement(ctx);
  const plan = { ...planOf(query, ctx.now()), workspaces: await workspaceScope(ctx, query.workspace_id) };
  const byHour = plan.by.every((group) => groupings[group].hours !== undefined);
  const from = byHour ? plan.since : await startOfRead(ctx, plan, most);
  const limit = query.limit ?? defaultRows;
  const { rows } = await sql<Row>`
    with ${byHour ? hoursGrouped(plan) : callsGrouped(plan, from)}, page as (
      select g.*, row_number() over (order by ${orderOf(plan)}) as place from grouped g
      where g.requests > 0 ${afterCursor(query)}
      order by place limit ${limit + 1}
    )
    ${sums("all", byHour ? sql`grouped` : sql`whole`)} union all ${sums("grouped", sql`grouped`)} union all
    select 'row', g0, g1, ${sql.join(columns.map((column) => sql`${sql.ref(`page.${column}`)}::int8`))}, 0, ${named(plan.by)}, place
    from page order by place`.execute(ctx.store.db);
  return { data: { ...periodOf(plan), ...answered(rows, { plan, limit, byHour, from }) } };
}

/** @throws Refusal where a period ends before it begins, or is too long */
function planOf(query: Query, now: Date): Omit<Plan, "workspaces"> {
  const until = endOfUtcHour(query.until === undefined ? new Date(now.getTime() + 1) : new Date(query.until));
  const since = startOfUtcHour(new Date(query.since));
  if (since >= until) throw invalid("until", "must be later than since");
  const length = until.getTime() - since.getTime();
  if (length > maxDays * dayMs) throw invalid("since", `must be at most ${maxDays} days before until`);
  const comparedSince =
    query.compared_since === undefined
      ? new Date(since.getTime() - length)
      : startOfUtcHour(new Date(query.compared_since));
  const comparedUntil = query.compared_until === undefined ? since : endOfUtcHour(new Date(query.compared_until));
  if (comparedUntil > since) throw invalid("compared_until", "must not be later than since");
  if (comparedSince > comparedUntil) throw invalid("compared_since", "must not be later than its end");
  if (until.getTime() - comparedSince.getTime() > 2 * maxDays * dayMs)
    throw invalid("compared_since", `must be at most ${2 * maxDays} days before until`);
  const { group_by: first, then_by: second, sort, cursor } = query;
  if (first === second) throw invalid("then_by", "must be another grouping than group_by");
  if (cursor !== undefined && cursor !== "" && (sort !== "id" || query.order === "desc"))
    throw invalid("cursor", "needs the sort id, ascending");
  const by = second === undefined ? [first] : [first, second];
  return { query, by, since, until, compared: [comparedSince, comparedUntil] };
}

const endOfUtcHour = (at: Date) => startOfUtcHour(new Date(at.getTime() + hourMs - 1));

/** From when on calls are read: as far back as `most` of them reach. */
async function startOfRead(ctx: Context, { workspaces, since, until }: Plan, most: number): Promise<Date> {
  const first = new Date(since.getTime() - longestCallMs);
  const scan = { before: { at: until, id: "" }, since: first, scan: scanOf(most, workspaces.length) };
  return (await endOfScan(ctx, sourceOf(workspaces, {}), scan)) ?? first;
}

const keys = (by: readonly ReportGroup[], source: "hours" | "calls") =>
  sql.join(
    [0, 1].map((nth) => {
      const group = by[nth];
      const value = group === undefined ? undefined : groupings[group][source];
      return sql`coalesce(${value ?? sql`''`}, '') collate "C" as ${sql.id(`g${nth}`)}`;
    }),
  );

/** Creators are the keys'. */
const creators = (by: readonly ReportGroup[], hash: Condition) =>
  by.includes("creator") ? sql`left join api_keys k on k.hash = ${hash}` : sql``;

function hoursGrouped({ by, since, until, compared, workspaces }: Plan): Condition {
  const [from, to] = compared;
  const sumOf = (member: keyof ReportFigures, where: Condition) =>
    sql`coalesce(sum(${added[member][0]}) filter (where ${where}), 0)`;
  return sql`
    grouped as materialized (
      select ${keys(by, "hours")}, ${sql.join([
        ...members.map((member) => sql`${sumOf(member, sql`u.hour >= ${since}`)} as ${sql.id(member)}`),
        ...members.map((member) => sql`${sumOf(member, sql`u.hour < ${to}`)} as ${sql.id(before(member))}`),
      ])}
      from unnest(${workspaces}::uuid[]) as w (id)
      join usage_hourly u on u.workspace_id = w.id and u.hour >= ${from} and u.hour < ${until}
        and (u.hour < ${to} or u.hour >= ${since})
      ${creators(by, sql`u.key_hash`)}
      group by 1, 2
    )`;
}

/** A call is in the period in whose hours it ended, as in the sums; `whole` has those, of which some may not be read. */
function callsGrouped(plan: Plan, from: Date): Condition {
  const { by, since, until, workspaces } = plan;
  return sql`
    ${wholeOf(plan)}, grouped as materialized (
      select ${keys(by, "calls")}, ${sql.join([
        ...members.map((member) => sql`sum(${added[member][1]}) as ${sql.id(member)}`),
        ...members.map((member) => sql`0::numeric as ${sql.id(before(member))}`),
      ])}
      from unnest(${workspaces}::uuid[]) as w (id)
      join ledger l on l.workspace_id = w.id and l.created_at >= ${from} and l.created_at < ${until}
        and l.settled_at >= ${since} and l.settled_at < ${until}
      ${creators(by, sql`l.key_hash`)}
      group by 1, 2
    )`;
}

const wholeOf = (plan: Plan) => sql`whole as materialized (
  with ${hoursGrouped({ ...plan, by: [] })} select * from grouped
)`;

const sums = (kind: "all" | "grouped", from: Condition) => sql`
  select ${kind}::text as kind, '' as g0, '' as g1,
    ${sql.join(columns.map((column) => sql`coalesce(sum(${sql.ref(column)}), 0)::int8 as ${sql.id(column)}`))},
    count(*) filter (where requests > 0) as row_count,
    null::text as n0, null::text as n1, null::text as l0, null::text as l1, 0::int8 as place
  from ${from}`;

/** The names of both groups, and the masked secrets of keys. */
function named(by: readonly ReportGroup[]): Condition {
  const value = (nth: number) => sql.ref(`page.g${nth}`);
  const label = (nth: number) => sql`(select k.label from api_keys k where k.hash = ${value(nth)})`;
  const none = sql`null::text`;
  return sql.join([
    ...[0, 1].map((nth) => (by[nth] === undefined ? none : groupings[by[nth]].name(value(nth)))),
    ...[0, 1].map((nth) => (by[nth] === "key" ? label(nth) : none)),
  ]);
}

function orderOf({ query: { sort = "usage", order }, by }: Plan): Condition {
  const last = sql`g.g0, g.g1`;
  const direction = sql.raw(order ?? (sort === "id" || sort === "name" ? "asc" : "desc"));
  if (sort === "id") return sql`g.g0 ${direction}, g.g1 ${direction}`;
  if (sort === "name") {
    const nameOf = (group: ReportGroup, nth: number) =>
      sql`lower(coalesce(${groupings[group].name(sql.ref(`g.g${nth}`))}, ${sql.ref(`g.g${nth}`)})) collate "C" ${direction}`;
    return sql`${sql.join(by.map(nameOf))}, ${last}`;
  }
  return sql`${orderedBy(sort)} ${direction}, g.requests ${direction}, ${last}`;
}

const orderedBy = (sort: Exclude<ReportSort, "id" | "name">) =>
  sort === "change" ? sql`g.usage - g.before_usage` : sql.ref(`g.${sort}`);

function afterCursor({ cursor }: Query): Condition {
  if (cursor === undefined || cursor === "") return sql``;
  const [first, second] = readCursor(cursor, list, ["text", "text"]);
  return sql`and (g.g0, g.g1) > (${first} collate "C", ${second} collate "C")`;
}

const periodOf = ({ since, until, compared }: Plan) => ({
  since: since.toISOString(),
  until: until.toISOString(),
  compared_since: compared[0].toISOString(),
  compared_until: compared[1].toISOString(),
});

interface Answered {
  plan: Plan;
  limit: number;
  byHour: boolean;
  from: Date;
}

function answered(rows: readonly Row[], { plan, limit, byHour, from }: Answered) {
  const all = rows.find(({ kind }) => kind === "all");
  const grouped = rows.find(({ kind }) => kind === "grouped");
  const found = rows.filter(({ kind }) => kind === "row");
  const page = found.slice(0, limit);
  const last = page.at(-1);
  const rest = members.map((member) => [member, (all?.[member] ?? 0n) - (grouped?.[member] ?? 0n)] as const);
  const since = new Date(Math.max(from.getTime(), plan.since.getTime()));
  return {
    total: figures(all),
    previous: figures(all, before),
    row_count: Number(grouped?.row_count ?? 0n),
    rows: page.map((row) => ({
      groups: plan.by.map((group, nth) => groupOf(row, group, nth)),
      total: figures(row),
      previous: byHour ? figures(row, before) : null,
    })),
    uncounted: rest.every(([, figure]) => figure === 0n)
      ? null
      : { total: figures(Object.fromEntries(rest)), since: since.toISOString() },
    next_cursor:
      found.length > limit && last !== undefined && plan.query.sort === "id"
        ? writeCursor(list, [last.g0, last.g1])
        : null,
  };
}

function groupOf(row: Row, group: ReportGroup, nth: number): ReportedGroup {
  const [id, name, label] = nth === 0 ? [row.g0, row.n0, row.l0] : [row.g1, row.n1, row.l1];
  return { id: id === "" ? null : id, name, ...(group === "key" && label !== null && { label }) };
}

function figures(row: object | undefined, column = (member: string) => member): ReportFigures {
  const from = (row ?? {}) as Partial<Record<string, bigint>>;
  const value = (member: keyof ReportFigures) => from[column(member)] ?? 0n;
  const count = (member: keyof ReportFigures) => Number(value(member));
  return {
    usage: toUsd(value("usage")),
    byok_usage: toUsd(value("byok_usage")),
    requests: count("requests"),
    failures: count("failures"),
    prompt_tokens: count("prompt_tokens"),
    cached_tokens: count("cached_tokens"),
    completion_tokens: count("completion_tokens"),
    reasoning_tokens: count("reasoning_tokens"),
  };
}
