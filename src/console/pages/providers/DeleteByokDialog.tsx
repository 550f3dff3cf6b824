import { deleteByokKey, type ByokRecord } from "#contract/byok.ts";
import { ActionDialog } from "../../form/ActionDialog.tsx";
import { toast } from "../../ui/toast.ts";

export function DeleteByokDialog({ byok, onClose }: { byok: ByokRecord; onClose: () => void }) {
  const name = byok.name ?? byok.label.replace("...", "…");
  return (
    <ActionDialog
      endpoint={deleteByokKey}
      input={{ params: { id: byok.id } }}
      danger
      title={`Delete ${name}`}
      description="The stored key is wiped at once; from then on, calls of its workspace use the gateway's own key. This cannot be undone."
      confirmLabel="Delete key"
      onDone={() => {
        toast({ message: `${name} was deleted.` });
        onClose();
      }}
      onCancel={onClose}
    />
  );
}
