import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Pause, Play } from "lucide-react";
import { lazy, Suspense, useMemo, useState } from "react";
import { minuteMs } from "#contract/time.ts";
import { useNow } from "../../api/clock.ts";
import { formatDayTime } from "../../format.ts";
import { CustomRange } from "../../form/CustomRange.tsx";
import { customDaysOf } from "../../form/day-range.ts";
import { PageHeader } from "../../shell/PageHeader.tsx";
import { useShortcut } from "../../shell/shortcuts.ts";
import { QueryBoundary } from "../../shell/QueryBoundary.tsx";
import { UpdatedAgo } from "../../shell/UpdatedAgo.tsx";
import { useWorkspace } from "../../shell/workspace.ts";
import { IconButton } from "../../ui/IconButton.tsx";
import { Region } from "../../ui/Region.tsx";
import { Segmented } from "../../ui/Segmented.tsx";
import { useFirstSteps } from "./first-steps.ts";
import { FirstCallArrived } from "./FirstCallArrived.tsx";
import { FailingDestinations, KeysNearLimit, SlowCalls } from "./LinkedFigures.tsx";
import { NeedsAttention } from "./NeedsAttention.tsx";
import { BesideAttention, OverviewLayout, WaitingLayout, WaitingOverview } from "./OverviewLayout.tsx";
import { RangeFigures } from "./RangeFigures.tsx";
import { SpendFigures } from "./SpendFigures.tsx";
import { TopGroups } from "./TopGroups.tsx";
import { UsageChart } from "./UsageChart.tsx";
import { rangeLabels, RangeName, rangeOf, type OverviewSearch } from "./ranges.ts";
import { overviewOf } from "./usage-reads.ts";

/** Only an installation without calls has first steps. */
const FirstSteps = lazy(async () => ({ default: (await import("./FirstSteps.tsx")).FirstSteps }));

const refreshEveryMs = 30_000;
/** Someone who makes the first call watches the page for it. */
const lookEveryMs = 5_000;

/** How the account or a workspace is doing: one read, so that all figures are of the same moment. */
export function OverviewPage() {
  const search: OverviewSearch = useSearch({ from: "/signed-in/w/$workspace/overview" });
  const navigate = useNavigate({ from: "/w/$workspace/overview" });
  const [paused, setPaused] = useState(false);
  const { id, name, record } = useWorkspace();
  const now = useNow(minuteMs);
  const today = now.toISOString().slice(0, 10);
  // the range as asked for changes at midnight, not with every tick of the clock
  const range = useMemo(() => rangeOf(search, new Date(`${today}T12:00:00Z`)), [search, today]);
  const every = paused ? false : refreshEveryMs;
  const group = search.group ?? "key";
  const read = useQuery(overviewOf({ workspaceId: id, range, group, every }));
  const called = read.data?.data.called ?? (read.isError ? "unknown" : undefined);
  const { steps, call, hide } = useFirstSteps(id, called, paused ? false : lookEveryMs);
  const stepping = steps !== null && steps !== "done";
  // what the playground called has figures too, while nobody's program has called
  const figures = !stepping || read.data?.data.used === true;
  // to what the address says by then, which may be ahead of `search`
  const change = (some: OverviewSearch) =>
    void navigate({ search: (before) => ({ ...before, ...some }), replace: true });
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
          figures && (
            <>
              <span className="min-w-26 text-right text-12 text-fg-3 max-md:hidden">
                {paused ? "Auto-refresh paused" : <UpdatedAgo at={read.dataUpdatedAt} />}
              </span>
              <IconButton
                label={paused ? "Resume auto-refresh" : "Pause auto-refresh"}
                onClick={() => setPaused(!paused)}
              >
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
          )
        }
      />
      {figures && search.range === "custom" && (
        <CustomRange
          search={search}
          now={now}
          onChange={(day) =>
            void navigate({ search: (before) => ({ ...before, ...customDaysOf(before, now), ...day }), replace: true })
          }
        />
      )}
      {steps === null && (
        <Region label="the overview" busy>
          <WaitingOverview />
        </Region>
      )}
      {stepping && (
        <Suspense fallback={<WaitingOverview />}>
          {record === undefined || figures ? (
            <FirstSteps seen={steps} />
          ) : (
            // what fails in the rest of the installation fails this workspace's first call as well
            <BesideAttention attention={<NeedsAttention read={read} />}>
              <FirstSteps seen={steps} />
            </BesideAttention>
          )}
        </Suspense>
      )}
      {call !== null && <FirstCallArrived id={call} onHide={hide} />}
      {steps !== null && figures && (
        <QueryBoundary key={id} query={read} what="the overview" skeleton={<WaitingLayout />}>
          {({ data: { spend, usage, latency, attention } }) => (
            // each figure is the way to what it counts
            <OverviewLayout
              spend={<SpendFigures spent={spend} />}
              figures={
                <>
                  <RangeFigures range={range} search={search} usage={usage} />
                  <SlowCalls latency={latency} />
                  <KeysNearLimit near={attention.totals.near_limit} />
                  <FailingDestinations />
                </>
              }
              usage={
                <>
                  <UsageChart
                    range={range}
                    search={search}
                    group={group}
                    onGroup={(chosen) => change({ group: chosen === "key" ? undefined : chosen })}
                    usage={usage}
                  />
                  <TopGroups range={range} search={search} group={group} series={usage.series} />
                </>
              }
              attention={<NeedsAttention read={read} />}
            />
          )}
        </QueryBoundary>
      )}
    </>
  );
}
