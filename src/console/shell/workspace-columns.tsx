import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useMemo } from "react";
import { everyWorkspace } from "../api/workspaces.ts";
import { formatCount } from "../format.ts";
import { workspaceInPath } from "../paths.ts";
import type { Column } from "../table/column.ts";
import { tip } from "../ui/Tooltip.tsx";

interface OfWorkspace {
  workspace_id: string | null;
}

export interface WorkspaceContext {
  /** the workspace of a record, by name and as addresses have it; undefined: it was deleted */
  workspaceOf: (record: OfWorkspace) => { name: string; path: string } | undefined;
}

export function useWorkspaceContext(): WorkspaceContext {
  const workspaces = useQuery(everyWorkspace).data;
  return useMemo(
    () => ({
      workspaceOf: ({ workspace_id: own }) => {
        const found = workspaces?.find((one) => one.id === own);
        return found && { name: found.name, path: workspaceInPath(found) };
      },
    }),
    [workspaces],
  );
}

/** For a list of several workspaces' records. */
export const workspaceColumn: Column<OfWorkspace, WorkspaceContext> = {
  id: "workspace",
  head: "Workspace",
  width: 160,
  skeleton: { width: 88 },
  cell: (record, { workspaceOf }) => (
    <span dir="auto" className="block truncate">
      {workspaceOf(record)?.name ?? "deleted"}
    </span>
  ),
};

/** A record's name, which leads to its page where its workspace is still there, over a second line. */
export function NameCell({ name, to, children }: { name: string; to: string | undefined; children: ReactNode }) {
  const named = (
    <span dir="auto" className="block truncate" {...tip(name)}>
      {name}
    </span>
  );
  return (
    <div className="grid grid-cols-1 justify-items-start leading-4">
      {to === undefined ? (
        named
      ) : (
        <Link to={to} className="max-w-full rounded-1 font-semibold text-fg-1 hover:underline">
          {named}
        </Link>
      )}
      {children}
    </div>
  );
}

/** "3 of 20", "the first 100 of 250": of all workspaces together not all records may be read. */
export function shownCount(
  found: number,
  { read, total, which }: { read: number; total: number; which: string },
): string {
  const some = found < read ? `${formatCount(found)} of ` : "";
  if (read < total) return `${some}the ${which} ${formatCount(read)} of ${formatCount(total)}`;
  return some === "" ? `${formatCount(total)} total` : some + formatCount(total);
}
