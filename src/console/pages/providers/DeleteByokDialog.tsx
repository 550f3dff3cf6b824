import { deleteByokKey, type ByokRecord } from "#contract/byok.ts";
import { useAction } from "../../api/action.ts";
import { errorText } from "../../api/error-messages.ts";
import { ConfirmDialog } from "../../ui/ConfirmDialog.tsx";
import { toast } from "../../ui/toast.ts";

export function DeleteByokDialog({ byok, onClose }: { byok: ByokRecord; onClose: () => void }) {
  const name = byok.name ?? byok.label.replace("...", "…");
  const remove = useAction(deleteByokKey, {
    onSuccess: () => {
      toast({ message: `${name} was deleted.` });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      danger
      title={`Delete ${name}`}
      description="The stored key is wiped at once; from then on, calls of its workspace use the gateway's own key. This cannot be undone."
      confirmLabel="Delete key"
      pending={remove.isPending}
      error={remove.isError ? errorText(remove.error) : undefined}
      onConfirm={() => remove.mutate({ params: { id: byok.id } })}
      onCancel={onClose}
    />
  );
}
