import { Link } from "@tanstack/react-router";
import type { SpendSoFar } from "#contract/overview.ts";
import { minuteMs } from "#contract/time.ts";
import { useNow } from "../../api/clock.ts";
import { formatDay, formatUsd, formatUsdShort } from "../../format.ts";
import { paths } from "../../paths.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { changeWords } from "../../shell/usage-words.ts";
import { Money } from "../../ui/Money.tsx";
import { tip } from "../../ui/Tooltip.tsx";
import { Region } from "../../ui/Region.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";

/** A day slightly more expensive than the one before needs no attention. */
const steep = 0.3;

/** What was spent in the UTC day, week and month that are under way. */
export function SpendFigures({ spent }: { spent: SpendSoFar }) {
  const now = useNow(minuteMs);
  const byNow = changeWords(spent.today, spent.yesterday_by_now);
  const byLastWeek = changeWords(spent.week, spent.last_week_by_now);
  const isSteep = spent.yesterday_by_now > 0 && spent.today / spent.yesterday_by_now >= 1 + steep;
  const pace = spent.month_at_this_pace;
  const ends = formatDay(new Date(spent.month_ends), "UTC", now);
  return (
    <Region label="the spend so far" className="grid content-start gap-x-6 gap-y-5 md:grid-cols-3">
      <Spend label="Spend today" usd={spent.today} period="today" warn={isSteep}>
        {byNow === undefined ? "since 00:00 UTC" : `${byNow} on yesterday by this hour`}
      </Spend>
      <Spend label="This week, since Mon 00:00 UTC" usd={spent.week} period="week">
        {byLastWeek === undefined ? "no spend by now last week" : `${byLastWeek} on last week by now`}
      </Spend>
      <Spend label="This month" usd={spent.month} period="month">
        {pace === null || pace === 0 ? `until ${ends}` : `at this pace ${formatUsd(pace)} by ${ends}`}
      </Spend>
    </Region>
  );
}

/** "$999,999.99": a longer sum is written smaller. */
const longest = 11;

interface SpendProps {
  label: string;
  usd: number;
  /** what it sums up, on the page of usage */
  period: "today" | "week" | "month";
  warn?: boolean;
  children: string;
}

function Spend({ label, usd, period, warn, children }: SpendProps) {
  const { path } = useWorkspace();
  const [short, exact] = [formatUsdShort(usd), formatUsd(usd, { exact: true })];
  return (
    <div className="grid h-19 content-start gap-1.5 border-line not-first:md:border-l not-first:md:pl-6">
      <h2 className="text-12 font-normal text-fg-3">{label}</h2>
      <Link
        to={paths.usage(path)}
        search={period === "month" ? {} : { period }}
        aria-label={`${label}: ${short}`}
        className={`flex h-8 w-fit items-center tracking-tight hover:underline ${short.length > longest ? "text-20" : "text-28"}`}
        {...tip(short !== exact && exact)}
      >
        <Money usd={usd} />
      </Link>
      <p className={`text-12 ${warn ? "text-warn-fg" : "text-fg-2"}`}>{children}</p>
    </div>
  );
}

/** The places of the three sums. */
export function WaitingSpend() {
  return (
    <div className="grid gap-x-6 gap-y-5 md:grid-cols-3">
      {[0, 1, 2].map((figure) => (
        <div key={figure} className="grid h-19 content-start gap-3">
          <Skeleton width={132} />
          <Skeleton width={120} height={26} />
          <Skeleton width={148} />
        </div>
      ))}
    </div>
  );
}
