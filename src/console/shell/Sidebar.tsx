import { useQuery } from "@tanstack/react-query";
import { Link, useLocation } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense } from "react";
import { countsIn } from "../api/counts.ts";
import { everyWorkspace } from "../api/workspaces.ts";
import { paths } from "../paths.ts";
import { Mark } from "../ui/Mark.tsx";
import { FailingCount } from "./FailingCount.tsx";
import { useFirstPageShown } from "./first-page.ts";
import { GatewayFooter } from "./GatewayFooter.tsx";
import { type Entry, navigation } from "./navigation.ts";
import { useWorkspace } from "./workspace.ts";

// Provider data is not needed before the first page is shown.
const ProviderCount = lazy(async () => ({ default: (await import("./ProviderCount.tsx")).ProviderCount }));

/** The sidebar: navigation, counts, and whether the gateway answers. */
export function Sidebar() {
  const { path } = useWorkspace();
  const counts = useCounts();
  return (
    <nav aria-label="Sections" className="flex h-full flex-col bg-bg-2">
      <Link
        to={paths.overview(path)}
        className="flex h-12 shrink-0 items-center gap-2.5 px-5 text-[15px]/5 font-semibold tracking-snug text-fg-1"
      >
        <Mark size={16} />
        Gatehouse
      </Link>
      <div className="py-2">
        {navigation.map(({ label, entries }) => (
          <div key={label} className="pb-3">
            <div aria-hidden="true" className="px-5 pt-1 pb-0.5 text-12 font-normal text-fg-3">
              {label}
            </div>
            <ul>
              {entries.map((entry) => (
                <SidebarEntry key={entry.name} entry={entry} counts={counts} />
              ))}
            </ul>
          </div>
        ))}
      </div>
      <GatewayFooter />
    </nav>
  );
}

type Counts = Record<string, ReactNode>;

/** A page, or a name over its pages while one of them is shown. */
function SidebarEntry({ entry, counts }: { entry: Entry; counts: Counts }) {
  const { path } = useWorkspace();
  const { pathname } = useLocation();
  const [first] = entry.pages;
  if (first === undefined) return null;
  const isOpen = entry.pages.length > 1 && entry.pages.some((page) => isBelow(pathname, page.path(path)));
  if (!isOpen) {
    return (
      <li>
        <PageLink name={entry.name} to={first.path(path)} count={counts[first.name]} />
      </li>
    );
  }
  return (
    <li className="my-1 border-y border-line py-1">
      <div aria-hidden="true" className="flex h-6 items-center px-5 text-12 text-fg-3">
        {entry.name}
      </div>
      <ul>
        {entry.pages.map((page) => (
          <li key={page.name}>
            <PageLink name={page.name} to={page.path(path)} count={counts[page.name]} />
          </li>
        ))}
      </ul>
    </li>
  );
}

function isBelow(pathname: string, to: string): boolean {
  return pathname === to || pathname.startsWith(`${to}/`);
}

function PageLink({ name, to, count }: { name: string; to: string; count: ReactNode }) {
  return (
    <Link
      to={to}
      activeOptions={{ includeSearch: false }}
      className="group relative flex h-[30px] items-center px-5 text-13 text-fg-2 hover:text-fg-1 aria-[current=page]:font-semibold aria-[current=page]:text-fg-1 max-md:h-10"
    >
      <span
        aria-hidden="true"
        className="absolute inset-y-1.5 left-0 w-[3px] group-aria-[current=page]:bg-accent forced-colors:group-aria-[current=page]:bg-[Highlight]"
      />
      {name}
      <span className="ml-auto flex items-center gap-1.5 text-12 font-normal text-fg-3 tabular-nums">{count}</span>
    </Link>
  );
}

/** Totals of the sections that count something; nothing where a count is not known. */
function useCounts(): Counts {
  const { id } = useWorkspace();
  const pageShown = useFirstPageShown();
  const counts = useQuery({ ...countsIn(id), enabled: id !== undefined && pageShown }).data?.data;
  const workspaces = useQuery(everyWorkspace);
  const keys = counts?.keys;
  return {
    "API keys": keys && `${keys.count.toLocaleString("en-US")}${keys.more ? "+" : ""}`,
    Destinations: counts && <FailingCount {...counts.destinations} />,
    Workspaces: workspaces.data?.length.toLocaleString("en-US"),
    Providers: <Suspense>{pageShown && <ProviderCount />}</Suspense>,
  };
}
