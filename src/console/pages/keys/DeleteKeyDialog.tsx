import { deleteKey, type KeyRecord } from "#contract/keys.ts";
import { useQuery } from "@tanstack/react-query";
import { everyDestination } from "../../api/destinations.ts";
import { ActionDialog } from "../../form/ActionDialog.tsx";
import { toast } from "../../ui/toast.ts";
import { useRecentUse } from "./DisableKeyDialog.tsx";
import { endsWith } from "./with-made-keys.ts";

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
  return (
    <ActionDialog
      endpoint={deleteKey}
      input={{ params: { hash: asked.hash } }}
      danger
      title={`Delete ${asked.name}`}
      description={`${use} Calls with it fail at once. This cannot be undone; what it spent stays in the totals.${endsWith([asked])}`}
      typedName={asked.name}
      confirmLabel="Delete key"
      onDone={() => {
        toast({ message: `${asked.name} was deleted.` });
        onClose();
        onDeleted?.();
      }}
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
    </ActionDialog>
  );
}
