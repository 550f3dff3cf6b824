import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { type ManagementKeyRecord, updateManagementKey } from "#contract/management-keys.ts";
import { useAction } from "../../api/action.ts";
import { now } from "../../api/clock.ts";
import { changedMembers } from "../../form/changes.ts";
import { useEndpointForm, type EndpointForm } from "../../form/endpoint-form.ts";
import { FormPanel } from "../../form/FormPanel.tsx";
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
import { useManagementKeys } from "./use-management-keys.ts";

/** Renames a management key or changes when it ends. The page behind it shows a list that did not load. */
export function EditManagementKeyPanel() {
  const { hash = "" } = useParams({ strict: false });
  const listed = useManagementKeys().data?.data;
  const found = listed?.find((key) => key.hash === hash);
  // what it began with: a key that is deleted elsewhere takes no form with it, and what others change is not written back
  const [began, setBegan] = useState(found);
  if (found !== undefined && began?.hash !== hash) setBegan(found);
  if (began?.hash !== hash) return null;
  return <EditManagementKey key={hash} stored={began} deleted={found === undefined} />;
}

function EditManagementKey({ stored, deleted }: { stored: ManagementKeyRecord; deleted: boolean }) {
  const closePanel = useClosePanel();
  const { path } = useWorkspace();
  const change = useAction(updateManagementKey);
  const start = managementKeyForm(stored);
  const close = () => closePanel(paths.managementKeys(path));
  const state: EndpointForm<KeyFormValues> = useEndpointForm<typeof updateManagementKey, KeyFormValues>({
    endpoint: updateManagementKey,
    values: start,
    labels: managementKeyLabels,
    fieldOf: managementKeyFieldOf,
    // both sides go through the form, so that a stored fraction of a second is not taken for a change
    input: (values) => ({
      params: { hash: stored.hash },
      body: changedMembers(managementKeyBody(start), managementKeyBody(values)),
    }),
    problems: (values) => ({ ...keyFormProblems(values, now(), start.expiresAt) }),
    submit: async (input) => {
      const { data } = await change.mutateAsync(input);
      state.guard.open();
      toast({ message: `${data.name} was saved.` });
      close();
    },
  });
  return (
    <FormPanel
      form={state}
      title={`Edit ${stored.name}`}
      submitLabel="Save changes"
      target={{ noun: "key", deleted }}
      onClose={close}
      finalFocus={() => document.getElementById(managementKeyActionsId(stored.hash))}
      disabledReason={state.form.formState.isDirty ? undefined : "No changes yet."}
    >
      <NameField form={state.form} duplicate={null} />
      <ExpiryField form={state.form} />
    </FormPanel>
  );
}
