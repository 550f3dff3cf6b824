import { useNavigate } from "@tanstack/react-router";
import { deleteGuardrail } from "#contract/guardrails.ts";
import { ActionDialog } from "../../form/ActionDialog.tsx";
import { paths } from "../../paths.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { toast } from "../../ui/toast.ts";
import { assignedWords } from "./guardrail-columns.tsx";
import { useCloseToGuardrail, useGuardrail } from "./use-guardrail.ts";

/** Asks before a guardrail is deleted; a default one is only emptied. */
export function DeleteGuardrailDialog() {
  const { path } = useWorkspace();
  const navigate = useNavigate();
  const close = useCloseToGuardrail();
  const guardrail = useGuardrail().data?.data;
  if (guardrail === undefined) return null;
  const { id, name, is_default: isDefault } = guardrail;
  const covered = assignedWords(guardrail);
  return (
    <ActionDialog
      endpoint={deleteGuardrail}
      input={{ params: { id } }}
      danger
      title={isDefault ? `Reset ${name}` : `Delete ${name}`}
      description={
        isDefault
          ? "All its rules are removed: keys of the workspace are then restricted only by the guardrails they are assigned to. This cannot be undone."
          : covered === null
            ? "It is not assigned to anything. This cannot be undone."
            : `From the next call on, it no longer restricts what it is assigned to: ${covered}. This cannot be undone.`
      }
      // what still covers something is deleted with more care
      typedName={!isDefault && covered !== null ? name : undefined}
      confirmLabel={isDefault ? "Reset guardrail" : "Delete guardrail"}
      onDone={async () => {
        toast({ message: isDefault ? `${name} restricts nothing now.` : `${name} was deleted.` });
        if (isDefault) close();
        else await navigate({ to: paths.guardrails(path), replace: true });
      }}
      onCancel={close}
    />
  );
}
