import { deleteKey } from "#contract/keys.ts";
import type { KeyRecord } from "#contract/keys.ts";
import { useAction } from "../../api/action.ts";
import { explain } from "../../api/explain.ts";
import { ConfirmDialog } from "../../ui/ConfirmDialog.tsx";
import { toast } from "../../ui/toast.ts";
import { useRecentUse } from "./DisableKeyDialog.tsx";

interface DeleteKeyDialogProps {
  asked: KeyRecord;
  onClose: () => void;
  /** where the key's own page was open */
  onDeleted?: (() => void) | undefined;
}

/** Deletes a key once its name is typed. */
export function DeleteKeyDialog({ asked, onClose, onDeleted }: DeleteKeyDialogProps) {
  const use = useRecentUse(asked);
  const remove = useAction(deleteKey, {
    onSuccess: () => {
      toast({ message: `${asked.name} is deleted.` });
      onClose();
      onDeleted?.();
    },
  });
  return (
    <ConfirmDialog
      danger
      title={`Delete ${asked.name}`}
      description={`${use} Calls with it fail at once. This cannot be undone; what it spent stays in the totals.`}
      typedName={asked.name}
      confirmLabel="Delete key"
      pending={remove.isPending}
      error={remove.isError ? (explain(remove.error).said ?? explain(remove.error).title) : undefined}
      onConfirm={() => remove.mutate({ params: { hash: asked.hash } })}
      onCancel={onClose}
    />
  );
}
