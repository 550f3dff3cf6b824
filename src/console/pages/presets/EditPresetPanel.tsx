import { createPresetVersion, type PresetWithVersion } from "#contract/presets.ts";
import { isNotFound } from "../../api/errors.ts";
import { ConflictNotice } from "../../form/ConflictNotice.tsx";
import { FormPanel } from "../../form/FormPanel.tsx";
import { useVersionedForm } from "../../form/versioned-form.ts";
import { toast } from "../../ui/toast.ts";
import {
  emptyVersion,
  versionBody,
  versionFieldOf,
  versionForm,
  versionLabels,
  versionProblems,
  versionWords,
  type VersionValues,
} from "./preset-form.ts";
import { PresetPanel, type OfPreset } from "./PresetPanel.tsx";
import { editId } from "./PresetPage.tsx";
import { useCloseToPreset } from "./use-preset.ts";
import { VersionFields } from "./VersionFields.tsx";

/** Saves a new version of the preset, which begins as the one in use. */
export function EditPresetPanel() {
  return <PresetPanel title="Edit a preset">{(of) => <EditForm key={of.latest.record.id} {...of} />}</PresetPanel>;
}

const formOf = ({ designated_version: version }: PresetWithVersion) =>
  version === null ? emptyVersion : versionForm(version);
const wordsOf = ({ designated_version: version }: PresetWithVersion) =>
  versionWords(version ?? { config: {}, system_prompt: null });

function EditForm({ latest, error, input, read }: OfPreset) {
  const close = useCloseToPreset();
  const { state, began, theirs } = useVersionedForm<typeof createPresetVersion, VersionValues, PresetWithVersion>({
    endpoint: createPresetVersion,
    latest,
    read,
    labels: versionLabels,
    fieldOf: versionFieldOf,
    problems: versionProblems,
    formOf,
    words: wordsOf,
    input: (values) => ({ ...input, body: versionBody(values) }),
    saved: ({ name, designated_version_number: number }) => {
      toast({ message: `Version ${number} of ${name} was saved: calls use it now.` });
      close();
    },
  });
  return (
    <FormPanel
      form={state}
      title={`Edit ${latest.record.name}`}
      submitLabel="Save new version"
      note={`Begins as version ${began.designated_version_number}`}
      onClose={close}
      finalFocus={() => document.getElementById(editId)}
      target={{ noun: "preset", deleted: isNotFound(error) }}
      disabledReason={state.form.formState.isDirty ? undefined : "No changes yet."}
    >
      <ConflictNotice noun="preset" changes={theirs} />
      <VersionFields form={state.form} />
    </FormPanel>
  );
}
