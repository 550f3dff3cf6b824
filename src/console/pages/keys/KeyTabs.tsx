import { Link } from "@tanstack/react-router";
import type { Output } from "#contract/endpoint.ts";
import type { countKeys, KeyStatus } from "#contract/keys.ts";
import { TabLabel, tabClass, TabNav } from "../../ui/Tabs.tsx";
import type { KeysSearch } from "./search.ts";
import { statusWords } from "./status.ts";

type Counts = Output<typeof countKeys>["data"];
const statuses: readonly KeyStatus[] = ["active", "over_limit", "expired", "disabled"];

/** A space as wide as a digit: the tabs after a small count stay where they are when it comes. */
const placeOfDigit = "\u2007";

interface KeyTabsProps {
  to: string;
  search: KeysSearch;
  /** undefined where they are not known (yet) */
  counts: Counts | undefined;
}

/** The statuses as addresses, each with how many there are. */
export function KeyTabs({ to, search, counts }: KeyTabsProps) {
  return (
    <TabNav label="Keys by status" className="mx-8 max-md:mx-4">
      <Tab to={to} search={search} status={undefined} counts={counts} />
      {statuses.map((status) => (
        <Tab key={status} to={to} search={search} status={status} counts={counts} />
      ))}
    </TabNav>
  );
}

function Tab({ to, search, status, counts }: KeyTabsProps & { status: KeyStatus | undefined }) {
  const count = counts?.[status ?? "all"];
  const trouble = status === "over_limit" && (count?.count ?? 0) > 0;
  return (
    <Link
      to={to}
      search={(before: object) => ({ ...before, status })}
      activeOptions={{ exact: true }}
      aria-current={search.status === status ? "page" : undefined}
      // the router's own mark looks at the path only, which is the same for every tab
      activeProps={{ "aria-current": search.status === status ? "page" : undefined }}
      className={tabClass}
    >
      <TabLabel count={count ? countText(count) : placeOfDigit} status={trouble ? "trouble" : undefined}>
        {status === undefined ? "All" : statusWords[status]}
      </TabLabel>
    </Link>
  );
}

/** `214`, or `10,000+` where the gateway stopped counting. */
export function countText({ count, more }: { count: number; more: boolean }): string {
  return `${count.toLocaleString("en-US")}${more ? "+" : ""}`;
}
