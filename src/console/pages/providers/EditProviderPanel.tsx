import { useState } from "react";
import type { ProviderRecord } from "#contract/providers.ts";
import { updateProvider } from "#contract/providers.ts";
import { useSend } from "../../api/send.ts";
import { FormPanel } from "../../form/FormPanel.tsx";
import { useEndpointForm } from "../../form/endpoint-form.ts";
import { Button } from "../../ui/Button.tsx";
import { toast } from "../../ui/toast.ts";
import { providerLabels, providerProblems, storedProvider, updateBody } from "./provider-form.ts";
import type { ProviderValues } from "./provider-form.ts";
import { ProviderFields } from "./ProviderFields.tsx";
import { ProviderPanel } from "./ProviderPanel.tsx";
import { TestResult } from "./TestResult.tsx";
import { useTest } from "./use-test.ts";
import { useCloseToProvider } from "./use-provider.ts";

export function EditProviderPanel() {
  return (
    <ProviderPanel title="Edit a provider">
      {(provider) => <EditForm key={provider.slug} provider={provider} />}
    </ProviderPanel>
  );
}

function EditForm({ provider: latest }: { provider: ProviderRecord }) {
  // what the fields began with, so that a member which somebody else changes meanwhile is not written back
  const [provider] = useState(latest);
  const close = useCloseToProvider();
  const send = useSend(updateProvider);
  const test = useTest(provider.slug);
  const state = useEndpointForm<typeof updateProvider, ProviderValues>({
    endpoint: updateProvider,
    values: storedProvider(provider),
    labels: providerLabels,
    fieldOf: { options: "api_version" },
    input: (values) => ({ params: { slug: provider.slug }, body: updateBody(provider, values) }),
    problems: (values) => providerProblems(values, provider),
    ask: (values) =>
      values.api_key.state === "removed"
        ? {
            title: `Remove the key of ${provider.name}?`,
            text: "Calls go out without one from then on. The key cannot be brought back from here.",
            confirm: "Remove the key",
          }
        : null,
    submit: async (input) => {
      const { data } = await send(input);
      state.guard.open();
      toast({ message: `${data.name} is saved.` });
      close();
    },
  });
  const dirty = state.form.formState.isDirty;
  return (
    <FormPanel
      form={state}
      title={`Edit ${provider.name}`}
      submitLabel="Save changes"
      onClose={close}
      disabledReason={dirty ? undefined : "Nothing is changed yet."}
    >
      <ProviderFields
        form={state.form}
        preset={provider.preset}
        mask={provider.api_key}
        isNew={false}
        secretActions={
          <Button size="sm" pending={test.isPending} onClick={() => test.run()}>
            Test
          </Button>
        }
      />
      <TestResult name={provider.name} test={test} />
    </FormPanel>
  );
}
