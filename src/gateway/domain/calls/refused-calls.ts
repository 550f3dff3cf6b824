import { sql } from "kysely";
import type { Output, Parsed } from "#contract/endpoint.ts";
import { toUsd } from "#contract/money.ts";
import type { listRefusedCalls, RefusedCalls } from "#contract/refused-calls.ts";
import { dayMs, minuteMs } from "#contract/time.ts";
import type { Store } from "../../storage/store.ts";
import type { Context } from "../context.ts";
import { refuseUnlessManagement } from "../permission.ts";
import { instantOfRequest } from "../request-id.ts";
import { workspaceScope } from "../workspaces/scope.ts";

type List = typeof listRefusedCalls;

const pageSize = 50;

/** The refused calls of a period, one record per key and reason, latest first. */
export async function list(ctx: Context, query: Parsed<List>["query"]): Promise<Output<List>> {
  refuseUnlessManagement(ctx);
  const workspaces = await workspaceScope(ctx, query.workspace_id);
  const until = query.until === undefined ? ctx.now() : new Date(query.until);
  const from = query.since === undefined ? until.getTime() - dayMs : Date.parse(query.since);
  const since = new Date(Math.floor(from / minuteMs) * minuteMs);
  const conditions = [
    sql`r.workspace_id = any(${workspaces}::uuid[])`,
    query.request_id === undefined ? sql`r.minute >= ${since} and r.minute <= ${until}` : byRequest(query.request_id),
    ...(query.api_key_hash === undefined ? [] : [sql`r.key_hash = ${query.api_key_hash}`]),
    ...(query.status === undefined ? [] : [sql`r.status = ${query.status}`]),
  ];
  const { rows } = await sql<Folded>`
    with folded as (
      select key_hash, reason, status, sum(count)::int8 as count, min(first_at) as first_at, max(last_at) as last_at,
        (array_agg(r.workspace_id order by last_at desc))[1] as workspace_id,
        (array_agg(last_request_id order by last_at desc))[1] as last_request_id,
        (array_agg(last_message order by last_at desc))[1] as last_message,
        (array_agg(last_needed order by last_at desc))[1] as last_needed,
        (array_agg(last_remaining order by last_at desc))[1] as last_remaining
      from refused_calls r where ${sql.join(conditions, sql` and `)}
      group by key_hash, reason, status
    )
    select f.*, k.name as key_name, count(*) over ()::int8 as records, sum(f.count) over ()::int8 as calls
    from folded f left join api_keys k on k.hash = f.key_hash and k.deleted_at is null
    order by f.last_at desc, f.key_hash, f.reason, f.status limit ${query.limit ?? pageSize}`.execute(ctx.store.db);
  return {
    data: rows.map(refusedRecord),
    total: { calls: Number(rows[0]?.calls ?? 0n), records: Number(rows[0]?.records ?? 0n) },
    since: since.toISOString(),
  };
}

/** The longest that a request may wait before it is refused. */
const longestWaitMs = 15 * minuteMs;

/** A request is counted in a minute close to the instant in its id, and minutes are indexed. */
function byRequest(id: string) {
  const at = instantOfRequest(id);
  if (at === null) return sql`false`;
  const last = new Date(at.getTime() + longestWaitMs);
  return sql`r.last_request_id = ${id} and r.minute >= ${new Date(at.getTime() - minuteMs)} and r.minute <= ${last}`;
}

/** A row in the API's form. */
export function refusedRecord(row: RefusedRow): RefusedCalls {
  return {
    key_hash: row.key_hash,
    key_name: row.key_name,
    workspace_id: row.workspace_id,
    reason: row.reason,
    status: row.status,
    count: Number(row.count),
    first_at: row.first_at.toISOString(),
    last_at: row.last_at.toISOString(),
    last_request_id: row.last_request_id,
    last_message: row.last_message,
    last_needed: row.last_needed === null ? null : toUsd(row.last_needed),
    last_remaining: row.last_remaining === null ? null : toUsd(row.last_remaining),
  };
}

/** Calls that were refused, with what is known of their key. */
export interface RefusedRow {
  key_hash: string;
  key_name: string | null;
  workspace_id: string;
  reason: string;
  status: number;
  count: bigint;
  first_at: Date;
  last_at: Date;
  last_request_id: string;
  last_message: string;
  last_needed: bigint | null;
  last_remaining: bigint | null;
}

interface Folded extends RefusedRow {
  records: bigint;
  calls: bigint;
}

/** How many calls were refused, by the UTC hour or day in which they arrived. */
export async function refusedByPeriod(
  db: Store["db"],
  by: "hour" | "day",
  [from, to]: readonly [Date, Date],
  of: { keys: readonly string[] } | { workspaces: readonly string[] },
): Promise<Map<number, number>> {
  const scope =
    "keys" in of ? sql`key_hash = any(${of.keys}::text[])` : sql`workspace_id = any(${of.workspaces}::uuid[])`;
  const { rows } = await sql<{ at: Date; count: bigint }>`
    select date_trunc(${by}, minute, 'UTC') as at, sum(count)::int8 as count from refused_calls
    where ${scope} and minute >= ${from} and minute < ${to} group by 1`.execute(db);
  return new Map(rows.map(({ at, count }) => [at.getTime(), Number(count)]));
}
