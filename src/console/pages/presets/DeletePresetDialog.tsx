import { useNavigate } from "@tanstack/react-router";
import { deletePreset } from "#contract/presets.ts";
import { ActionDialog } from "../../form/ActionDialog.tsx";
import { paths } from "../../paths.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { toast } from "../../ui/toast.ts";
import { useCloseToPreset, usePreset, usePresetInput } from "./use-preset.ts";

/** Asks before a preset is deleted, and requires its slug. */
export function DeletePresetDialog() {
  const { path } = useWorkspace();
  const navigate = useNavigate();
  const close = useCloseToPreset();
  const input = usePresetInput();
  const preset = usePreset().data?.data;
  if (preset === undefined || input === null) return null;
  return (
    <ActionDialog
      endpoint={deletePreset}
      input={input}
      danger
      title={`Delete ${preset.name}`}
      description="Its versions are deleted too. Calls that name it are refused from now on; those that were made keep its name. This cannot be undone."
      typedName={preset.slug}
      confirmLabel="Delete preset"
      onDone={async () => {
        toast({ message: `${preset.name} was deleted.` });
        await navigate({ to: paths.presets(path), replace: true });
      }}
      onCancel={close}
    />
  );
}
