import { Link } from "@tanstack/react-router";
import type { WorkspaceRecord } from "#contract/workspaces.ts";
import { formatCount } from "../../format.ts";
import { paths, workspaceInPath } from "../../paths.ts";
import type { Column } from "../../table/column.ts";
import { TimeCell } from "../../table/TimeCell.tsx";
import { CopyButton } from "../../ui/CopyButton.tsx";
import { Money } from "../../ui/Money.tsx";

export const workspaceColumns: readonly Column<WorkspaceRecord>[] = [
  {
    id: "name",
    head: "Name",
    width: 240,
    fixed: true,
    skeleton: { width: 132, two: true },
    cell: (workspace) => (
      <>
        <div className="flex items-baseline gap-2 leading-4">
          <Link to={paths.keys(workspaceInPath(workspace))} className="min-w-0 font-semibold text-fg-1 hover:underline">
            {workspace.name}
          </Link>
          {workspace.is_default && <span className="text-12 text-fg-3">default</span>}
        </div>
        {workspace.description && (
          <div dir="auto" className="truncate text-left text-11 tracking-open text-fg-3">
            {workspace.description}
          </div>
        )}
      </>
    ),
  },
  {
    id: "slug",
    head: "Slug",
    width: 112,
    className: "font-mono text-12 text-fg-2",
    cell: ({ slug }) => slug,
  },
  {
    id: "id",
    head: "Id",
    width: 136,
    skeleton: { width: 84 },
    cell: ({ id, name }) => (
      <span className="flex items-center gap-1 font-mono text-12 whitespace-nowrap text-fg-2">
        <span title={id}>{id.slice(0, 8)}…</span>
        <CopyButton text={id} label={`Copy the id of ${name}`} />
      </span>
    ),
  },
  {
    id: "active_keys",
    head: "Active keys",
    width: 96,
    figures: true,
    skeleton: { width: 24 },
    cell: (workspace) => formatCount(workspace.active_keys),
  },
  {
    id: "spent",
    head: "Spent this month, UTC",
    width: 160,
    figures: true,
    cell: (workspace) => <Money usd={workspace.usage_monthly} dash focusable />,
  },
  {
    id: "created_at",
    head: "Created",
    zoned: true,
    width: 144,
    cell: (workspace) => <TimeCell iso={workspace.created_at} show="day" />,
  },
];
