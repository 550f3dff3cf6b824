import type { Output, Parsed } from "#contract/endpoint.ts";
import type { UsageSeries } from "#contract/activity.ts";
import type { getCounts } from "#contract/counts.ts";
import type { getOverview, Overview } from "#contract/overview.ts";
import * as latency from "../calls/latency.ts";
import * as spend from "../calls/spend.ts";
import * as usage from "../calls/usage.ts";
import type { Context } from "../context.ts";
import * as destinationHealth from "../destinations/health.ts";
import * as keys from "../keys/list.ts";
import { refuseUnlessManagement } from "../permission.ts";
import { workspaceScope } from "../workspaces/scope.ts";
import * as attention from "./attention.ts";

/** What the console's overview draws, read one after the other: a page that is renewed must not crowd the store. */
export async function get(
  ctx: Context,
  query: Parsed<typeof getOverview>["query"],
): Promise<Output<typeof getOverview>> {
  refuseUnlessManagement(ctx);
  const { workspace_id } = query;
  const workspaces = await workspaceScope(ctx, workspace_id);
  const used = await usage.get(ctx, query);
  const { p50_ms, p95_ms } = (await latency.get(ctx, { workspace_id })).data;
  return {
    data: {
      ...(await usage.ever(ctx, workspaces)),
      spend: await spend.soFar(ctx, workspaces),
      usage: { ...compact(used.data), refused: used.refused },
      latency: { p50_ms, p95_ms },
      attention: await attention.get(ctx, { workspace_id }),
    },
  };
}

/** One number per point instead of eight: 6 series of a week's hours are 12 kB and not 160. */
function compact(series: readonly UsageSeries[]): Pick<Overview["usage"], "measure" | "starts" | "series"> {
  const measure = series.some(({ total }) => total.usage > 0) ? "usage" : "requests";
  return {
    measure,
    starts: series[0]?.points.map(({ at }) => at) ?? [],
    series: series.map(({ points, ...one }) => ({ ...one, values: points.map((point) => point[measure]) })),
  };
}

/** What the sidebar counts on every page. */
export async function counts(
  ctx: Context,
  { workspace_id }: Parsed<typeof getCounts>["query"],
): Promise<Output<typeof getCounts>> {
  const found = await keys.count(ctx, { workspace_id });
  return { data: { keys: found.data.all, destinations: await destinationHealth.count(ctx, workspace_id) } };
}
