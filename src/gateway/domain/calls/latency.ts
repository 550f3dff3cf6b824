import { sql } from "kysely";
import type { getLatency } from "#contract/activity.ts";
import type { Output, Parsed } from "#contract/endpoint.ts";
import { dayMs } from "#contract/time.ts";
import type { Context } from "../context.ts";
import { refuseUnlessManagement } from "../permission.ts";
import { newestCalls } from "./newest-calls.ts";
import { workspaceScope } from "../workspaces/scope.ts";

/** A sample this large gives percentiles close enough to the exact ones, and is read in milliseconds. */
const sample = 10_000;

/** Latency of the answered calls of the last 24 hours. */
export async function get(ctx: Context, query: Parsed<typeof getLatency>["query"]): Promise<Output<typeof getLatency>> {
  refuseUnlessManagement(ctx);
  const workspaces = await workspaceScope(ctx, query.workspace_id);
  const since = new Date(ctx.now().getTime() - dayMs);
  const { rows } = await sql<{ p50: number | null; p95: number | null; calls: bigint; total: bigint }>`
    with ${newestCalls({ workspaces, since, most: sample })}
    select percentile_disc(0.5) within group (order by duration_ms) filter (where status < 400) as p50,
      percentile_disc(0.95) within group (order by duration_ms) filter (where status < 400) as p95,
      count(*) as calls,
      coalesce((select sum(requests)::bigint from busy), 0) as total
    from newest`.execute(ctx.store.db);
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
