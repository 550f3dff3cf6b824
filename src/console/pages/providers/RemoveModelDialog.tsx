import { useState } from "react";
import { useQuery } from "@tanstack/react-query";
import type { ProviderRecord } from "#contract/providers.ts";
import { errorText } from "../../api/error-messages.ts";
import { everyProvider, type OfferedModel } from "../../api/providers.ts";
import { ConfirmDialog } from "../../ui/ConfirmDialog.tsx";
import { toast } from "../../ui/toast.ts";
import { listWithout } from "./model-form.ts";
import { onlyHere } from "./only-here.ts";
import { useModels } from "../../api/use-models.ts";

interface RemoveModelDialogProps {
  provider: ProviderRecord;
  model: OfferedModel;
  onClose: () => void;
}

/** Asks before a provider's model is removed, and says whether callers lose it. */
export function RemoveModelDialog({ provider, model, onClose }: RemoveModelDialogProps) {
  const change = useModels(provider.slug);
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState<string>();
  const all = useQuery(everyProvider).data?.data;
  const last = all && onlyHere(provider, all).includes(model.id);
  async function remove(): Promise<void> {
    setPending(true);
    try {
      await change((models) => listWithout(models, model.id));
      toast({ message: `${model.id} was removed.` });
      onClose();
    } catch (error) {
      setProblem(errorText(error));
      setPending(false);
    }
  }
  return (
    <ConfirmDialog
      danger
      title={`Remove ${model.id}`}
      description={
        last
          ? `${provider.name} is the only one here that serves it: calls to it will be refused. Its price is deleted.`
          : `${provider.name} will no longer serve it. Its price is deleted.`
      }
      confirmLabel="Remove model"
      pending={pending}
      error={problem}
      onConfirm={() => void remove()}
      onCancel={onClose}
    />
  );
}
