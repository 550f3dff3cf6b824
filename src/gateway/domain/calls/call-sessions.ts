import { sql } from "kysely";
import type { listGenerationSessions } from "#contract/call-sessions.ts";
import type { Output, Parsed } from "#contract/endpoint.ts";
import { toUsd } from "#contract/money.ts";
import type { Context } from "../context.ts";
import { refuseUnlessManagement } from "../permission.ts";
import { workspaceScope } from "../workspaces/scope.ts";
import { endOfScan, filtersOf, notBefore, refuseUnlessInOrder, scanOf, sourceOf } from "./source.ts";

type List = typeof listGenerationSessions;

const pageSize = 50;
/** The most calls that are looked through, so that a list never takes long. */
const mostScanned = 20_000;

interface Row {
  session_id: string;
  workspace_id: string;
  calls: bigint;
  failed: bigint;
  cost: bigint;
  byok_cost: bigint;
  tokens: bigint;
  model: string;
  models: bigint;
  first_at: Date;
  last_at: Date;
}

interface Totals {
  all_sessions: bigint;
  all_calls: bigint;
  others: bigint;
}

type Nullable<T> = { [K in keyof T]: T[K] | null };

/** The sessions of the newest calls that the filters find, the latest first. */
export async function list(ctx: Context, query: Parsed<List>["query"], most = mostScanned): Promise<Output<List>> {
  refuseUnlessManagement(ctx);
  refuseUnlessInOrder(query);
  const workspaces = await workspaceScope(ctx, query.workspace_id);
  const { api_key_hash: key } = query;
  const since = query.since === undefined ? null : new Date(query.since);
  const until = query.until === undefined ? new Date(ctx.now().getTime() + 1) : new Date(query.until);
  const scan = key === undefined ? scanOf(most, workspaces.length) : most;
  const stop = await endOfScan(ctx, sourceOf(workspaces, query), { before: { at: until, id: "" }, since, scan });
  const conditions = [
    sql`l.workspace_id = any(${workspaces}::uuid[]) and l.created_at < ${until}`,
    ...(key === undefined ? [] : [sql`l.key_hash = ${key}`]),
    ...notBefore(stop ?? since),
    ...filtersOf(query),
  ];
  const grouped = sql`
    select l.session_id, l.workspace_id, count(*) as calls, count(*) filter (where l.status >= 400) as failed,
      sum(l.cost)::int8 as cost, sum(l.byok_cost)::int8 as byok_cost,
      sum(l.prompt_tokens::int8 + l.completion_tokens)::int8 as tokens, min(l.model) as model,
      count(distinct l.model) as models, min(l.created_at) as first_at, max(l.created_at) as last_at
    from ledger l where ${sql.join(conditions, sql` and `)}
    group by l.session_id, l.workspace_id`;
  // the totals are there even where no session is
  const { rows } = await sql<Totals & Nullable<Row>>`
    with grouped as materialized (${grouped}), totals as (
      select count(session_id) as all_sessions, coalesce(sum(calls) filter (where session_id is not null), 0)::int8 as all_calls,
        coalesce(sum(calls) filter (where session_id is null), 0)::int8 as others
      from grouped
    )
    select totals.*, s.* from totals left join lateral (
      select * from grouped where session_id is not null
      order by last_at desc, session_id, workspace_id limit ${query.limit ?? pageSize}
    ) as s on true`.execute(ctx.store.db);
  const [first] = rows;
  return {
    data: rows.filter(isSession).map((row) => ({
      session_id: row.session_id,
      workspace_id: row.workspace_id,
      calls: Number(row.calls),
      failed: Number(row.failed),
      cost: toUsd(row.cost),
      byok_cost: toUsd(row.byok_cost),
      tokens: Number(row.tokens),
      model: row.model,
      models: Number(row.models),
      first_at: row.first_at.toISOString(),
      last_at: row.last_at.toISOString(),
    })),
    total: {
      sessions: Number(first?.all_sessions ?? 0n),
      calls: Number(first?.all_calls ?? 0n),
      others: Number(first?.others ?? 0n),
    },
    counted_since: stop?.toISOString() ?? null,
  };
}

const isSession = (row: Totals & Nullable<Row>): row is Totals & Row => row.session_id !== null;
