import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { getManagementKey, type ManagementKeyRecord, updateManagementKey } from "#contract/management-keys.ts";
import { now } from "../../api/clock.ts";
import { isNotFound } from "../../api/errors.ts";
import { versioned, type Versioned } from "../../api/versioned.ts";
import { changedMembers } from "../../form/changes.ts";
import { ConflictNotice } from "../../form/ConflictNotice.tsx";
import { FormPanel } from "../../form/FormPanel.tsx";
import { useVersionedForm } from "../../form/versioned-form.ts";
import { paths } from "../../paths.ts";
import { useClosePanel } from "../../shell/close-panel.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { toast } from "../../ui/toast.ts";
import { keyFormProblems, type KeyFormValues } from "./key-form.ts";
import { ExpiryField, NameField } from "./KeyFields.tsx";
import {
  managementKeyBody,
  managementKeyFieldOf,
  managementKeyForm,
  managementKeyLabels,
} from "./management-key-form.ts";
import { managementKeyActionsId } from "./ManagementKeyMenu.tsx";
import { managementKeyWords, mergeManagementKeyForm } from "./newer-key.ts";

/** Renames a management key or changes when it ends. The page behind it shows a list that did not load. */
export function EditManagementKeyPanel() {
  const { hash = "" } = useParams({ strict: false });
  const { data, error } = useQuery(versioned(getManagementKey, { params: { hash } }));
  return data ? <EditManagementKey key={hash} latest={data} deleted={isNotFound(error)} /> : null;
}

function EditManagementKey({ latest, deleted }: { latest: Versioned<ManagementKeyRecord>; deleted: boolean }) {
  const closePanel = useClosePanel();
  const { path } = useWorkspace();
  const { hash } = latest.record;
  const close = () => closePanel(paths.managementKeys(path));
  const { state, began, theirs } = useVersionedForm<typeof updateManagementKey, KeyFormValues, ManagementKeyRecord>({
    endpoint: updateManagementKey,
    latest,
    read: versioned(getManagementKey, { params: { hash } }),
    labels: managementKeyLabels,
    fieldOf: managementKeyFieldOf,
    formOf: managementKeyForm,
    words: managementKeyWords,
    merge: mergeManagementKeyForm,
    // both sides go through the form, so that a stored fraction of a second is not taken for a change
    input: (values, before) => ({
      params: { hash },
      body: changedMembers(managementKeyBody(managementKeyForm(before)), managementKeyBody(values)),
    }),
    problems: (values, before) => ({ ...keyFormProblems(values, now(), managementKeyForm(before).expiresAt) }),
    saved: ({ name }) => {
      toast({ message: `${name} was saved.` });
      close();
    },
  });
  return (
    <FormPanel
      form={state}
      title={`Edit ${began.name}`}
      submitLabel="Save changes"
      target={{ noun: "key", deleted }}
      onClose={close}
      finalFocus={() => document.getElementById(managementKeyActionsId(hash))}
      disabledReason={state.form.formState.isDirty ? undefined : "No changes yet."}
    >
      <ConflictNotice noun="key" changes={theirs} />
      <NameField form={state.form} duplicate={null} />
      <ExpiryField form={state.form} />
    </FormPanel>
  );
}
