import { sql } from "kysely";
import type { getUsage, UsageSeries } from "#contract/activity.ts";
import { usageFigures, type UsageFigures } from "#contract/usage-figures.ts";
import type { Output, Parsed } from "#contract/endpoint.ts";
import { toUsd } from "#contract/money.ts";
import { hourMs } from "#contract/time.ts";
import type { Context } from "../context.ts";
import { periodStarts } from "./key-usage.ts";
import { refuseUnlessManagement } from "../permission.ts";
import { invalid } from "../refusal.ts";
import { refusedByPeriod } from "./refused-calls.ts";
import { workspaceScope } from "../workspaces/scope.ts";

type Query = Parsed<typeof getUsage>["query"];
type Grouping = NonNullable<Query["group_by"]>;

/** The most groups with a series of their own: a chart cannot distinguish more. */
const mostGroups = 5;
const mostDays = 366;
const columns = {
  model: sql`u.model`,
  provider: sql`u.provider`,
  key: sql`u.key_hash`,
  workspace: sql`u.workspace_id::text`,
};

/** Usage over time, from the hourly rollup. */
export async function get(ctx: Context, query: Query): Promise<Output<typeof getUsage>> {
  refuseUnlessManagement(ctx);
  const { by = "day", last = 30, group_by: grouping } = query;
  if (by === "day" && last > mostDays) throw invalid("last", `must be at most ${mostDays} with by=day`);
  const workspaces = await workspaceScope(ctx, query.workspace_id);
  const until = query.until === undefined ? ctx.now() : new Date(query.until);
  const starts = periodStarts(by, last, until);
  const rows = await read(ctx, { workspaces, by, starts, grouping });
  const names = await namesOf(
    ctx,
    grouping,
    rows.flatMap((row) => row.group ?? []),
  );
  return { data: seriesOf(rows, starts, names), refused: await refusedCalls(ctx, workspaces, by, starts) };
}

/** Whether any call was ever recorded, and whether any with a key that is not the gateway's own. */
export async function ever(ctx: Context, workspaces: readonly string[]): Promise<{ used: boolean; called: boolean }> {
  const hours = sql`select from unnest(${workspaces}::uuid[]) as w (id) join usage_hourly u on u.workspace_id = w.id`;
  const { rows } = await sql<{ used: boolean; called: boolean }>`
    select exists (${hours}) as used, exists (
      ${hours} where not exists (select from api_keys k where k.hash = u.key_hash and k.purpose is not null)
    ) as called`.execute(ctx.store.db);
  return rows[0] ?? { used: false, called: false };
}

async function refusedCalls(
  ctx: Context,
  workspaces: readonly string[],
  by: "hour" | "day",
  starts: readonly Date[],
): Promise<Output<typeof getUsage>["refused"]> {
  const { before, start, end } = stretches(by, starts);
  const counts = await refusedByPeriod(ctx.store.db, by, [before, end], { workspaces });
  const sum = (of: Iterable<number>) => [...of].reduce((all, each) => all + each, 0);
  const points = starts.map((at) => counts.get(at.getTime()) ?? 0);
  const earlier = [...counts].filter(([at]) => at < start.getTime()).map(([, count]) => count);
  return { total: sum(points), previous: sum(earlier), points };
}

/** The requested period, from `start` up to `end`, and the period of the same length before it. */
function stretches(by: "hour" | "day", starts: readonly Date[]) {
  const step = by === "hour" ? hourMs : 24 * hourMs;
  const start = starts[0]?.getTime() ?? 0;
  const length = starts.length * step;
  return { before: new Date(start - length), start: new Date(start), end: new Date(start + length) };
}

const members = Object.keys(usageFigures) as (keyof UsageFigures)[];
type Figures = Record<keyof UsageFigures, bigint>;
interface Row extends Figures {
  group: string | null;
  /** null: anywhere in the period before the first start */
  at: Date | null;
}

interface Stretch {
  readonly workspaces: readonly string[];
  readonly by: "hour" | "day";
  readonly starts: readonly Date[];
  readonly grouping: Grouping | undefined;
}

async function read(ctx: Context, { workspaces, by, starts, grouping }: Stretch): Promise<Row[]> {
  const { before, start, end } = stretches(by, starts);
  const { rows } = await sql<Row>`
    with scoped as materialized (
      select ${grouping === undefined ? sql`null::text` : columns[grouping]} as "group",
        case when u.hour >= ${start} then date_trunc(${by}, u.hour, 'UTC') end as at,
        ${sql.raw(members.map((member) => `sum(u.${member}) as ${member}`).join(", "))}
      from unnest(${workspaces}::uuid[]) as w (id)
      join usage_hourly u on u.workspace_id = w.id and u.hour >= ${before} and u.hour < ${end}
      group by 1, 2
    ), ranked as (
      select "group", row_number() over (
        order by sum(usage) desc, sum(byok_usage) desc, sum(requests) desc, "group"
      ) as rank
      from scoped where at is not null group by "group"
    )
    select case when r.rank <= ${mostGroups} then s."group" end as "group", s.at,
      ${sql.raw(members.map((member) => `sum(${member})::int8 as ${member}`).join(", "))}
    from scoped s left join ranked r on r."group" = s."group"
    group by 1, 2 order by 1, 2`.execute(ctx.store.db);
  return rows;
}

async function namesOf(
  ctx: Context,
  grouping: Grouping | undefined,
  groups: readonly string[],
): Promise<Map<string, string>> {
  if (groups.length === 0 || grouping === undefined) return new Map();
  const { db } = ctx.store;
  if (grouping === "model") return new Map(groups.map((id) => [id, id]));
  const reads = {
    key: () => db.selectFrom("api_keys").select(["hash as id", "name"]).where("hash", "in", groups).execute(),
    provider: () => db.selectFrom("providers").select(["slug as id", "name"]).where("slug", "in", groups).execute(),
    workspace: () => db.selectFrom("workspaces").select(["id", "name"]).where("id", "in", groups).execute(),
  };
  const found = await reads[grouping]();
  return new Map(found.map(({ id, name }) => [id, name]));
}

function seriesOf(rows: readonly Row[], starts: readonly Date[], names: ReadonlyMap<string, string>): UsageSeries[] {
  const groups = [...new Set(rows.map((row) => row.group))];
  if (groups.length === 0) groups.push(null);
  return groups
    .map((group) => {
      const own = rows.filter((row) => row.group === group);
      const at = new Map(own.map((row) => [row.at?.getTime(), row] as const));
      const points = starts.map((start) => ({ at: start.toISOString(), ...figures([at.get(start.getTime())]) }));
      return {
        group,
        name: group === null ? null : (names.get(group) ?? null),
        total: figures(own.filter((row) => row.at !== null)),
        previous: figures(own.filter((row) => row.at === null)),
        points,
      };
    })
    .toSorted((a, b) => Number(a.group === null) - Number(b.group === null) || byExpense(a.total, b.total));
}

/** What is spent on own provider keys is no spend here: it decides only between those that spent the same. */
function byExpense(a: UsageFigures, b: UsageFigures): number {
  return b.usage - a.usage || b.byok_usage - a.byok_usage || b.requests - a.requests;
}

function figures(rows: readonly (Figures | undefined)[]): UsageFigures {
  const sum = (member: keyof Figures) => rows.reduce((all, row) => all + (row?.[member] ?? 0n), 0n);
  return {
    usage: toUsd(sum("usage")),
    byok_usage: toUsd(sum("byok_usage")),
    saved: toUsd(sum("saved")),
    requests: Number(sum("requests")),
    failures: Number(sum("failures")),
    prompt_tokens: Number(sum("prompt_tokens")),
    completion_tokens: Number(sum("completion_tokens")),
    reasoning_tokens: Number(sum("reasoning_tokens")),
  };
}
