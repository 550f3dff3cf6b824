import { Link, Outlet, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { type BudgetInterval, type BudgetRecord, deleteWorkspaceBudget } from "#contract/budgets.ts";
import { useReachable } from "../../api/connectivity.ts";
import { isNotFound } from "../../api/errors.ts";
import { ActionDialog } from "../../form/ActionDialog.tsx";
import { paths, workspaceInPath } from "../../paths.ts";
import { PageHeader } from "../../shell/PageHeader.tsx";
import { QueryBoundary } from "../../shell/QueryBoundary.tsx";
import { useWorkspace } from "../../shell/workspace.ts";
import { linkTextClass } from "../../ui/LinkText.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { toast } from "../../ui/toast.ts";
import { intervalOf, intervals, intervalNames } from "./budget-labels.ts";
import { BudgetRow, budgetActionId } from "./BudgetRow.tsx";
import { useBudgets } from "./use-budgets.ts";

/** What all keys of one workspace together may spend, for each of four intervals. */
export function BudgetsPage() {
  const { id = "" } = useParams({ strict: false });
  const { path } = useWorkspace();
  const { reason } = useReachable();
  const { workspace, budgets } = useBudgets(id);
  const [removing, setRemoving] = useState<BudgetInterval | null>(null);
  const title = workspace === undefined ? "Budgets" : `Budgets of ${workspace.name}`;
  const missing = isNotFound(budgets.error);
  return (
    <>
      <PageHeader
        title={missing ? "It no longer exists" : title}
        sub={
          <span className="flex gap-3">
            <Link to={paths.workspaces(path)} className={linkTextClass}>
              All workspaces
            </Link>
            {workspace && (
              <Link to={paths.keys(workspaceInPath(workspace))} className={linkTextClass}>
                Its keys
              </Link>
            )}
          </span>
        }
      />
      {missing ? (
        <p className="px-8 pt-3 text-fg-2 max-md:px-4">No workspace has this slug or id. It was renamed or deleted.</p>
      ) : (
        <>
          <p className="max-w-160 px-8 pt-2 pb-4 text-13 text-fg-2 max-md:px-4">
            A call that does not fit one of these budgets gets 403, even if its key has room left. The shorter the
            interval, the smaller the budget must be.
          </p>
          <QueryBoundary query={budgets} what="the budgets" skeleton={<Waiting />}>
            {({ data, include_byok_in_budgets: byok }) => (
              <>
                <ul className="border-t border-line-2">
                  {intervals.map((interval) => (
                    <BudgetRow
                      key={interval}
                      interval={interval}
                      budget={data.find((budget: BudgetRecord) => intervalOf(budget) === interval)}
                      to={paths.setBudget(path, id, interval)}
                      disabledReason={reason}
                      onRemove={() => setRemoving(interval)}
                    />
                  ))}
                </ul>
                <p className="px-8 py-4 text-12 text-fg-3 max-md:px-4">
                  {byok
                    ? "Calls with the workspace's own provider keys count toward the budgets."
                    : "Calls with the workspace's own provider keys do not count toward the budgets."}
                </p>
              </>
            )}
          </QueryBoundary>
        </>
      )}
      {removing !== null && (
        <RemoveBudgetDialog
          workspaceId={id}
          interval={removing}
          name={workspace?.name ?? id}
          onClose={() => setRemoving(null)}
        />
      )}
      <Outlet />
    </>
  );
}

function Waiting() {
  return (
    <div className="border-t border-line-2">
      {intervals.map((interval) => (
        <div key={interval} className="flex h-22 items-center gap-6 border-b border-line px-8 max-md:px-4">
          <Skeleton width={72} />
          <Skeleton width={320} height={28} />
        </div>
      ))}
    </div>
  );
}

interface RemoveBudgetDialogProps {
  workspaceId: string;
  interval: BudgetInterval;
  name: string;
  onClose: () => void;
}

function RemoveBudgetDialog({ workspaceId, interval, name, onClose }: RemoveBudgetDialogProps) {
  const budget = intervalNames[interval];
  return (
    <ActionDialog
      endpoint={deleteWorkspaceBudget}
      input={{ params: { id: workspaceId, interval } }}
      title={`Remove the ${budget} of ${name}`}
      description="Its keys may then spend what their own limits, its other budgets and the account's credits allow. It takes effect with the next call."
      confirmLabel="Remove budget"
      onDone={() => {
        toast({ message: `${name} no longer has a ${budget}.` });
        onClose();
      }}
      onCancel={onClose}
      finalFocus={() => document.getElementById(budgetActionId(interval))}
    />
  );
}
