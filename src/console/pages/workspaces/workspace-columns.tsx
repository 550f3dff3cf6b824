import { Link } from "@tanstack/react-router";
import type { WorkspaceRecord } from "#contract/workspaces.ts";
import { formatCount, formatUsdShort } from "../../format.ts";
import { allWorkspaces, paths, workspaceInPath } from "../../paths.ts";
import type { Column } from "../../table/column.ts";
import { TimeCell } from "../../table/TimeCell.tsx";
import { CopyButton } from "../../ui/CopyButton.tsx";
import { Meter } from "../../ui/Meter.tsx";
import { Money } from "../../ui/Money.tsx";
import { intervalOf, intervalTitles } from "./budget-labels.ts";

/** The budget of which the smallest share is left. */
function BudgetCell({ budget, name }: { budget: NonNullable<WorkspaceRecord["budget"]>; name: string }) {
  const words = `${formatUsdShort(budget.spent_usd)} of ${formatUsdShort(budget.limit_usd)}`;
  return (
    <div className="grid gap-1">
      <Meter
        fraction={budget.spent_usd / budget.limit_usd}
        bars={24}
        label={`Tightest budget of ${name}`}
        valueText={`${words} spent`}
      />
      <span className="truncate text-11 tracking-open text-fg-3">
        {words}, {intervalTitles[intervalOf(budget)].toLowerCase()}
      </span>
    </div>
  );
}

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
          <Link
            to={paths.oneWorkspace(allWorkspaces, workspaceInPath(workspace))}
            className="min-w-0 font-semibold text-fg-1 hover:underline"
          >
            {workspace.name}
          </Link>
          {workspace.is_default && workspace.name !== "Default" && <span className="text-12 text-fg-3">default</span>}
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
    id: "budget",
    head: "Budget",
    width: 168,
    skeleton: { width: 120 },
    cell: ({ budget, name }) => budget && <BudgetCell budget={budget} name={name} />,
  },
  {
    id: "created_at",
    head: "Created",
    zoned: true,
    width: 144,
    cell: (workspace) => <TimeCell iso={workspace.created_at} show="day" />,
  },
];
