import { useState } from "react";
import { createPresetVersion, type PresetWithVersion } from "#contract/presets.ts";
import { isNotFound } from "../../api/errors.ts";
import { useVersionedChange, type Versioned } from "../../api/versioned.ts";
import { ConflictNotice } from "../../form/ConflictNotice.tsx";
import { FormPanel } from "../../form/FormPanel.tsx";
import { useEndpointForm } from "../../form/endpoint-form.ts";
import { useNewerVersion } from "../../form/newer-version.ts";
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
  const [began, setBegan] = useState<Versioned<PresetWithVersion>>(latest);
  const save = useVersionedChange(createPresetVersion, read);
  const state = useEndpointForm<typeof createPresetVersion, VersionValues>({
    endpoint: createPresetVersion,
    values: formOf(began.record),
    labels: versionLabels,
    fieldOf: versionFieldOf,
    problems: versionProblems,
    input: (values) => ({ ...input, body: versionBody(values) }),
    submit: async (sent) => {
      const { record } = await save(sent, began.etag);
      state.guard.open();
      toast({ message: `Version ${record.designated_version_number} of ${record.name} was saved: calls use it now.` });
      close();
    },
  });
  const theirs = useNewerVersion(state, { latest, began, follow: setBegan, formOf, words: wordsOf });
  return (
    <FormPanel
      form={state}
      title={`Edit ${latest.record.name}`}
      submitLabel="Save new version"
      note={`Begins as version ${began.record.designated_version_number}`}
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
