import { queryOptions } from "@tanstack/react-query";
import type { UsageSeries } from "#contract/activity.ts";
import type { UsageFigures, UsageGroup } from "#contract/usage-figures.ts";
import { getOverview } from "#contract/overview.ts";
import { query } from "../../api/query.ts";
import type { Range } from "./ranges.ts";

interface Wanted {
  workspaceId: string | undefined;
  range: Pick<Range, "by" | "last" | "until">;
  group: UsageGroup;
  every: number | false;
}

/** Everything that the page draws, renewed by itself. While another range is read, what is there of the workspace stays. */
export function overviewOf({ workspaceId, range, group, every }: Wanted) {
  const workspace_id = workspaceId ?? "all";
  const asked = {
    workspace_id,
    by: range.by,
    last: String(range.last),
    ...(range.until !== undefined && { until: range.until }),
    group_by: group,
  };
  return queryOptions({
    ...query(getOverview, { query: asked }),
    enabled: workspaceId !== undefined,
    refetchInterval: every,
    placeholderData: (before, of) => {
      const [, input] = of?.queryKey ?? [];
      const { query: of_ = {} } = (input ?? {}) as { query?: { workspace_id?: string } };
      return of_.workspace_id === workspace_id ? before : undefined;
    },
  });
}

/** All series together: of the range, and of the equally long stretch before it. */
export function sums(series: readonly Pick<UsageSeries, "total" | "previous">[]): {
  total: UsageFigures;
  previous: UsageFigures;
} {
  const add = (pick: (one: Pick<UsageSeries, "total" | "previous">) => UsageFigures) =>
    series.map(pick).reduce((all, one) => {
      const sum = { ...all };
      for (const member of Object.keys(one) as (keyof UsageFigures)[]) sum[member] += one[member];
      return sum;
    }, nothing);
  return { total: add((one) => one.total), previous: add((one) => one.previous) };
}

const nothing: UsageFigures = {
  usage: 0,
  byok_usage: 0,
  saved: 0,
  requests: 0,
  failures: 0,
  prompt_tokens: 0,
  completion_tokens: 0,
  reasoning_tokens: 0,
};
