import { type ReactNode, useMemo } from "react";
import type { UsageSeries } from "#contract/activity.ts";
import type { UsageGroup } from "#contract/usage-figures.ts";
import type { Overview } from "#contract/overview.ts";
import { formatCompact, formatCount, formatUsd } from "../../format.ts";
import { allWorkspaces } from "../../paths.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Bars } from "../../ui/Bars.tsx";
import { Facts } from "../../ui/Facts.tsx";
import { NativeSelect } from "../../ui/NativeSelect.tsx";
import type { Range } from "./ranges.ts";
import { chartOrder, costsAnything, seriesName, spendBars, spendSentence } from "./spend.ts";
import { seriesOf, sums } from "./usage-reads.ts";

interface UsageChartProps {
  range: Range;
  group: UsageGroup;
  onGroup: (group: UsageGroup) => void;
  usage: Overview["usage"];
}

const groups: readonly [UsageGroup, string][] = [
  ["key", "by key"],
  ["model", "by model"],
  ["provider", "by provider"],
  ["workspace", "by workspace"],
];

/** Spend over time, told apart by what somebody asks for. */
export function UsageChart({ range, group, onGroup, usage }: UsageChartProps) {
  const { id } = useWorkspace();
  const series = useMemo(() => seriesOf(usage), [usage]);
  const offered = groups.filter(([value]) => value !== "workspace" || id === allWorkspaces || group === value);
  return (
    <Chart series={series} refused={usage.refused} range={range} group={group}>
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
