import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { countKeys } from "#contract/keys.ts";
import type { KeyStatus } from "#contract/keys.ts";
import { startOfUtcMonth } from "#contract/time.ts";
import { useNow } from "../../api/clock.ts";
import { query } from "../../api/query.ts";
import { everyWorkspace } from "../../api/workspaces.ts";
import { formatCount, formatDay } from "../../format.ts";
import { allWorkspaces, paths } from "../../paths.ts";
import { Reading } from "../../shell/Reading.tsx";
import { useWorkspace } from "../../shell/workspace.ts";
import { Money } from "../../ui/Money.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";

/** The few large figures; each is the way to what it counts. */
export function Figures({ every }: { every: number | false }) {
  return (
    <div className="grid gap-x-6 px-8 pt-5 pb-6 max-md:px-4 md:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]">
      <SpentThisMonth every={every} />
      <KeysByStatus every={every} />
    </div>
  );
}

function SpentThisMonth({ every }: { every: number | false }) {
  const { id, path } = useWorkspace();
  const now = useNow(60_000);
  const list = useQuery({ ...everyWorkspace, refetchInterval: every });
  return (
    <Reading query={list} what="this month's spend" skeleton={<FigureSkeleton />}>
      {(workspaces) => {
        const counted = id === allWorkspaces ? workspaces : workspaces.filter((workspace) => workspace.id === id);
        const spent = counted.reduce((sum, workspace) => sum + workspace.usage_monthly, 0);
        return (
          <Figure
            label={`Spent this month, since ${formatDay(startOfUtcMonth(now), "UTC", now)} 00:00 UTC`}
            note={
              id === allWorkspaces
                ? `in ${counted.length === 1 ? "one workspace" : `${counted.length} workspaces`}`
                : "in this workspace"
            }
          >
            <Link
              to={id === allWorkspaces ? paths.workspaces(path) : paths.keys(path)}
              className="text-28 tracking-tight hover:underline"
            >
              <Money usd={spent} />
            </Link>
          </Figure>
        );
      }}
    </Reading>
  );
}

const statuses: readonly [KeyStatus, string, string][] = [
  ["active", "Active keys", "text-fg-1"],
  ["over_limit", "Over limit", "text-bad-fg"],
  ["expired", "Expired", "text-fg-1"],
  ["disabled", "Disabled", "text-fg-1"],
];

function KeysByStatus({ every }: { every: number | false }) {
  const { id, path } = useWorkspace();
  const counts = useQuery({
    ...query(countKeys, { query: { workspace_id: id ?? allWorkspaces } }),
    enabled: id !== undefined,
    refetchInterval: every,
  });
  return (
    <Reading query={counts} what="the keys by status" skeleton={<FigureSkeleton />} className="max-md:pt-4">
      {({ data }) => (
        <div className="grid grid-cols-4 gap-x-6 gap-y-4 max-md:grid-cols-2">
          {statuses.map(([status, label, tone]) => (
            <Figure key={status} label={label}>
              <Link
                to={paths.keys(path)}
                search={{ status }}
                className={`text-28 tracking-tight tabular-nums hover:underline ${data[status].count > 0 ? tone : "text-fg-3"}`}
              >
                {formatCount(data[status].count)}
                {data[status].more && "+"}
              </Link>
            </Figure>
          ))}
        </div>
      )}
    </Reading>
  );
}

function Figure({ label, note, children }: { label: string; note?: string; children: ReactNode }) {
  return (
    <div className="grid content-start gap-1.5">
      <h2 className="text-12 font-normal text-fg-3">{label}</h2>
      {children}
      {note !== undefined && <p className="text-12 text-fg-2">{note}</p>}
    </div>
  );
}

function FigureSkeleton() {
  return (
    <div className="grid gap-3">
      <Skeleton width={148} />
      <Skeleton width={112} height={26} />
    </div>
  );
}
