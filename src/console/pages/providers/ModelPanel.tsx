import { useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { ProviderModel, updateProvider, type ProviderRecord } from "#contract/providers.ts";
import type { OfferedModel } from "../../api/providers.ts";
import { FormPanel } from "../../form/FormPanel.tsx";
import { useEndpointForm } from "../../form/endpoint-form.ts";
import { Button } from "../../ui/Button.tsx";
import { Panel } from "../../ui/Panel.tsx";
import { toast } from "../../ui/toast.ts";
import {
  listWith,
  modelBody,
  modelChange,
  modelLabels,
  modelProblems,
  modelValues,
  ofOneModel,
  type ModelValues,
} from "./model-form.ts";
import { ModelFields } from "./ModelFields.tsx";
import { ProviderPanel } from "./ProviderPanel.tsx";
import type { ProviderSearch } from "./search.ts";
import { useModels } from "../../api/use-models.ts";
import { useCloseToProvider } from "./use-provider.ts";

/** The form is checked against one model, not against the list that the model becomes a part of. */
const oneModel = { ...updateProvider, body: ProviderModel };

const fieldOf = { dimensions_range: "dimensions_minimum", pricing: "prompt" };

export function NewModelPanel() {
  return (
    <ProviderPanel title="Add a model">{(provider) => <ModelForm provider={provider} model={null} />}</ProviderPanel>
  );
}

export function EditModelPanel() {
  const { model: id }: ProviderSearch = useSearch({ strict: false });
  return (
    <ProviderPanel title="Edit a model">
      {(provider) => {
        const model = provider.models.find((one) => one.id === id);
        return model ? <ModelForm key={model.id} provider={provider} model={model} /> : <NoSuchModel id={id ?? ""} />;
      }}
    </ProviderPanel>
  );
}

function NoSuchModel({ id }: { id: string }) {
  const close = useCloseToProvider();
  return (
    <Panel title="It no longer exists" onDismiss={close} footer={<Button onClick={close}>Close</Button>}>
      <p>This provider offers no model called {id}. It may have been removed.</p>
    </Panel>
  );
}

/** @param latest null for a new model */
function ModelForm({ provider, model: latest }: { provider: ProviderRecord; model: OfferedModel | null }) {
  const close = useCloseToProvider();
  const change = useModels(provider.slug);
  // what the fields began with, so that a member which somebody else changes meanwhile is not written back
  const [model] = useState(latest);
  const taken = model ? [] : provider.models.map(({ id }) => id);
  const state = useEndpointForm<typeof oneModel, ModelValues>({
    endpoint: oneModel,
    values: modelValues(model, provider.slug),
    labels: modelLabels,
    fieldOf,
    input: (values) => ({ params: { slug: provider.slug }, body: modelBody(values) }),
    problems: (values) => modelProblems(values, taken),
    submit: async ({ body }, values) => {
      try {
        await change((models) => listWith(models, [model ? modelChange(model, values) : body]));
      } catch (error) {
        throw ofOneModel(error);
      }
      state.guard.open();
      toast({ message: `${body.id} is ${model ? "saved" : "added"}.` });
      close();
    },
  });
  const unchanged = model !== null && !state.form.formState.isDirty;
  return (
    <FormPanel
      form={state}
      title={model ? `Edit ${model.id}` : `Add a model of ${provider.name}`}
      submitLabel={model ? "Save changes" : "Add model"}
      onClose={close}
      disabledReason={unchanged ? "No changes yet." : undefined}
    >
      <ModelFields form={state.form} isNew={model === null} builtin={provider.kind === "builtin"} />
    </FormPanel>
  );
}
