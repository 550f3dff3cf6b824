import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import type { getUsage } from "#contract/activity.ts";
import type { Output } from "#contract/endpoint.ts";
import { minuteMs } from "#contract/time.ts";
import { maxReportRows, type UsageReport } from "#contract/usage-report.ts";
import { useNow } from "../../api/clock.ts";
import { everyWorkspace } from "../../api/workspaces.ts";
import { CustomRange } from "../../form/CustomRange.tsx";
import { customDaysOf } from "../../form/day-range.ts";
import { formatCount, formatDayTime } from "../../format.ts";
import { paths, workspaceInPath } from "../../paths.ts";
import { PageHeader } from "../../shell/PageHeader.tsx";
import { QueryBoundary } from "../../shell/QueryBoundary.tsx";
import { UsageChart } from "../../shell/UsageChart.tsx";
import { useWorkspace } from "../../shell/workspace.ts";
import { Table, TableSkeleton } from "../../table/Table.tsx";
import { Button } from "../../ui/Button.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { repeatedNames } from "./labels.ts";
import { type Line, linesOf, sortedBy } from "./lines.ts";
import { periodOf, stretchWords, type UsagePeriod } from "./periods.ts";
import type { UsageSearch } from "./search.ts";
import { usageColumns } from "./usage-columns.tsx";
import { pointsOf, reportOf } from "./usage-reads.ts";
import { usageSentence } from "./usage-sentence.ts";
import { UsageControls } from "./UsageControls.tsx";
import { UsageExport } from "./UsageExport.tsx";

const firstRows = 50;

/** What was used in a period, by what, compared with the one before: for the question of every month's end. */
export function UsagePage() {
  const search: UsageSearch = useSearch({ from: "/signed-in/w/$workspace/usage" });
  const navigate = useNavigate({ from: "/w/$workspace/usage" });
  const { id, name } = useWorkspace();
  const now = useNow(minuteMs);
  const hour = now.toISOString().slice(0, 13);
  // the period as asked for changes with the hour, not with every tick of the clock
  const period = useMemo(() => periodOf(search, new Date(`${hour}:30:00Z`)), [search, hour]);
  const of = JSON.stringify([id, search]);
  const [more, setMore] = useState({ of, rows: firstRows });
  const limit = more.of === of ? more.rows : firstRows;
  const report = useQuery(reportOf({ workspaceId: id, search, period, limit }));
  const points = useQuery(pointsOf({ workspaceId: id, search, period }));
  const change = (some: UsageSearch) => void navigate({ search: (before) => ({ ...before, ...some }), replace: true });
  return (
    <>
      <PageHeader
        title="Usage"
        sub={`${name}, ${stretchWords(period, now)}, UTC`}
        stacked
        actions={<UsageExport search={search} period={period} />}
      />
      <UsageControls search={search} onChange={change} />
      {search.period === "custom" && (
        <CustomRange search={search} now={now} onChange={(day) => change({ ...customDaysOf(search, now), ...day })} />
      )}
      <div className="px-8 pt-5 pb-6 max-md:px-4">
        <QueryBoundary
          key={`chart ${id}`}
          query={points}
          what="the usage over time"
          skeleton={<Skeleton height={330} />}
        >
          {(data) => <Chart usage={data} report={report.data?.data} period={period} now={now} />}
        </QueryBoundary>
      </div>
      <div className="pb-6">
        <QueryBoundary
          key={`rows ${id}`}
          query={report}
          what="the usage"
          skeleton={<TableSkeleton columns={usageColumns({ and: false, ownKeys: false })} rows={8} />}
        >
          {({ data }) => (
            <Rows
              report={data}
              search={search}
              period={period}
              now={now}
              onSort={(column) => change(sortedBy(search, column))}
              onMore={() => setMore({ of, rows: Math.min(limit * 4, maxReportRows) })}
              waiting={report.isPlaceholderData}
            />
          )}
        </QueryBoundary>
      </div>
    </>
  );
}

interface ChartProps {
  usage: Output<typeof getUsage>;
  report: UsageReport | undefined;
  period: UsagePeriod;
  now: Date;
}

function Chart({ usage: { data, refused }, report, period, now }: ChartProps) {
  const money = data.some(({ total }) => total.usage > 0);
  const series = useMemo(
    () =>
      data.map(({ group, name, points }) => ({
        group,
        name,
        values: points.map((point) => (money ? point.usage : point.requests)),
      })),
    [data, money],
  );
  const starts = data[0]?.points.map(({ at }) => at) ?? [];
  return (
    <UsageChart
      series={series}
      points={{ by: period.by, starts, refused: refused.points }}
      money={money}
      sentence={report === undefined ? "" : usageSentence(report, refused.total, now)}
    />
  );
}

interface RowsProps {
  report: UsageReport;
  search: UsageSearch;
  period: UsagePeriod;
  now: Date;
  onSort: (column: string) => void;
  onMore: () => void;
  /** other rows are on their way */
  waiting: boolean;
}

function Rows({ report, search, period, now, onSort, onMore, waiting }: RowsProps) {
  const { path } = useWorkspace();
  const workspaces = useQuery(everyWorkspace).data;
  const by = search.by ?? "key";
  const and = search.and === by ? undefined : search.and;
  const nth = by === "workspace" ? 0 : and === "workspace" ? 1 : -1;
  const callsPath = (line: Line) => {
    const own = workspaces?.find(({ id }) => id === line.groups[nth]?.id);
    return paths.calls(own === undefined ? path : workspaceInPath(own));
  };
  // the sentence over the chart says so
  if (report.total.requests === 0) return null;
  return (
    <>
      <Table
        label="Usage"
        columns={usageColumns({ and: and !== undefined, ownKeys: report.total.byok_usage > 0 })}
        context={{
          search,
          by,
          and,
          period,
          total: report.total,
          repeated: repeatedNames(report.rows.flatMap(({ groups }) => groups)),
          uncounted: "Not counted by row",
          callsPath,
        }}
        rows={linesOf(report)}
        rowId={({ id }) => id}
        rowClass={({ kind }) => kind === "total" && "[&>*]:bg-bg-2!"}
        sort={{ column: search.sort ?? "usage", order: search.order ?? (search.sort === "name" ? "asc" : "desc") }}
        onSort={onSort}
        className={and === undefined ? "min-w-270" : "min-w-300"}
      />
      <div className="grid justify-items-start gap-2 px-8 pt-3 text-12 text-fg-3 max-md:px-4">
        {report.rows.length < report.row_count && (
          <div className="flex flex-wrap items-center gap-3" role="status">
            {report.rows.length < maxReportRows && (
              <Button size="sm" pending={waiting} onClick={onMore}>
                Show more
              </Button>
            )}
            <span>
              {formatCount(report.rows.length)} of {formatCount(report.row_count)} rows are shown. The total is of all
              of them, and the CSV has them all.
            </span>
          </div>
        )}
        {report.uncounted !== null && (
          <p>
            By session and by app the calls themselves are read, at most the 50,000 latest of those that are kept: here
            those since {formatDayTime(new Date(report.uncounted.since), "UTC")} UTC. The total is of all calls.
          </p>
        )}
        <p>
          A call counts in the UTC hour in which it ended. Change is the cost against{" "}
          {stretchWords({ since: new Date(report.compared_since), until: new Date(report.compared_until) }, now)}.
        </p>
      </div>
    </>
  );
}
