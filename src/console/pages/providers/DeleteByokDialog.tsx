import { useState } from "react";
import { deleteByokKey } from "#contract/byok.ts";
import type { ByokRecord } from "#contract/byok.ts";
import { useAction } from "../../api/action.ts";
import { explain } from "../../api/explain.ts";
import { ConfirmDialog } from "../../ui/ConfirmDialog.tsx";
import { toast } from "../../ui/toast.ts";

export function DeleteByokDialog({ byok, onClose }: { byok: ByokRecord; onClose: () => void }) {
  const [problem, setProblem] = useState<string>();
  const name = byok.name ?? byok.label.replace("...", "…");
  const remove = useAction(deleteByokKey, {
    onSuccess: () => {
      toast({ message: `${name} is deleted.` });
      onClose();
    },
    onError: (error) => {
      const { title, said } = explain(error);
      setProblem(said ?? title);
    },
  });
  return (
    <ConfirmDialog
      danger
      title={`Delete ${name}`}
      description="The stored key is wiped at once; calls of its workspace go out with the gateway's own key from then on. This cannot be undone."
      confirmLabel="Delete key"
      pending={remove.isPending}
      error={problem}
      onConfirm={() => remove.mutate({ params: { id: byok.id } })}
      onCancel={onClose}
    />
  );
}
