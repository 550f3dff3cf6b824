import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense } from "react";
import { countKeys } from "#contract/keys.ts";
import { destinationHealth, everyDestination } from "../api/destinations.ts";
import { query } from "../api/query.ts";
import { everyWorkspace } from "../api/workspaces.ts";
import { paths } from "../paths.ts";
import { Mark } from "../ui/Mark.tsx";
import { FailingCount } from "./FailingCount.tsx";
import { GatewayFooter } from "./GatewayFooter.tsx";
import { sections } from "./navigation.ts";
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
      <div className="py-3">
        {sections.map((group) => (
          <ul key={group[0]?.name} className="not-first:pt-5">
            {group.map((section) => (
              <li key={section.name}>
                <Link
                  to={section.path(path)}
                  activeOptions={{ includeSearch: false }}
                  className="group relative flex h-[30px] items-center px-5 text-13 text-fg-2 hover:text-fg-1 aria-[current=page]:font-semibold aria-[current=page]:text-fg-1 max-md:h-10"
                >
                  <span
                    aria-hidden="true"
                    className="absolute inset-y-1.5 left-0 w-[3px] group-aria-[current=page]:bg-accent forced-colors:group-aria-[current=page]:bg-[Highlight]"
                  />
                  {section.name}
                  <span className="ml-auto flex items-center gap-1.5 text-12 font-normal text-fg-3 tabular-nums">
                    {counts[section.name]}
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        ))}
      </div>
      <GatewayFooter />
    </nav>
  );
}

/** Totals of the sections that count something; nothing where a count is not known. */
function useCounts(): Record<string, ReactNode> {
  const { id } = useWorkspace();
  const keys = useQuery({
    ...query(countKeys, { query: { workspace_id: id } }),
    enabled: id !== undefined,
    // as often as the lists that it stands beside
    refetchInterval: 30_000,
  });
  const workspaces = useQuery(everyWorkspace);
  const all = keys.data?.data.all;
  return {
    "API keys": all && `${all.count.toLocaleString("en-US")}${all.more ? "+" : ""}`,
    Destinations: useDestinationCount(id),
    Workspaces: workspaces.data?.length.toLocaleString("en-US"),
    Providers: (
      <Suspense>
        <ProviderCount />
      </Suspense>
    ),
  };
}

function useDestinationCount(id: string | undefined): ReactNode {
  const list = useQuery({ ...everyDestination(id ?? ""), enabled: id !== undefined });
  const health = useQuery({ ...destinationHealth(id ?? ""), enabled: (list.data?.length ?? 0) > 0 });
  const failing = health.data?.filter(({ status }) => status === "failing").length ?? 0;
  return <FailingCount total={list.data?.length} failing={failing} />;
}
