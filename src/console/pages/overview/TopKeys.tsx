import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { UsageSeries } from "#contract/activity.ts";
import { counted, formatPercent } from "../../format.ts";
import { paths } from "../../paths.ts";
import { QueryBoundary } from "../../shell/QueryBoundary.tsx";
import { useWorkspace } from "../../shell/workspace.ts";
import { linkTextClass } from "../../ui/LinkText.tsx";
import { Meter } from "../../ui/Meter.tsx";
import { Money } from "../../ui/Money.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { tip } from "../../ui/Tooltip.tsx";
import type { Range } from "./ranges.ts";
import { seriesName } from "./spend.ts";
import { sums, usageOver } from "./usage-reads.ts";

/** The keys that spent most in the range of the page. */
export function TopKeys({ range, every }: { range: Range; every: number | false }) {
  const { id, path } = useWorkspace();
  const usage = useQuery({
    ...usageOver({ workspaceId: id, range, group: "key", every }),
    placeholderData: (before) => before,
  });
  return (
    <QueryBoundary query={usage} what="the keys by spend" className="pt-6" skeleton={<Skeleton height={165} />}>
      {({ data }) => {
        const used = data.filter((one) => one.total.requests > 0);
        if (used.length === 0) return null;
        return (
          <>
            <div className="flex items-baseline border-b border-line-2 pb-2 text-12 text-fg-3">
              <h2 className="text-12 font-normal">Keys by spend in {range.words}</h2>
              <Link
                to={paths.keys(path)}
                search={{ sort: "usage", usage: "total" }}
                className={`${linkTextClass} ml-auto`}
              >
                All keys
              </Link>
            </div>
            <Table series={used} />
          </>
        );
      }}
    </QueryBoundary>
  );
}

function Table({ series }: { series: readonly UsageSeries[] }) {
  const { path } = useWorkspace();
  const total = sums(series).total.usage;
  return (
    <div className="overflow-x-auto">
      <table className="w-full table-fixed text-13">
        {/* the name takes what the figures leave, and is cut where it is longer */}
        <colgroup>
          <col />
          <col className="w-28 max-md:hidden" />
          <col className="w-32 max-md:hidden" />
          <col className="w-30" />
          <col className="w-12" />
        </colgroup>
        <thead className="sr-only">
          <tr>
            {["Key", "Compared", "Calls made", "Spent", "Share"].map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {series.map((one) => (
            <tr key={one.group ?? ""} className="border-b border-line">
              <th scope="row" className="h-8 truncate pr-4 text-left font-normal">
                {one.group === null ? (
                  <span className="text-fg-2">All others</span>
                ) : (
                  <Link
                    to={paths.key(path, one.group)}
                    dir="auto"
                    className="hover:underline"
                    {...tip(seriesName(one))}
                  >
                    {seriesName(one)}
                  </Link>
                )}
              </th>
              <td className="pr-4 max-md:hidden">
                <Meter fraction={total === 0 ? 0 : one.total.usage / total} tone="accent" bars={24} />
              </td>
              <td className="pr-4 text-right whitespace-nowrap text-fg-2 tabular-nums max-md:hidden">
                {counted(one.total.requests, "call")} made
              </td>
              <td className="pr-4 text-right">
                <Money usd={one.total.usage} dash focusable />
              </td>
              <td className="text-right text-fg-3 tabular-nums">
                {total === 0 ? "–" : formatPercent(one.total.usage / total)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
