import { Link } from "@tanstack/react-router";
import type { Overview } from "#contract/overview.ts";
import { counted, formatPercent } from "../../format.ts";
import { paths } from "../../paths.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { linkTextClass } from "../../ui/LinkText.tsx";
import { Meter } from "../../ui/Meter.tsx";
import { Money } from "../../ui/Money.tsx";
import { tip } from "../../ui/Tooltip.tsx";
import type { Range } from "./ranges.ts";
import { seriesName } from "./spend.ts";

type KeySpend = Overview["top_keys"][number];

/** The keys that spent most in the range of the page. */
export function TopKeys({ range, keys }: { range: Range; keys: readonly KeySpend[] }) {
  const { path } = useWorkspace();
  const used = keys.filter((one) => one.requests > 0);
  if (used.length === 0) return null;
  return (
    <section aria-labelledby="top-keys" className="pt-6">
      <div className="flex items-baseline border-b border-line-2 pb-2 text-12 text-fg-3">
        <h2 id="top-keys" className="text-12 font-normal">
          Keys by spend in {range.words}
        </h2>
        <Link to={paths.keys(path)} search={{ sort: "usage", usage: "total" }} className={`${linkTextClass} ml-auto`}>
          All keys
        </Link>
      </div>
      <Table keys={used} />
    </section>
  );
}

function Table({ keys }: { keys: readonly KeySpend[] }) {
  const { path } = useWorkspace();
  const total = keys.reduce((sum, { usage }) => sum + usage, 0);
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
          {keys.map((one) => (
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
                <Meter fraction={total === 0 ? 0 : one.usage / total} tone="accent" bars={24} />
              </td>
              <td className="pr-4 text-right whitespace-nowrap text-fg-2 tabular-nums max-md:hidden">
                {counted(one.requests, "call")} made
              </td>
              <td className="pr-4 text-right">
                <Money usd={one.usage} dash focusable />
              </td>
              <td className="text-right text-fg-3 tabular-nums">
                {total === 0 ? "–" : formatPercent(one.usage / total)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
