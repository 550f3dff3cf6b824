import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import type { UsageGroup } from "#contract/usage-figures.ts";
import type { Overview } from "#contract/overview.ts";
import { formatCompact, formatUsd } from "../../format.ts";
import { allWorkspaces, paths } from "../../paths.ts";
import { UsageChart as Chart } from "../../shell/UsageChart.tsx";
import { seriesName } from "../../shell/usage-words.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Facts } from "../../ui/Facts.tsx";
import { NativeSelect } from "../../ui/NativeSelect.tsx";
import { usageSearchOf, type OverviewSearch, type Range } from "./ranges.ts";
import { chartOrder, spendSentence } from "./spend.ts";
import { sums } from "./usage-reads.ts";

interface UsageChartProps {
  range: Range;
  search: OverviewSearch;
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
export function UsageChart({ range, search, group, onGroup, usage }: UsageChartProps) {
  const { id, path } = useWorkspace();
  const { series, starts, refused, measure } = usage;
  const stacked = useMemo(() => chartOrder(series), [series]);
  const points = useMemo(() => ({ by: range.by, starts, refused: refused.points }), [range.by, starts, refused.points]);
  const offered = groups.filter(([value]) => value !== "workspace" || id === allWorkspaces || group === value);
  const { total } = sums(series);
  return (
    <>
      <Chart
        series={stacked}
        points={points}
        money={measure === "usage"}
        sentence={spendSentence(series, group, range.words, refused.total)}
        renderSeries={(one) => (
          <Link to={paths.usage(path)} search={usageSearchOf(search, group)} className="hover:underline">
            {seriesName(one)}
          </Link>
        )}
        aside={
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
        }
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
