import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense } from "react";
import { countsIn } from "../api/counts.ts";
import { everyWorkspace } from "../api/workspaces.ts";
import { paths } from "../paths.ts";
import { Mark } from "../ui/Mark.tsx";
import { FailingCount } from "./FailingCount.tsx";
import { useFirstPageShown } from "./first-page.ts";
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
