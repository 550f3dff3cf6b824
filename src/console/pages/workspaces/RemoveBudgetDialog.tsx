import { type BudgetInterval, deleteWorkspaceBudget } from "#contract/budgets.ts";
import { useAction } from "../../api/action.ts";
import { errorText } from "../../api/error-messages.ts";
import { ConfirmDialog } from "../../ui/ConfirmDialog.tsx";
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
  const remove = useAction(deleteWorkspaceBudget, {
    onSuccess: () => {
      toast({ message: `${name} no longer has a ${budget}.` });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={`Remove the ${budget} of ${name}`}
      description="Its keys may then spend what their own limits, its other budgets and the account's credits allow. It takes effect with the next call."
      confirmLabel="Remove budget"
      pending={remove.isPending}
      error={remove.isError ? errorText(remove.error) : undefined}
      onConfirm={() => remove.mutate({ params: { id: workspaceId, interval } })}
      onCancel={onClose}
      finalFocus={() => document.getElementById(budgetActionId(interval))}
    />
  );
}
