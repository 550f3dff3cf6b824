import { type BudgetInterval, deleteWorkspaceBudget } from "#contract/budgets.ts";
import { ActionDialog } from "../../form/ActionDialog.tsx";
import { toast } from "../../ui/toast.ts";
import { budgetActionId } from "./BudgetRow.tsx";
import { intervalNames } from "./budget-labels.ts";

interface RemoveBudgetDialogProps {
  workspaceId: string;
  interval: BudgetInterval;
  name: string;
  onClose: () => void;
}

export function RemoveBudgetDialog({ workspaceId, interval, name, onClose }: RemoveBudgetDialogProps) {
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
