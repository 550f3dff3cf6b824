import { sql } from "kysely";
import type { CallBucket, CallCounts, CallOutcomes, CallSums, countGenerations } from "#contract/call-counts.ts";
import type { Parsed } from "#contract/endpoint.ts";
import { toUsd } from "#contract/money.ts";
import { dayMs, hourMs, startOfUtcHour } from "#contract/time.ts";
import type { Context } from "../context.ts";
import { isProviderFault } from "../ledger/provider-fault.ts";
import { refuseUnlessManagement } from "../permission.ts";
import { workspaceScope } from "../workspaces/scope.ts";
import { type Buckets, bucketsOf } from "./buckets.ts";
import {
  type Condition,
  endOfScan,
  filtersOf,
  isRefusable,
  minuteOf,
  notBefore,
  refusedFilters,
  refuseUnlessInOrder,
  scanOf,
  sourceOf,
} from "./source.ts";

type Query = Parsed<typeof countGenerations>["query"];

const defaultBuckets = 60;
/** The most calls that are counted one by one, so that a count never takes long. */
export const mostCounted = 50_000;
/** Sums of hours say something of a range from so many hours on. */
const fewestHours = 6;

interface Counted {
  readonly ctx: Context;
  readonly query: Query;
  readonly workspaces: readonly string[];
  readonly since: Date;
  readonly until: Date;
}

interface Row {
  at: Date;
  answered: bigint;
  cached: bigint | null;
  failed: bigint;
  provider_faults: bigint;
  cost: bigint;
  byok_cost: bigint;
  prompt_tokens: bigint;
  cached_tokens: bigint;
  completion_tokens: bigint;
  reasoning_tokens: bigint;
}

/** How many calls there were of each outcome, over time: one by one, or by the rollup where there are too many. */
export async function get(ctx: Context, query: Query, most = mostCounted): Promise<CallCounts> {
  refuseUnlessManagement(ctx);
  refuseUnlessInOrder(query);
  const workspaces = await workspaceScope(ctx, query.workspace_id);
  // what begins in this very millisecond counts too
  const until = query.until === undefined ? new Date(ctx.now().getTime() + 1) : new Date(query.until);
  const counted = { ctx, query, workspaces, until, since: await beginningOf(ctx, query, workspaces, until) };
  const { since } = counted;
  const isMore = (await roughly(counted)) > BigInt(most);
  if (isMore && isServedByRollup(query) && until.getTime() - since.getTime() >= fewestHours * hourMs) {
    const buckets = bucketsOf(startOfUtcHour(since), until, query.buckets ?? defaultBuckets, 60);
    const [rows, refused] = await Promise.all([sumsOfHours(counted, buckets), refusedIn(counted, buckets)]);
    return answer(counted, buckets, { rows, refused, source: "hourly_sums", counted_since: null });
  }
  const buckets = bucketsOf(since, until, query.buckets ?? defaultBuckets);
  const stop = isMore ? await endOfCount(counted, most) : null;
  const [rows, refused] = await Promise.all([oneByOne(counted, buckets, stop), refusedIn(counted, buckets)]);
  return answer(counted, buckets, { rows, refused, source: "calls", counted_since: stop?.toISOString() ?? null });
}

/** Where the range begins: as asked for, else with the first call, or the first refused one. */
async function beginningOf(ctx: Context, query: Query, workspaces: readonly string[], until: Date): Promise<Date> {
  if (query.since !== undefined) return new Date(query.since);
  const first = sql`order by l.created_at limit 1`;
  const source =
    query.batch_id !== undefined
      ? sql`(select l.created_at as at from ledger l where l.batch_id = ${query.batch_id} ${first}) as l`
      : query.api_key_hash === undefined
        ? sql`unnest(${workspaces}::uuid[]) as w (id) cross join lateral (
          select l.created_at as at from ledger l where l.workspace_id = w.id ${first}) as l`
        : sql`(select l.created_at as at from ledger l where l.key_hash = ${query.api_key_hash} ${first}) as l`;
  const { rows } = await sql<{ at: Date | null }>`select min(at) as at from ${source}`.execute(ctx.store.db);
  const refused = await sql<{ at: Date | null }>`
    select min(minute) as at from refused_calls r
    where ${isRefusable(query)} and ${sql.join(refusedFilters(workspaces, query), sql` and `)}`.execute(ctx.store.db);
  const found = [rows[0]?.at, refused.rows[0]?.at].flatMap((at) => (at && at < until ? [at.getTime()] : []));
  return new Date(found.length === 0 ? until.getTime() - dayMs : Math.min(...found));
}

/** About how many calls would have to be looked at, by the rollup, which has most of them within two hours of their start. */
async function roughly({ ctx, query, workspaces, since, until }: Counted): Promise<bigint> {
  const { rows } = await sql<{ calls: bigint }>`
    select coalesce(sum(u.requests), 0)::int8 as calls
    from unnest(${workspaces}::uuid[]) as w (id) join usage_hourly u on u.workspace_id = w.id
    where u.hour >= ${startOfUtcHour(since)} and u.hour < ${new Date(until.getTime() + 2 * hourMs)}
      ${query.api_key_hash === undefined ? sql`` : sql`and u.key_hash = ${query.api_key_hash}`}`.execute(ctx.store.db);
  return rows[0]?.calls ?? 0n;
}

/** Whether the rollup knows what the filters ask for. */
function isServedByRollup({ session_id, preset, batch_id, user, app, reason, status }: Query): boolean {
  return (
    [session_id, preset, batch_id, user, app, reason].every((filter) => filter === undefined) &&
    (status === undefined || ["succeeded", "failed", "refused"].includes(status))
  );
}

/** The instant since which no more than `most` calls were made in the range; null: there are fewer. */
async function endOfCount({ ctx, query, workspaces, since, until }: Counted, most: number): Promise<Date | null> {
  const isNarrow = query.api_key_hash !== undefined || query.batch_id !== undefined;
  const scan = isNarrow ? most : scanOf(most, workspaces.length);
  return await endOfScan(ctx, sourceOf(workspaces, query), { before: { at: until, id: "" }, since, scan });
}

const binOf = ({ minutes }: Buckets, column: Condition) =>
  sql`date_bin(make_interval(mins => ${minutes}), ${column}, '1970-01-01T00:00:00Z')`;

async function oneByOne(
  { ctx, query, workspaces, since, until }: Counted,
  buckets: Buckets,
  stop: Date | null,
): Promise<Row[]> {
  const of =
    query.api_key_hash === undefined
      ? sql`unnest(${workspaces}::uuid[]) as w (id) join ledger l on l.workspace_id = w.id where true`
      : sql`ledger l where l.key_hash = ${query.api_key_hash} and l.workspace_id = any(${workspaces}::uuid[])`;
  const conditions = [sql`l.created_at < ${until}`, ...notBefore(stop ?? since), ...filtersOf(query)];
  const isCached = sql`l.status < 400 and l.inputs > 0 and l.cached_inputs >= l.inputs`;
  const { rows } = await sql<Row>`
    select at, count(*) filter (where status < 400 and not is_cached) as answered,
      count(*) filter (where is_cached) as cached, count(*) filter (where status >= 400) as failed,
      count(*) filter (where ${sql.raw(isProviderFault)}) as provider_faults,
      sum(cost)::int8 as cost, sum(byok_cost)::int8 as byok_cost, sum(prompt_tokens) as prompt_tokens,
      sum(cached_tokens) as cached_tokens, sum(completion_tokens) as completion_tokens,
      sum(reasoning_tokens) as reasoning_tokens
    from (
      select ${binOf(buckets, sql`l.created_at`)} as at, l.status, l.cancelled, ${isCached} as is_cached, l.cost,
        l.byok_cost, l.prompt_tokens, l.cached_tokens, l.completion_tokens, l.reasoning_tokens
      from ${of} and ${sql.join(conditions, sql` and `)}
    ) as l group by at`.execute(ctx.store.db);
  return rows;
}

async function sumsOfHours({ ctx, query, workspaces, until }: Counted, buckets: Buckets): Promise<Row[]> {
  const { model, provider, api_key_hash: key, status } = query;
  const conditions = [
    sql`u.hour >= ${buckets.starts[0]} and u.hour < ${until}`,
    ...(model === undefined ? [] : [sql`u.model = ${model}`]),
    ...(provider === undefined ? [] : [sql`u.provider = ${provider}`]),
    ...(key === undefined ? [] : [sql`u.key_hash = ${key}`]),
  ];
  if (status === "refused") return [];
  const answered = status === "failed" ? sql`0` : sql`sum(u.requests - u.failures)`;
  const [failed, faults] =
    status === "succeeded" ? [sql`0`, sql`0`] : [sql`sum(u.failures)`, sql`sum(u.provider_faults)`];
  const { rows } = await sql<Row>`
    select ${binOf(buckets, sql`u.hour`)} as at, (${answered})::int8 as answered, null::int8 as cached,
      (${failed})::int8 as failed, (${faults})::int8 as provider_faults, sum(u.usage)::int8 as cost,
      sum(u.byok_usage)::int8 as byok_cost, sum(u.prompt_tokens)::int8 as prompt_tokens, sum(u.cached_tokens)::int8 as cached_tokens,
      sum(u.completion_tokens)::int8 as completion_tokens, sum(u.reasoning_tokens)::int8 as reasoning_tokens
    from unnest(${workspaces}::uuid[]) as w (id) join usage_hourly u on u.workspace_id = w.id
    where ${sql.join(conditions, sql` and `)} group by 1`.execute(ctx.store.db);
  return rows;
}

/** Refused calls are counted by the minute; null: the filters are not about them. */
async function refusedIn(
  { ctx, query, workspaces, since, until }: Counted,
  buckets: Buckets,
): Promise<Map<number, number> | null> {
  if (!isRefusable(query)) return null;
  const from = minuteOf(since);
  const conditions = [...refusedFilters(workspaces, query), sql`r.minute >= ${from} and r.minute < ${until}`];
  const { rows } = await sql<{ at: Date; count: bigint }>`
    select ${binOf(buckets, sql`r.minute`)} as at, sum(r.count)::int8 as count from refused_calls r
    where ${sql.join(conditions, sql` and `)} group by 1`.execute(ctx.store.db);
  return new Map(rows.map(({ at, count }) => [at.getTime(), Number(count)]));
}

interface Found extends Pick<CallCounts, "source" | "counted_since"> {
  readonly rows: readonly Row[];
  readonly refused: ReadonlyMap<number, number> | null;
}

/** Sums of hours are of answered and failed calls together. */
function sumsOf({ query: { status } }: Counted, { rows, source }: Found): CallSums | null {
  if (source === "hourly_sums" && (status === "succeeded" || status === "failed")) return null;
  const sum = (member: keyof CallSums) => rows.reduce((all, row) => all + row[member], 0n);
  return {
    cost: toUsd(sum("cost")),
    byok_cost: toUsd(sum("byok_cost")),
    prompt_tokens: Number(sum("prompt_tokens")),
    cached_tokens: Number(sum("cached_tokens")),
    completion_tokens: Number(sum("completion_tokens")),
    reasoning_tokens: Number(sum("reasoning_tokens")),
  };
}

function answer(counted: Counted, { minutes, starts }: Buckets, from: Found): CallCounts {
  const { since, until } = counted;
  const { rows, refused, source, counted_since } = from;
  const found = new Map(rows.map((row) => [row.at.getTime(), row] as const));
  const apart = source === "calls";
  const data = starts.map((at): CallBucket => {
    const row = found.get(at.getTime());
    return {
      at: at.toISOString(),
      answered: Number(row?.answered ?? 0n),
      cached: apart ? Number(row?.cached ?? 0n) : null,
      failed: Number(row?.failed ?? 0n),
      provider_faults: Number(row?.provider_faults ?? 0n),
      refused: refused === null ? null : (refused.get(at.getTime()) ?? 0),
    };
  });
  const sum = (member: keyof CallOutcomes) => data.reduce((all, bucket) => all + (bucket[member] ?? 0), 0);
  return {
    data,
    total: {
      answered: sum("answered"),
      cached: apart ? sum("cached") : null,
      failed: sum("failed"),
      provider_faults: sum("provider_faults"),
      refused: refused === null ? null : sum("refused"),
    },
    sums: sumsOf(counted, from),
    bucket_minutes: minutes,
    since: since.toISOString(),
    until: until.toISOString(),
    source,
    counted_since,
  };
}
