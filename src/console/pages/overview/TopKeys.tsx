import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { UsageSeries } from "#contract/activity.ts";
import { formatCount, formatPercent } from "../../format.ts";
import { paths } from "../../paths.ts";
import { Reading } from "../../shell/Reading.tsx";
import { useWorkspace } from "../../shell/workspace.ts";
import { linkTextClass } from "../../ui/LinkText.tsx";
import { Meter } from "../../ui/Meter.tsx";
import { Money } from "../../ui/Money.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
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
    <Reading query={usage} what="the keys by spend" className="pt-6" skeleton={<Skeleton height={165} />}>
      {({ data }) => {
        const used = data.filter((one) => one.total.requests > 0);
        if (used.length === 0) return null;
        return (
          <>
            <div className="flex items-baseline border-b border-line-2 pb-2 text-12 text-fg-3">
              <h2 className="text-12 font-normal">Keys by spend in {range.words}</h2>
              <Link to={paths.keys(path)} search={{ sort: "usage" }} className={`${linkTextClass} ml-auto`}>
                All keys
              </Link>
            </div>
            <Table series={used} />
          </>
        );
      }}
    </Reading>
  );
}

function Table({ series }: { series: readonly UsageSeries[] }) {
  const { path } = useWorkspace();
  const total = sums(series).total.usage;
  return (
    <div className="overflow-x-auto">
      <table className="w-full text-13">
        <thead className="sr-only">
          <tr>
            {["Key", "Compared", "Calls", "Spent", "Share"].map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {series.map((one) => (
            <tr key={one.group ?? ""} className="border-b border-line">
              <th scope="row" className="h-8 pr-4 text-left font-normal whitespace-nowrap">
                {one.group === null ? (
                  <span className="text-fg-2">All others</span>
                ) : (
                  <Link to={paths.key(path, one.group)} className="hover:underline">
                    {seriesName(one)}
                  </Link>
                )}
              </th>
              <td className="pr-4 max-md:hidden">
                <Meter fraction={total === 0 ? 0 : one.total.usage / total} tone="accent" bars={48} />
              </td>
              <td className="pr-4 text-right whitespace-nowrap text-fg-2 tabular-nums max-md:hidden">
                {formatCount(one.total.requests)} {one.total.requests === 1 ? "call" : "calls"}
              </td>
              <td className="pr-4 text-right">
                <Money usd={one.total.usage} dash />
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
