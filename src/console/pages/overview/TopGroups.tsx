import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Overview } from "#contract/overview.ts";
import type { UsageGroup } from "#contract/usage-figures.ts";
import { counted, formatPercent } from "../../format.ts";
import { paths } from "../../paths.ts";
import { GroupName } from "../../shell/GroupName.tsx";
import { useWorkspace } from "../../shell/workspace.ts";
import { linkTextClass } from "../../ui/LinkText.tsx";
import { Meter } from "../../ui/Meter.tsx";
import { Money } from "../../ui/Money.tsx";
import { usageSearchOf, type OverviewSearch, type Range } from "./ranges.ts";
import { sums } from "./usage-reads.ts";

type Series = Overview["usage"]["series"][number];

const words: Readonly<Record<UsageGroup, string>> = {
  key: "Keys",
  model: "Models",
  provider: "Providers",
  workspace: "Workspaces",
};

interface TopGroupsProps {
  range: Range;
  search: OverviewSearch;
  group: UsageGroup;
  series: readonly Series[];
}

/** What the chart tells apart, in figures: those that spent most, all others together, and the total. */
export function TopGroups({ range, search, group, series }: TopGroupsProps) {
  const { path } = useWorkspace();
  const used = series.filter(({ total }) => total.requests > 0);
  if (used.length === 0) return null;
  return (
    <section aria-labelledby="top-groups" className="pt-6">
      <div className="flex items-baseline border-b border-line-2 pb-2 text-12 text-fg-3">
        <h2 id="top-groups" className="text-12 font-normal">
          {words[group]} by spend in {range.words}
        </h2>
        <Link to={paths.usage(path)} search={usageSearchOf(search, group)} className={`${linkTextClass} ml-auto`}>
          All {words[group].toLowerCase()}
        </Link>
      </div>
      <Table group={group} series={used} />
    </section>
  );
}

function Table({ group, series }: { group: UsageGroup; series: readonly Series[] }) {
  const { total } = sums(series);
  return (
    <div className="overflow-x-auto">
      <table className="w-full table-fixed text-13">
        {/* the name takes what the figures leave, and is cut where it is longer */}
        <colgroup>
          <col />
          <col className="w-28 max-md:hidden" />
          <col className="w-32 max-md:hidden" />
          <col className="w-30" />
          <col className="w-14" />
        </colgroup>
        <thead className="sr-only">
          <tr>
            {["Name", "Compared", "Calls made", "Spent", "Share"].map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {series.map((one) => (
            <Figures key={one.group ?? ""} of={one.total} all={total}>
              {one.group === null ? (
                <span className="text-fg-2">All others</span>
              ) : one.group === "" ? (
                <span className="text-fg-2">No provider</span>
              ) : (
                <GroupName by={group} id={one.group} name={one.name} />
              )}
            </Figures>
          ))}
          {series.length > 1 && (
            <Figures of={total} all={total}>
              <span className="font-semibold">Total</span>
            </Figures>
          )}
        </tbody>
      </table>
    </div>
  );
}

interface FiguresProps {
  of: Series["total"];
  all: Series["total"];
  children: ReactNode;
}

function Figures({ of, all, children }: FiguresProps) {
  const share = all.usage === 0 ? 0 : of.usage / all.usage;
  return (
    <tr className="border-b border-line">
      <th scope="row" className="h-8 truncate pr-4 text-left font-normal">
        {children}
      </th>
      <td className="pr-4 max-md:hidden">{of !== all && <Meter fraction={share} tone="accent" bars={24} />}</td>
      <td className="pr-4 text-right whitespace-nowrap text-fg-2 tabular-nums max-md:hidden">
        {counted(of.requests, "call")} made
      </td>
      <td className="pr-4 text-right">
        <Money usd={of.usage} dash focusable />
      </td>
      <td className="text-right text-fg-3 tabular-nums">{all.usage === 0 ? "–" : formatPercent(share)}</td>
    </tr>
  );
}
