import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Pause, Play } from "lucide-react";
import { useMemo, useState } from "react";
import { useNow } from "../../api/clock.ts";
import { formatAgo, formatDayTime } from "../../format.ts";
import { PageHeader } from "../../shell/PageHeader.tsx";
import { useShortcut } from "../../shell/shortcuts.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { IconButton } from "../../ui/IconButton.tsx";
import { UpdatedAgo } from "../../ui/Region.tsx";
import { Segmented } from "../../ui/Segmented.tsx";
import { CustomRange } from "./CustomRange.tsx";
import { FirstSteps } from "./FirstSteps.tsx";
import { Figures } from "./Figures.tsx";
import { NeedsAttention } from "./NeedsAttention.tsx";
import { TopKeys } from "./TopKeys.tsx";
import { UsageChart } from "./UsageChart.tsx";
import { rangeLabels, RangeName, rangeOf } from "./ranges.ts";
import type { OverviewSearch } from "./ranges.ts";
import { usageOver } from "./usage-reads.ts";

const refreshEveryMs = 30_000;

/** How the account or a workspace is doing. Each part loads, fails and is renewed by itself. */
export function OverviewPage() {
  const search: OverviewSearch = useSearch({ from: "/signed-in/w/$workspace/overview" });
  const navigate = useNavigate({ from: "/w/$workspace/overview" });
  const [paused, setPaused] = useState(false);
  const { id, name } = useWorkspace();
  const now = useNow(60_000);
  const today = now.toISOString().slice(0, 10);
  // the range as asked for changes at midnight, not with every tick of the clock
  const range = useMemo(() => rangeOf(search, new Date(`${today}T12:00:00Z`)), [search, today]);
  const every = paused ? false : refreshEveryMs;
  const { dataUpdatedAt } = useQuery(usageOver({ workspaceId: id, range, every }));
  const change = (some: OverviewSearch) => void navigate({ search: { ...search, ...some }, replace: true });
  const choose = (chosen: RangeName) =>
    change({
      range: chosen === "7d" ? undefined : chosen,
      ...(chosen !== "custom" && { from: undefined, to: undefined }),
    });
  useShortcut("1", "The last 24 hours", () => choose("24h"));
  useShortcut("7", "The last 7 days", () => choose("7d"));
  useShortcut("3", "The last 30 days", () => choose("30d"));
  return (
    <>
      <PageHeader
        title="Overview"
        sub={`${name}, ${formatDayTime(now, "UTC")} UTC`}
        actions={
          <>
            <span className="text-12 text-fg-3 max-md:hidden">
              {paused ? "Renewing is paused" : <Updated at={dataUpdatedAt} />}
            </span>
            <IconButton label={paused ? "Go on renewing" : "Pause renewing"} onClick={() => setPaused(!paused)}>
              {paused ? <Play size={14} aria-hidden="true" /> : <Pause size={14} aria-hidden="true" />}
            </IconButton>
            <Segmented
              label="Time range"
              size="sm"
              choices={RangeName.options.map((value) => ({ value, label: rangeLabels[value] }))}
              value={search.range ?? "7d"}
              onChange={choose}
            />
          </>
        }
      />
      {search.range === "custom" && <CustomRange search={search} now={now} onChange={change} />}
      <FirstSteps every={every} />
      <Figures range={range} every={every} />
      <div className="grid border-t border-line-2 xl:grid-cols-[minmax(0,1fr)_420px]">
        <div className="min-w-0 overflow-x-clip px-8 py-5 max-md:px-4">
          <UsageChart
            range={range}
            group={search.group ?? "key"}
            onGroup={(group) => change({ group: group === "key" ? undefined : group })}
            every={every}
          />
          <TopKeys range={range} every={every} />
        </div>
        <div className="min-w-0 border-line px-8 py-5 max-xl:border-t max-md:px-4 xl:border-l">
          <NeedsAttention every={every} />
        </div>
      </div>
    </>
  );
}

/** Query clients stamp with the browser's clock, so the age is told from it as well. */
function Updated({ at }: { at: number }) {
  return <UpdatedAgo at={at === 0 ? null : new Date(at)} format={(read, to) => formatAgo(read, "UTC", to)} />;
}
