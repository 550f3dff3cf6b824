import { deleteKey, type KeyRecord } from "#contract/keys.ts";
import { useQuery } from "@tanstack/react-query";
import { useAction } from "../../api/action.ts";
import { everyDestination } from "../../api/destinations.ts";
import { errorText } from "../../api/error-messages.ts";
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
  const destinations = useQuery(everyDestination(asked.workspace_id));
  const naming = destinations.data?.filter(({ api_key_hashes: hashes }) => hashes?.includes(asked.hash));
  const remove = useAction(deleteKey, {
    onSuccess: () => {
      toast({ message: `${asked.name} was deleted.` });
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
      error={remove.isError ? errorText(remove.error) : undefined}
      onConfirm={() => remove.mutate({ params: { hash: asked.hash } })}
      onCancel={onClose}
    >
      {naming === undefined ? (
        destinations.isError && <p>The destinations did not load, so whether one names this key is unknown.</p>
      ) : naming.length > 0 ? (
        <p className="wrap-anywhere">
          {naming.length === 1 ? "One destination names this key" : `${naming.length} destinations name this key`}:{" "}
          {naming.map(({ name }) => name).join(", ")}.
        </p>
      ) : null}
    </ConfirmDialog>
  );
}
