import { useQuery } from "@tanstack/react-query";
import type { UsageGroup, UsageSeries } from "#contract/activity.ts";
import { formatCompact, formatCount, formatUsd } from "../../format.ts";
import { allWorkspaces } from "../../paths.ts";
import { Reading } from "../../shell/Reading.tsx";
import { useWorkspace } from "../../shell/workspace.ts";
import { Bars } from "../../ui/Bars.tsx";
import { Facts } from "../../ui/Facts.tsx";
import { NativeSelect } from "../../ui/NativeSelect.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import type { Range } from "./ranges.ts";
import { costsAnything, seriesName, spendBars, spendSentence } from "./spend.ts";
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
    <Reading query={usage} what="the spend over time" skeleton={<Skeleton height={350} />}>
      {({ data }) => (
        <>
          <div className="flex justify-end pb-3">
            <NativeSelect
              aria-label="Tell the spend apart"
              size="sm"
              value={group}
              onChange={(event) => onGroup(event.target.value as UsageGroup)}
              className="w-36"
            >
              {offered.map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </NativeSelect>
          </div>
          <Chart series={data} range={range} group={group} />
        </>
      )}
    </Reading>
  );
}

function Chart({ series, range, group }: { series: readonly UsageSeries[]; range: Range; group: UsageGroup }) {
  const { total } = sums(series);
  const money = costsAnything(series);
  return (
    <>
      <Bars
        title={`${money ? "Spend" : "Calls"} per ${range.by}`}
        sentence={spendSentence(series, group, range.words)}
        bars={spendBars(series, range.by)}
        format={money ? (usd) => formatUsd(usd) : formatCount}
        unit={range.by === "hour" ? "Hour" : "Day"}
        {...(series.length > 1 && { parts: [nameOf(series[0]), othersOf(series)] as const })}
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

function nameOf(series: UsageSeries | undefined): string {
  return series === undefined ? "" : seriesName(series);
}

function othersOf(series: readonly UsageSeries[]): string {
  return series.length === 2
    ? nameOf(series[1])
    : `${series.slice(1, 3).map(seriesName).join(", ")}${series.length > 3 ? " and others" : ""}`;
}
