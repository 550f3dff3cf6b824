import { type GuardrailRecord, updateGuardrail } from "#contract/guardrails.ts";
import { isNotFound } from "../../api/errors.ts";
import type { Versioned } from "../../api/versioned.ts";
import { ConflictNotice } from "../../form/ConflictNotice.tsx";
import { FormPanel } from "../../form/FormPanel.tsx";
import { useVersionedForm } from "../../form/versioned-form.ts";
import { ReadingPanel } from "../../shell/ReadingPanel.tsx";
import { toast } from "../../ui/toast.ts";
import {
  guardrailChanges,
  guardrailFieldOf,
  guardrailForm,
  guardrailLabels,
  guardrailProblems,
  type GuardrailValues,
  guardrailWords,
} from "./guardrail-form.ts";
import { GuardrailFields } from "./GuardrailFields.tsx";
import { editId } from "./GuardrailPage.tsx";
import { NameFields } from "./NameFields.tsx";
import { useCloseToGuardrail, useVersionedGuardrail } from "./use-guardrail.ts";

/** Changes what a guardrail allows. */
export function EditGuardrailPanel() {
  const { found, read, input } = useVersionedGuardrail();
  const close = useCloseToGuardrail();
  if (!found.data) return <ReadingPanel title="Edit a guardrail" noun="guardrail" found={found} onClose={close} />;
  return (
    <EditForm
      key={found.data.record.id}
      latest={found.data}
      deleted={isNotFound(found.error)}
      input={input}
      read={read}
      onClose={close}
    />
  );
}

interface EditFormProps extends Pick<ReturnType<typeof useVersionedGuardrail>, "input" | "read"> {
  latest: Versioned<GuardrailRecord>;
  deleted: boolean;
  onClose: () => void;
}

function EditForm({ latest, deleted, input, read, onClose }: EditFormProps) {
  const { state, theirs } = useVersionedForm<typeof updateGuardrail, GuardrailValues, GuardrailRecord>({
    endpoint: updateGuardrail,
    latest,
    read,
    labels: guardrailLabels,
    fieldOf: guardrailFieldOf,
    problems: guardrailProblems,
    formOf: guardrailForm,
    words: guardrailWords,
    input: (values, began) => ({ ...input, body: guardrailChanges(began, values) }),
    saved: ({ name: saved }) => {
      toast({ message: `${saved} was saved.` });
      onClose();
    },
  });
  const { is_default: isDefault, name } = latest.record;
  return (
    <FormPanel
      form={state}
      title={`Edit ${name}`}
      description={
        isDefault ? "The default guardrail covers every key of its workspace, including future ones." : undefined
      }
      submitLabel="Save changes"
      note={state.form.formState.isDirty ? undefined : "No changes yet"}
      onClose={onClose}
      finalFocus={() => document.getElementById(editId)}
      target={{ noun: "guardrail", deleted }}
      disabledReason={state.form.formState.isDirty ? undefined : "No changes yet."}
    >
      <ConflictNotice noun="guardrail" changes={theirs} />
      <NameFields form={state.form} fixed={isDefault} />
      <GuardrailFields form={state.form} isDefault={isDefault} />
    </FormPanel>
  );
}
