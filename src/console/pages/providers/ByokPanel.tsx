import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { createByokKey, getByokKey, testByokKey, updateByokKey, type ByokRecord } from "#contract/byok.ts";
import { testProviderSettings, type ProviderRecord } from "#contract/providers.ts";
import { call } from "../../api/call.ts";
import { query } from "../../api/query.ts";
import { useSecretAction } from "../../api/use-secret-action.ts";
import { everyWorkspace } from "../../api/workspaces.ts";
import { FormPanel } from "../../form/FormPanel.tsx";
import { useEndpointForm, type EndpointForm } from "../../form/endpoint-form.ts";
import { secretMember } from "../../form/secret.ts";
import { allWorkspaces } from "../../paths.ts";
import { Failure } from "../../shell/Failure.tsx";
import { useWorkspace } from "../../shell/workspace.ts";
import { Panel } from "../../ui/Panel.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { toast } from "../../ui/toast.ts";
import { byokLabels, byokProblems, byokValues, createByokBody, updateByokBody, type ByokValues } from "./byok-form.ts";
import { ByokFields } from "./ByokFields.tsx";
import { ProviderPanel } from "./ProviderPanel.tsx";
import { useCloseToProvider } from "./use-provider.ts";
import { useTypedTest } from "./use-test.ts";

export function NewByokPanel() {
  const workspaces = useQuery(everyWorkspace);
  const { id } = useWorkspace();
  const close = useCloseToProvider();
  const standard = workspaces.data?.find(({ is_default: first }) => first)?.id ?? "";
  if (workspaces.isPending) return <Loading title="Add a key of a workspace's own" onClose={close} />;
  return (
    <ProviderPanel title="Add a key of a workspace's own">
      {(provider) => (
        <NewForm provider={provider} workspace={id === undefined || id === allWorkspaces ? standard : id} />
      )}
    </ProviderPanel>
  );
}

function NewForm({ provider, workspace }: { provider: ProviderRecord; workspace: string }) {
  const close = useCloseToProvider();
  const send = useSecretAction(createByokKey);
  const state = useEndpointForm<typeof createByokKey, ByokValues>({
    endpoint: createByokKey,
    values: byokValues(null, workspace),
    labels: byokLabels,
    fieldOf: { is_fallback: "turn" },
    input: (values) => ({ body: createByokBody(provider.slug, values) }),
    problems: (values) => byokProblems(values, null),
    submit: async (input) => {
      const { data } = await send(input);
      state.guard.open();
      toast({ message: `${data.name ?? "The key"} was added.` });
      close();
    },
  });
  const test = useKeyTest(state, provider.slug, null);
  return (
    <FormPanel
      form={state}
      title={`Add a workspace's own key for ${provider.name}`}
      description="Calls of that workspace use it; the provider bills its owner. Its spend is counted separately."
      submitLabel="Add key"
      onClose={close}
    >
      <ByokFields form={state.form} provider={provider} mask={null} test={test} />
    </FormPanel>
  );
}

export function EditByokPanel() {
  const { id = "" } = useParams({ strict: false });
  const found = useQuery(query(getByokKey, { params: { id } }));
  const close = useCloseToProvider();
  // a read that fails later does not take away what has been entered
  if (found.isError && !found.data) {
    return (
      <Panel title="Edit a key" onDismiss={close}>
        <Failure error={found.error} what="The key did not load" onRetry={() => void found.refetch()} />
      </Panel>
    );
  }
  if (!found.data) return <Loading title="Edit a key" onClose={close} />;
  const stored = found.data.data;
  return (
    <ProviderPanel title="Edit a key">
      {(provider) => <EditForm key={stored.id} provider={provider} stored={stored} />}
    </ProviderPanel>
  );
}

function EditForm({ provider, stored: latest }: { provider: ProviderRecord; stored: ByokRecord }) {
  const close = useCloseToProvider();
  const send = useSecretAction(updateByokKey);
  const [stored] = useState(latest);
  const state = useEndpointForm<typeof updateByokKey, ByokValues>({
    endpoint: updateByokKey,
    values: byokValues(stored, ""),
    labels: byokLabels,
    fieldOf: { is_fallback: "turn" },
    input: (values) => ({ params: { id: stored.id }, body: updateByokBody(stored, values) }),
    problems: (values) => byokProblems(values, stored),
    submit: async (input) => {
      const { data } = await send(input);
      state.guard.open();
      toast({ message: `${data.name ?? "The key"} was saved.` });
      close();
    },
  });
  const test = useKeyTest(state, provider.slug, stored.id);
  return (
    <FormPanel
      form={state}
      title={`Edit ${stored.name ?? stored.label.replace("...", "…")}`}
      submitLabel="Save changes"
      onClose={close}
      disabledReason={state.form.formState.isDirty ? undefined : "No changes yet."}
    >
      <ByokFields form={state.form} provider={provider} mask={stored.label} test={test} />
    </FormPanel>
  );
}

/** Asks with the typed key, or with the stored one while that is kept. */
function useKeyTest({ form }: EndpointForm<ByokValues>, slug: string, id: string | null) {
  return useTypedTest({
    form,
    fields: ["key"],
    labels: byokLabels,
    fieldOf: { api_key: "key" },
    question: secretMember(form.watch("key")),
    ask: (key) =>
      key == null && id !== null
        ? call(testByokKey, { params: { id } })
        : call(testProviderSettings, { body: { slug, api_key: key ?? null } }),
  });
}

function Loading({ title, onClose }: { title: string; onClose: () => void }) {
  return (
    <Panel title={title} onDismiss={onClose} busy>
      {[64, 64, 96].map((height, index) => (
        <Skeleton key={index} height={height} />
      ))}
    </Panel>
  );
}
