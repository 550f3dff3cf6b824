import { queryOptions } from "@tanstack/react-query";
import { getUsage } from "#contract/activity.ts";
import { getUsageReport, type ReportGroup } from "#contract/usage-report.ts";
import { query } from "../../api/query.ts";
import type { UsagePeriod } from "./periods.ts";
import type { UsageSearch } from "./search.ts";

const refreshEveryMs = 30_000;

interface Wanted {
  workspaceId: string | undefined;
  search: UsageSearch;
  period: UsagePeriod;
}

/** The query of a report, but for what of its rows is read. */
export function reportQuery({ workspaceId, search, period }: Wanted) {
  const { by = "key", and } = search;
  return {
    workspace_id: workspaceId ?? "all",
    since: period.since.toISOString(),
    until: period.until.toISOString(),
    compared_since: period.compared.since.toISOString(),
    compared_until: period.compared.until.toISOString(),
    group_by: by,
    ...(and !== undefined && and !== by && { then_by: and }),
  };
}

/** The rows of the table, as many as are shown. */
export function reportOf(wanted: Wanted & { limit: number }) {
  const { sort, order } = wanted.search;
  const asked = {
    ...reportQuery(wanted),
    ...(sort !== undefined && { sort }),
    ...(order !== undefined && { order }),
    limit: String(wanted.limit),
  };
  return queryOptions({ ...query(getUsageReport, { query: asked }), ...renewed(wanted, asked.workspace_id) });
}

const charted = ["key", "model", "provider", "workspace"] as const satisfies ReportGroup[];

/** The chart's points, by the first grouping where there are sums by hour of it. */
export function pointsOf(wanted: Wanted) {
  const { by, last, live, until } = wanted.period;
  const group = charted.find((one) => one === (wanted.search.by ?? "key"));
  const asked = {
    workspace_id: wanted.workspaceId ?? "all",
    by,
    last: String(last),
    // the last second of the period is in it
    ...(!live && { until: new Date(until.getTime() - 1_000).toISOString() }),
    ...(group !== undefined && { group_by: group }),
  };
  return queryOptions({ ...query(getUsage, { query: asked }), ...renewed(wanted, asked.workspace_id) });
}

/** While something else is asked for, what is there of the workspace stays. */
function renewed({ workspaceId, period }: Wanted, workspace: string) {
  return {
    enabled: workspaceId !== undefined,
    refetchInterval: period.live ? refreshEveryMs : (false as const),
    placeholderData: <Data>(before: Data | undefined, of: { queryKey: readonly unknown[] } | undefined) => {
      const { query: asked = {} } = (of?.queryKey[1] ?? {}) as { query?: { workspace_id?: string } };
      return asked.workspace_id === workspace ? before : undefined;
    },
  };
}
