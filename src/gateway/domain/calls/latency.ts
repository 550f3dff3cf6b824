import { sql } from "kysely";
import type { getLatency } from "#contract/activity.ts";
import type { Output, Parsed } from "#contract/endpoint.ts";
import { dayMs } from "#contract/time.ts";
import type { Context } from "../context.ts";
import { refuseUnlessManagement } from "../permission.ts";
import { workspaceScope } from "../workspaces/scope.ts";

/** A sample this large gives percentiles close enough to the exact ones, and is read in milliseconds. */
const sample = 10_000;

/**
 * Latency of the answered calls of the last 24 hours. The rollup says how many calls each workspace had; each is then
 * read backward through the ledger's primary key (workspace, time, id), for its share of a bounded number of rows.
 */
export async function get(ctx: Context, query: Parsed<typeof getLatency>["query"]): Promise<Output<typeof getLatency>> {
  refuseUnlessManagement(ctx);
  const workspaces = await workspaceScope(ctx, query.workspace_id);
  const since = new Date(ctx.now().getTime() - dayMs);
  const { rows } = await sql<{ p50: number | null; p95: number | null; calls: bigint; total: bigint }>`
    with busy as (
      select w.id, sum(u.requests) as requests
      from unnest(${workspaces}::uuid[]) as w (id)
      join usage_hourly u on u.workspace_id = w.id and u.hour >= date_trunc('hour', ${since}::timestamptz, 'UTC')
      group by w.id
    ), shares as (
      select id, ceil(least(requests, ${sample} * requests / sum(requests) over ()))::bigint as share from busy
    ), looked as (
      select l.duration_ms, l.status
      from shares s
      cross join lateral (
        select duration_ms, status from ledger
        where workspace_id = s.id and created_at >= ${since}
        order by created_at desc, id desc
        limit s.share
      ) as l
    )
    select percentile_disc(0.5) within group (order by duration_ms) filter (where status < 400) as p50,
      percentile_disc(0.95) within group (order by duration_ms) filter (where status < 400) as p95,
      count(*) as calls,
      coalesce((select sum(requests)::bigint from busy), 0) as total
    from looked`.execute(ctx.store.db);
  const row = rows[0];
  return {
    data: {
      p50_ms: row?.p50 ?? null,
      p95_ms: row?.p95 ?? null,
      calls: Number(row?.calls ?? 0n),
      all: (row?.total ?? 0n) <= BigInt(sample),
      since: since.toISOString(),
    },
  };
}
