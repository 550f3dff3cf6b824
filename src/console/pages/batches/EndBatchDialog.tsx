import { type BatchRecord, cancelBatch, deleteBatch } from "#contract/batches.ts";
import { ActionDialog } from "../../form/ActionDialog.tsx";
import { counted } from "../../format.ts";
import { toast } from "../../ui/toast.ts";
import { restOf } from "./status.ts";
import { useBatch } from "./use-batch.ts";

interface CancelBatchDialogProps {
  of: BatchRecord;
  onClose: () => void;
}

/** Asks before the rest of a batch is given up. */
export function CancelBatchDialog({ of: { request_counts: counts }, onClose }: CancelBatchDialogProps) {
  const { input } = useBatch();
  return (
    <ActionDialog
      endpoint={cancelBatch}
      input={input}
      danger
      title="Cancel this batch"
      description={`${counted(restOf(counts), "request has", "requests have")} no result yet. Calls in flight are finished and charged; the others are not made. You keep the results there are.`}
      confirmLabel="Cancel batch"
      cancelLabel="Keep it"
      onDone={() => {
        toast({ message: "The batch is being canceled." });
        onClose();
      }}
      onCancel={onClose}
    />
  );
}

interface DeleteBatchDialogProps {
  onClose: () => void;
  onDeleted: () => void;
}

/** Asks before a batch that has ended is deleted. */
export function DeleteBatchDialog({ onClose, onDeleted }: DeleteBatchDialogProps) {
  const { input } = useBatch();
  return (
    <ActionDialog
      endpoint={deleteBatch}
      input={input}
      danger
      title="Delete this batch"
      description="Its requests and results are deleted and cannot be read any more. Its calls stay on the ledger. This cannot be undone."
      confirmLabel="Delete batch"
      onDone={() => {
        toast({ message: "The batch was deleted." });
        onDeleted();
      }}
      onCancel={onClose}
    />
  );
}
