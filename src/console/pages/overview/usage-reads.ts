import { queryOptions } from "@tanstack/react-query";
import { getUsage, type UsageFigures, type UsageGroup, type UsageSeries } from "#contract/activity.ts";
import { query } from "../../api/query.ts";
import type { Range } from "./ranges.ts";

interface Wanted {
  workspaceId: string | undefined;
  range: Pick<Range, "by" | "last" | "until">;
  group?: UsageGroup;
  every: number | false;
}

/** Usage over a range, renewed by itself. Parts of the page that want the same share one read. */
export function usageOver({ workspaceId, range, group, every }: Wanted) {
  return queryOptions({
    ...query(getUsage, {
      query: {
        workspace_id: workspaceId ?? "all",
        by: range.by,
        last: String(range.last),
        ...(range.until !== undefined && { until: range.until }),
        ...(group !== undefined && { group_by: group }),
      },
    }),
    enabled: workspaceId !== undefined,
    refetchInterval: every,
  });
}

/** All series together: of the range, and of the equally long stretch before it. */
export function sums(series: readonly UsageSeries[]): { total: UsageFigures; previous: UsageFigures } {
  const add = (pick: (one: UsageSeries) => UsageFigures) =>
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
