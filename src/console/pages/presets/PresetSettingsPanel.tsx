import { type PresetWithVersion, updatePreset } from "#contract/presets.ts";
import { isNotFound } from "../../api/errors.ts";
import { changedMembers } from "../../form/changes.ts";
import { ConflictNotice } from "../../form/ConflictNotice.tsx";
import { FormPanel } from "../../form/FormPanel.tsx";
import { useVersionedForm } from "../../form/versioned-form.ts";
import { Field } from "../../ui/Field.tsx";
import { NativeSelect } from "../../ui/NativeSelect.tsx";
import { TextArea } from "../../ui/TextArea.tsx";
import { TextInput } from "../../ui/TextInput.tsx";
import { toast } from "../../ui/toast.ts";
import {
  settingsBody,
  settingsForm,
  settingsLabels as labels,
  type SettingsValues,
  settingsWords,
} from "./preset-form.ts";
import { type OfPreset, PresetPanel } from "./PresetPanel.tsx";
import { settingsId } from "./PresetPage.tsx";
import { presetStatus } from "./status.ts";
import { useCloseToPreset } from "./use-preset.ts";

/** Changes what a preset is called, and whether calls may use it. */
export function PresetSettingsPanel() {
  return (
    <PresetPanel title="Settings of a preset">{(of) => <SettingsForm key={of.latest.record.id} {...of} />}</PresetPanel>
  );
}

function SettingsForm({ latest, error, input, read }: OfPreset) {
  const close = useCloseToPreset();
  const { state, theirs } = useVersionedForm<typeof updatePreset, SettingsValues, PresetWithVersion>({
    endpoint: updatePreset,
    latest,
    read,
    labels,
    formOf: settingsForm,
    words: settingsWords,
    input: (values, began) => ({
      ...input,
      body: changedMembers(settingsBody(settingsForm(began)), settingsBody(values)),
    }),
    saved: ({ name }) => {
      toast({ message: `${name} was saved.` });
      close();
    },
  });
  const { errors, isDirty } = state.form.formState;
  return (
    <FormPanel
      form={state}
      title={`Settings of ${latest.record.name}`}
      submitLabel="Save changes"
      onClose={close}
      finalFocus={() => document.getElementById(settingsId)}
      target={{ noun: "preset", deleted: isNotFound(error) }}
      disabledReason={isDirty ? undefined : "No changes yet."}
    >
      <ConflictNotice noun="preset" changes={theirs} />
      <Field label={labels.name} error={errors.name?.message}>
        {(control) => (
          <TextInput
            {...control}
            {...state.form.register("name")}
            dir="auto"
            data-1p-ignore
            data-lpignore="true"
            data-bwignore
          />
        )}
      </Field>
      <Field label={labels.description} optional error={errors.description?.message}>
        {(control) => <TextArea {...control} {...state.form.register("description")} rows={3} dir="auto" />}
      </Field>
      <Field
        label={labels.status}
        error={errors.status?.message}
        hint="Calls can use an active preset only. An archived one takes no new versions either."
      >
        {(control) => (
          <NativeSelect {...control} {...state.form.register("status")}>
            {Object.entries(presetStatus).map(([value, { word }]) => (
              <option key={value} value={value}>
                {word}
              </option>
            ))}
          </NativeSelect>
        )}
      </Field>
    </FormPanel>
  );
}
