import { useNavigate } from "@tanstack/react-router";
import type { ProviderRecord } from "#contract/providers.ts";
import { useReachable } from "../../api/connectivity.ts";
import { errorText } from "../../api/error-messages.ts";
import type { OfferedModel } from "../../api/providers.ts";
import { paths } from "../../paths.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { RowMenu } from "../../table/RowMenu.tsx";
import { toast } from "../../ui/toast.ts";
import { listWith } from "./model-form.ts";
import { useModels } from "../../api/use-models.ts";

interface ModelMenuProps {
  provider: ProviderRecord;
  model: OfferedModel;
  onRemove: (model: OfferedModel) => void;
}

/** Everything that can be done with one model of a provider. */
export function ModelMenu({ provider, model, onRemove }: ModelMenuProps) {
  const navigate = useNavigate();
  const { path } = useWorkspace();
  const { reason } = useReachable();
  const change = useModels(provider.slug);
  async function setEnabled(enabled: boolean): Promise<void> {
    const { id, upstream_id, type } = model;
    try {
      await change((models) => listWith(models, [{ id, upstream_id, type, enabled }]));
      toast({
        message: enabled ? `${id} is offered again.` : `${id} is no longer offered.`,
        action: { label: "Undo", onSelect: () => void setEnabled(!enabled) },
      });
    } catch (error) {
      toast({ tone: "trouble", message: `${id} was not changed. ${errorText(error)}` });
    }
  }
  return (
    <RowMenu
      name={model.id}
      items={[
        {
          label: model.pricing === null ? "Set a price" : "Edit",
          disabledReason: reason,
          onSelect: () => void navigate({ to: paths.editModel(path, provider.slug), search: { model: model.id } }),
        },
        {
          label: model.enabled ? "Switch off" : "Switch on",
          disabledReason: reason,
          onSelect: () => void setEnabled(!model.enabled),
        },
        { kind: "line" },
        {
          label: "Remove",
          danger: true,
          disabledReason: provider.kind === "builtin" ? "The built-in model stays; switch it off instead." : reason,
          onSelect: () => onRemove(model),
        },
      ]}
    />
  );
}
