import { useState } from "react";
import { type ProviderRecord, testProviderSettings, updateProvider } from "#contract/providers.ts";
import { call } from "../../api/call.ts";
import { useSecretAction } from "../../api/use-secret-action.ts";
import { FormPanel } from "../../form/FormPanel.tsx";
import { useEndpointForm } from "../../form/endpoint-form.ts";
import { toast } from "../../ui/toast.ts";
import {
  changedTestBody,
  fieldOfOption,
  providerLabels,
  providerProblems,
  storedProvider,
  updateBody,
  type ProviderValues,
} from "./provider-form.ts";
import { ProviderFields } from "./ProviderFields.tsx";
import { ProviderPanel } from "./ProviderPanel.tsx";
import { useTypedTest } from "./use-test.ts";
import { useCloseToProvider } from "./use-provider.ts";

export function EditProviderPanel() {
  return (
    <ProviderPanel title="Edit a provider">
      {(provider, deleted) => <EditForm key={provider.slug} provider={provider} deleted={deleted} />}
    </ProviderPanel>
  );
}

function EditForm({ provider: latest, deleted }: { provider: ProviderRecord; deleted: boolean }) {
  // what the fields began with, so that a member which somebody else changes meanwhile is not written back
  const [provider] = useState(latest);
  const close = useCloseToProvider();
  const send = useSecretAction(updateProvider);
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
      const { data } = await send(input);
      state.guard.open();
      toast({ message: `${data.name} was saved.` });
      close();
    },
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
      <ProviderFields form={state.form} preset={provider.preset} mask={provider.api_key} isNew={false} test={test} />
    </FormPanel>
  );
}
