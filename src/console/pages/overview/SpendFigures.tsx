import { useQueries } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useNow } from "../../api/clock.ts";
import { formatDay, formatUsd } from "../../format.ts";
import { allWorkspaces, paths } from "../../paths.ts";
import { Reading } from "../../shell/Reading.tsx";
import { useWorkspace } from "../../shell/workspace.ts";
import { Money } from "../../ui/Money.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { spendFigures } from "./spend-figures.ts";
import { changeWords } from "./spend.ts";
import { usageOver } from "./usage-reads.ts";

/** Nobody has to look at a day that is a little dearer than the one before. */
const steep = 0.3;

/** What was spent in the UTC day, week and month that are under way. */
export function SpendFigures({ every }: { every: number | false }) {
  const { id, path } = useWorkspace();
  const now = useNow(60_000);
  const [days, hours] = useQueries({
    queries: [
      usageOver({ workspaceId: id, range: { by: "day", last: 62 }, every }),
      usageOver({ workspaceId: id, range: { by: "hour", last: 48 }, every }),
    ],
  });
  return (
    <Reading query={days} what="the spend so far" skeleton={<Waiting />}>
      {({ data }) => {
        const hourly = hours.data?.data[0]?.points ?? [];
        const spent = spendFigures(data[0]?.points ?? [], hourly, now);
        const byNow = changeWords(spent.today, spent.yesterdayByNow);
        const byLastWeek = changeWords(spent.week, spent.lastWeekByNow);
        const isSteep = spent.yesterdayByNow > 0 && spent.today / spent.yesterdayByNow >= 1 + steep;
        const pace = spent.monthAtThisPace;
        const to = id === allWorkspaces ? paths.workspaces(path) : paths.keys(path);
        return (
          <div className="grid gap-x-6 gap-y-5 md:grid-cols-3">
            <Spend label="Spend today" usd={spent.today} to={to} warn={isSteep}>
              {byNow === undefined ? "since 00:00 UTC" : `${byNow} on yesterday by this hour`}
            </Spend>
            <Spend label="This week, since Mon 00:00 UTC" usd={spent.week} to={to}>
              {byLastWeek === undefined ? "nothing in the same part of last week" : `${byLastWeek} on last week by now`}
            </Spend>
            <Spend label="This month" usd={spent.month} to={to}>
              {pace === null || pace === 0
                ? `until ${formatDay(spent.monthEnds, "UTC", now)}`
                : `at this pace ${formatUsd(pace)} by ${formatDay(spent.monthEnds, "UTC", now)}`}
            </Spend>
          </div>
        );
      }}
    </Reading>
  );
}

interface SpendProps {
  label: string;
  usd: number;
  to: string;
  warn?: boolean;
  children: string;
}

function Spend({ label, usd, to, warn, children }: SpendProps) {
  return (
    <div className="grid content-start gap-1.5 border-line not-first:md:border-l not-first:md:pl-6">
      <h2 className="text-12 font-normal text-fg-3">{label}</h2>
      <Link to={to} className="w-fit text-28 tracking-tight hover:underline">
        <Money usd={usd} />
      </Link>
      <p className={`text-12 ${warn ? "text-warn-fg" : "text-fg-2"}`}>{children}</p>
    </div>
  );
}

function Waiting() {
  return (
    <div className="grid gap-6 md:grid-cols-3">
      {[0, 1, 2].map((figure) => (
        <div key={figure} className="grid gap-3">
          <Skeleton width={132} />
          <Skeleton width={120} height={26} />
          <Skeleton width={148} />
        </div>
      ))}
    </div>
  );
}
