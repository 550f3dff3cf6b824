import { useNavigate, useSearch } from "@tanstack/react-router";
import { Pause, Play } from "lucide-react";
import { useState } from "react";
import { useNow } from "../../api/clock.ts";
import { formatDayTime } from "../../format.ts";
import { PageHeader } from "../../shell/PageHeader.tsx";
import { useWorkspace } from "../../shell/workspace.ts";
import { IconButton } from "../../ui/IconButton.tsx";
import { Segmented } from "../../ui/Segmented.tsx";
import { ActivityChart } from "./ActivityChart.tsx";
import { FirstSteps } from "./FirstSteps.tsx";
import { Figures } from "./Figures.tsx";
import { NeedsAttention } from "./NeedsAttention.tsx";
import { SpendChart } from "./SpendChart.tsx";
import { TopKeys } from "./TopKeys.tsx";
import { ranges } from "./ranges.ts";
import type { RangeName } from "./ranges.ts";

const refreshEveryMs = 30_000;

/** How the account or a workspace is doing. Each part loads, fails and is renewed by itself. */
export function OverviewPage() {
  const { range = "7d" } = useSearch({ from: "/signed-in/w/$workspace/overview" });
  const navigate = useNavigate({ from: "/w/$workspace/overview" });
  const [paused, setPaused] = useState(false);
  const { name } = useWorkspace();
  const now = useNow(60_000);
  const every = paused ? false : refreshEveryMs;
  return (
    <>
      <PageHeader
        title="Overview"
        sub={`${name}, ${formatDayTime(now, "UTC")} UTC`}
        actions={
          <>
            <span className="text-12 text-fg-3 max-md:hidden">
              {paused ? "Renewing is paused" : "Renewed every 30 s"}
            </span>
            <IconButton label={paused ? "Go on renewing" : "Pause renewing"} onClick={() => setPaused(!paused)}>
              {paused ? <Play size={14} aria-hidden="true" /> : <Pause size={14} aria-hidden="true" />}
            </IconButton>
            <Segmented
              label="Time range of the chart"
              size="sm"
              choices={Object.entries(ranges).map(([value, { label }]) => ({ value: value as RangeName, label }))}
              value={range}
              onChange={(next) => void navigate({ search: { range: next === "7d" ? undefined : next }, replace: true })}
            />
          </>
        }
      />
      <FirstSteps every={every} />
      <Figures every={every} />
      <div className="grid border-t border-line-2 xl:grid-cols-[minmax(0,1fr)_420px]">
        <div className="min-w-0 overflow-x-clip px-8 py-5 max-md:px-4">
          {range === "30d" ? <ActivityChart every={every} /> : <SpendChart range={ranges[range]} every={every} />}
          <TopKeys every={every} />
        </div>
        <div className="min-w-0 border-line px-8 py-5 max-xl:border-t max-md:px-4 xl:border-l">
          <NeedsAttention every={every} />
        </div>
      </div>
    </>
  );
}
