import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { KeyRecord } from "#contract/keys.ts";
import { everyWorkspace } from "../../api/workspaces.ts";
import { formatPercent } from "../../format.ts";
import { paths } from "../../paths.ts";
import { Reading } from "../../shell/Reading.tsx";
import { useWorkspace } from "../../shell/workspace.ts";
import { linkTextClass } from "../../ui/LinkText.tsx";
import { Meter } from "../../ui/Meter.tsx";
import { Money } from "../../ui/Money.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { biggestSpenders } from "./key-reads.ts";

const rows = 6;

/** The keys that spent most since they were made, and this month. */
export function TopKeys({ every }: { every: number | false }) {
  const { id, path } = useWorkspace();
  const keys = useQuery(biggestSpenders(id, every));
  return (
    <Reading query={keys} what="the keys by spend" className="pt-6" skeleton={<Skeleton height={rows * 33} />}>
      {({ data }) => {
        const spenders = data.filter((key) => key.usage > 0).slice(0, rows);
        if (spenders.length === 0) return null;
        return (
          <>
            <div className="flex items-baseline border-b border-line-2 pb-2 text-12 text-fg-3">
              <h2 className="text-12 font-normal">Keys by spend</h2>
              <Link to={paths.keys(path)} search={{ sort: "usage" }} className={`${linkTextClass} ml-auto`}>
                All keys
              </Link>
            </div>
            <Table keys={spenders} />
          </>
        );
      }}
    </Reading>
  );
}

function Table({ keys }: { keys: readonly KeyRecord[] }) {
  const { path } = useWorkspace();
  const workspaces = useQuery(everyWorkspace).data;
  const highest = Math.max(...keys.map((key) => key.usage));
  const total = keys.reduce((sum, key) => sum + key.usage, 0);
  return (
    <div className="overflow-x-auto">
      <table className="w-full text-13">
        <thead className="sr-only">
          <tr>
            {["Key", "Workspace", "Compared", "This month", "In all", "Share of these"].map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <tr key={key.hash} className="border-b border-line">
              <th scope="row" className="h-8 pr-4 text-left font-normal whitespace-nowrap">
                <Link to={paths.key(path, key.hash)} className="hover:underline">
                  {key.name}
                </Link>
              </th>
              <td className="pr-4 text-fg-3">{workspaces?.find((one) => one.id === key.workspace_id)?.name ?? "–"}</td>
              <td className="pr-4 max-md:hidden">
                <Meter fraction={key.usage / highest} tone="accent" />
              </td>
              <td className="pr-4 text-right text-12 whitespace-nowrap text-fg-3">
                <Money usd={key.usage_monthly} dash /> this month
              </td>
              <td className="pr-4 text-right">
                <Money usd={key.usage} />
              </td>
              <td className="text-right text-fg-3 tabular-nums">{formatPercent(key.usage / total)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
