import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { getProvider, type ProviderRecord, testProviderSettings, updateProvider } from "#contract/providers.ts";
import { call } from "../../api/call.ts";
import { isNotFound } from "../../api/errors.ts";
import { useVersionedChange, versioned, type Versioned } from "../../api/versioned.ts";
import { ConflictNotice } from "../../form/ConflictNotice.tsx";
import { FormPanel } from "../../form/FormPanel.tsx";
import { useEndpointForm } from "../../form/endpoint-form.ts";
import { useNewerVersion } from "../../form/newer-version.ts";
import { toast } from "../../ui/toast.ts";
import {
  changedTestBody,
  fieldOfOption,
  mergeProvider,
  providerLabels,
  providerProblems,
  providerWords,
  storedProvider,
  updateBody,
  type ProviderValues,
} from "./provider-form.ts";
import { ProviderFields } from "./ProviderFields.tsx";
import { ReadingProvider } from "./ProviderPanel.tsx";
import { useTypedTest } from "./use-test.ts";
import { useCloseToProvider } from "./use-provider.ts";

export function EditProviderPanel() {
  const { slug = "" } = useParams({ strict: false });
  const found = useQuery(versioned(getProvider, { params: { slug } }));
  if (!found.data) return <ReadingProvider title="Edit a provider" found={found} />;
  return <EditForm key={slug} latest={found.data} deleted={isNotFound(found.error)} />;
}

function EditForm({ latest, deleted }: { latest: Versioned<ProviderRecord>; deleted: boolean }) {
  // what the changes are measured against, so that a member which somebody else changes meanwhile is not written back
  const [began, setBegan] = useState(latest);
  const provider = began.record;
  const close = useCloseToProvider();
  const send = useVersionedChange(updateProvider, versioned(getProvider, { params: { slug: provider.slug } }));
  const state = useEndpointForm<typeof updateProvider, ProviderValues>({
    endpoint: updateProvider,
    values: storedProvider(provider),
    labels: providerLabels,
    fieldOf: fieldOfOption,
    input: (values) => ({ params: { slug: provider.slug }, body: updateBody(provider, values) }),
    problems: (values) => providerProblems(values, provider),
    ask: (values) =>
      values.api_key.state === "removed"
        ? {
            title: `Remove the key of ${provider.name}?`,
            text: "From then on, calls go out without a key. You cannot restore it from here.",
            confirm: "Remove the key",
          }
        : null,
    submit: async (input) => {
      const { record } = await send(input, began.etag);
      state.guard.open();
      toast({ message: `${record.name} was saved.` });
      close();
    },
  });
  const theirs = useNewerVersion(state, {
    latest,
    began,
    follow: setBegan,
    formOf: storedProvider,
    words: providerWords,
    merge: mergeProvider,
  });
  const test = useTypedTest({
    form: state.form,
    fields: ["base_url", "api_key", "api_version"],
    labels: providerLabels,
    fieldOf: fieldOfOption,
    question: changedTestBody(provider, state.form.watch()),
    ask: (body) => call(testProviderSettings, { body }),
  });
  const dirty = state.form.formState.isDirty;
  return (
    <FormPanel
      form={state}
      title={`Edit ${provider.name}`}
      submitLabel="Save changes"
      onClose={close}
      target={{ noun: "provider", deleted }}
      disabledReason={dirty ? undefined : "No changes yet."}
    >
      <ConflictNotice noun="provider" changes={theirs} />
      <ProviderFields form={state.form} preset={provider.preset} mask={provider.api_key} isNew={false} test={test} />
    </FormPanel>
  );
}
