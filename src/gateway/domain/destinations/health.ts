import { type RawBuilder, sql } from "kysely";
import type { DestinationHealth, DestinationStatus, listDestinationHealth } from "#contract/forwarding.ts";
import type { Parsed } from "#contract/endpoint.ts";
import type { Context } from "../context.ts";
import { refuseUnlessManagement } from "../permission.ts";
import { notFound } from "../refusal.ts";
import { bodiesKeptHours } from "../bodies/purge.ts";
import { configProblem } from "./destinations.ts";

interface Observed {
  forwards: boolean;
  failing_since: Date | null;
  oldest: Date | null;
}

interface Row extends Observed {
  id: string;
  config: string | null;
  last_success_at: Date | null;
  last_error: DestinationHealth["last_error"];
  attempt: number;
  next_try_at: Date | null;
  dead: bigint;
  backlog: bigint;
  failed_lately: bigint;
  hours: DestinationHealth["hours"];
  top_errors: { message: string; count: number; last_at: string }[];
}

const minuteMs = 60_000;
const mostBacklog = 100_000;
const mostErrors = 5;

export async function get(ctx: Context, id: string): Promise<{ data: DestinationHealth }> {
  refuseUnlessManagement(ctx);
  const [row] = await read(ctx, sql`d.id = ${id}`);
  if (row === undefined) throw notFound("There is no observability destination with this id");
  return { data: healthOf(ctx, row) };
}

export async function list(
  ctx: Context,
  { workspace_id }: Parsed<typeof listDestinationHealth>["query"],
): Promise<{ data: DestinationHealth[] }> {
  refuseUnlessManagement(ctx);
  const rows = await read(
    ctx,
    workspace_id === "all"
      ? sql`true`
      : workspace_id === undefined
        ? sql`w.is_default`
        : sql`d.workspace_id = ${workspace_id}`,
  );
  return { data: rows.map((row) => healthOf(ctx, row)) };
}

/** How many there are, and how many of them fail: a fraction of what `list` reads. */
export async function count(
  ctx: Context,
  workspaceId: string | undefined,
): Promise<{ total: number; failing: number }> {
  refuseUnlessManagement(ctx);
  const now = ctx.now();
  const everywhere = workspaceId === undefined || workspaceId === "all";
  const { rows } = await sql<Observed & { id: string; config: string | null }>`
    select d.id, d.config, d.enabled and w.is_observability_broadcast_enabled as forwards, f.failing_since, o.oldest
    from destinations d
    join workspaces w on w.id = d.workspace_id
    join forwarding f on f.destination_id = d.id
    left join lateral (${oldestWaiting}) o on true
    where d.deleted_at is null and ${everywhere ? sql`true` : sql`d.workspace_id = ${workspaceId}`}`.execute(
    ctx.store.db,
  );
  const failing = rows.filter((row) => isFailing(row, lagOf(row, now), now, configProblem(ctx, row)));
  return { total: rows.length, failing: failing.length };
}

const oldestWaiting = sql`
  select l.settled_at as oldest from ledger l
  where l.workspace_id = d.workspace_id and (l.xact, l.seq) > (f.cursor_xact, f.cursor_seq)
  order by l.xact, l.seq limit 1`;

async function read(ctx: Context, which: RawBuilder<unknown>): Promise<Row[]> {
  const now = ctx.now();
  const { rows } = await sql<Row>`
    select d.id, d.config, d.enabled and w.is_observability_broadcast_enabled as forwards, f.last_success_at, f.last_error,
      f.failing_since, f.attempt, f.next_try_at, b.backlog, o.oldest,
      (select count(*) from dead_letters l where l.destination_id = d.id) as dead,
      (select coalesce(sum(failed), 0)::bigint from forwarding_minutes m
       where m.destination_id = d.id and m.minute >= ${new Date(now.getTime() - 15 * minuteMs)}) as failed_lately,
      (select coalesce(json_agg(h order by h.hour), '[]') from (
        select to_char(date_trunc('hour', minute, 'UTC') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as hour,
          sum(delivered)::bigint as delivered, sum(failed)::bigint as failed, sum(filtered)::bigint as filtered,
          sum(sampled_out)::bigint as sampled_out, sum(not_allowed)::bigint as not_allowed, sum(dead)::bigint as dead
        from forwarding_minutes m
        where m.destination_id = d.id and m.minute >= ${new Date(now.getTime() - 24 * 60 * minuteMs)} group by 1
      ) h) as hours,
      (select coalesce(json_agg(e order by e.count desc, e.last_at desc), '[]') from (
        select message, sum(count)::bigint as count,
          to_char(max(last_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as last_at
        from forwarding_errors e
        where e.destination_id = d.id and e.hour >= ${new Date(now.getTime() - 24 * 60 * minuteMs)}
        group by 1 order by 2 desc, 3 desc limit ${mostErrors}
      ) e) as top_errors
    from destinations d
    join workspaces w on w.id = d.workspace_id
    join forwarding f on f.destination_id = d.id
    cross join lateral (
      select count(*) as backlog from (
        select from ledger l where l.workspace_id = d.workspace_id and (l.xact, l.seq) > (f.cursor_xact, f.cursor_seq)
        limit ${mostBacklog}
      ) waiting
    ) b
    left join lateral (${oldestWaiting}) o on true
    where d.deleted_at is null and ${which}
    order by d.created_at desc, d.id`.execute(ctx.store.db);
  return rows;
}

function healthOf(ctx: Context, row: Row): DestinationHealth {
  const now = ctx.now();
  const problem = configProblem(ctx, row);
  const lagMs = lagOf(row, now);
  return {
    destination_id: row.id,
    status: statusOf(row, lagMs, now, problem),
    config_problem: problem,
    last_success_at: row.last_success_at?.toISOString() ?? null,
    last_error: row.last_error,
    top_errors: row.top_errors,
    failing_since: row.failing_since?.toISOString() ?? null,
    attempt: row.attempt,
    next_try_at: row.next_try_at?.toISOString() ?? null,
    lag_ms: lagMs,
    backlog: Number(row.backlog),
    dead: Number(row.dead),
    bodies_kept_hours: bodiesKeptHours,
    hours: row.hours,
  };
}

function lagOf({ oldest }: Observed, now: Date): number {
  return oldest === null ? 0 : Math.max(0, now.getTime() - oldest.getTime());
}

function isFailing({ forwards, failing_since: since }: Observed, lagMs: number, now: Date, problem: string | null) {
  if (!forwards || problem !== null) return forwards;
  const failingMs = since === null ? 0 : now.getTime() - since.getTime();
  return failingMs >= 5 * minuteMs || lagMs >= 15 * minuteMs;
}

/** The thresholds are the contract's: see `DestinationStatus`. */
function statusOf(row: Row, lagMs: number, now: Date, problem: string | null): DestinationStatus {
  if (!row.forwards) return "paused";
  if (isFailing(row, lagMs, now, problem)) return "failing";
  if (row.failing_since !== null || (row.failed_lately > 0n && row.backlog > 0n)) return "degraded";
  return row.last_success_at === null ? "never_sent" : "delivering";
}
