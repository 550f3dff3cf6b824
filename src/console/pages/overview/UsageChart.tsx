import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { UsageGroup, UsageSeries } from "#contract/activity.ts";
import { formatCompact, formatCount, formatUsd } from "../../format.ts";
import { allWorkspaces } from "../../paths.ts";
import { QueryBoundary } from "../../shell/QueryBoundary.tsx";
import { useWorkspace } from "../../shell/workspace.ts";
import { Bars } from "../../ui/Bars.tsx";
import { Facts } from "../../ui/Facts.tsx";
import { NativeSelect } from "../../ui/NativeSelect.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import type { Range } from "./ranges.ts";
import { chartOrder, costsAnything, seriesName, spendBars, spendSentence } from "./spend.ts";
import { sums, usageOver } from "./usage-reads.ts";

interface UsageChartProps {
  range: Range;
  group: UsageGroup;
  onGroup: (group: UsageGroup) => void;
  every: number | false;
}

const groups: readonly [UsageGroup, string][] = [
  ["key", "by key"],
  ["model", "by model"],
  ["provider", "by provider"],
  ["workspace", "by workspace"],
];

/** Spend over time, told apart by what somebody asks for. */
export function UsageChart({ range, group, onGroup, every }: UsageChartProps) {
  const { id } = useWorkspace();
  const usage = useQuery({
    ...usageOver({ workspaceId: id, range, group, every }),
    placeholderData: (before) => before,
  });
  const offered = groups.filter(([value]) => value !== "workspace" || id === allWorkspaces || group === value);
  return (
    <QueryBoundary query={usage} what="the spend over time" skeleton={<Skeleton height={350} />}>
      {({ data, refused }) => (
        <Chart series={data} refused={refused} range={range} group={group}>
          <NativeSelect
            aria-label="Group the spend"
            size="sm"
            value={group}
            onChange={(event) => onGroup(event.target.value as UsageGroup)}
            className="w-36 shrink-0"
          >
            {offered.map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </NativeSelect>
        </Chart>
      )}
    </QueryBoundary>
  );
}

interface ChartProps {
  series: readonly UsageSeries[];
  refused: { total: number; points: readonly number[] };
  range: Range;
  group: UsageGroup;
  /** in the chart's head */
  children: ReactNode;
}

function Chart({ series, refused, range, group, children }: ChartProps) {
  const { total } = sums(series);
  const money = costsAnything(series);
  const stacked = chartOrder(series);
  return (
    <>
      <Bars
        title={`${money ? "Spend" : "Calls"} per ${range.by}`}
        sentence={spendSentence(series, group, range.words, refused.total)}
        bars={spendBars(stacked, range.by, refused.points)}
        format={money ? (usd) => formatUsd(usd) : formatCount}
        counts={!money}
        unit={range.by === "hour" ? "Hour" : "Day"}
        aside={children}
        {...(stacked.length > 1 && { parts: stacked.map(seriesName) })}
      />
      <Facts
        className="pt-3"
        columns={2}
        facts={[
          { term: "Input tokens", value: formatCompact(total.prompt_tokens) },
          { term: "Output tokens", value: formatCompact(total.completion_tokens) },
          { term: "Saved by the cache", value: formatUsd(total.saved) },
          { term: "With own provider keys", value: formatUsd(total.byok_usage) },
        ]}
      />
    </>
  );
}
