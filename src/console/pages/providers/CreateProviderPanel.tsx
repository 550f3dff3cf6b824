import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { createProvider, ProviderPreset, testProviderSettings } from "#contract/providers.ts";
import { call } from "../../api/call.ts";
import { everyProvider } from "../../api/providers.ts";
import { useSecretAction } from "../../api/use-secret-action.ts";
import { FormPanel } from "../../form/FormPanel.tsx";
import { useEndpointForm } from "../../form/endpoint-form.ts";
import { paths } from "../../paths.ts";
import { useClosePanel } from "../../shell/close-panel.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { linkTextClass } from "../../ui/LinkText.tsx";
import { Panel } from "../../ui/Panel.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { toast } from "../../ui/toast.ts";
import { PresetGallery } from "./PresetGallery.tsx";
import {
  createBody,
  fieldOfOption,
  newProvider,
  newTestBody,
  presetOf,
  providerLabels,
  providerProblems,
  type ProviderValues,
} from "./provider-form.ts";
import { NewModels } from "./NewModels.tsx";
import { ProviderFields } from "./ProviderFields.tsx";
import type { ProviderSearch } from "./search.ts";
import { useTypedTest } from "./use-test.ts";

/** First whose it is, then what is known of it filled in, then its models. */
export function CreateProviderPanel() {
  const closePanel = useClosePanel();
  const { path } = useWorkspace();
  const search: ProviderSearch = useSearch({ strict: false });
  const preset = ProviderPreset.options.find((one) => one === search.preset && one !== "gatehouse");
  const known = useQuery(everyProvider);
  const close = () => closePanel(paths.providers(path));
  if (preset === undefined) {
    return (
      <Panel title="Add a provider" onDismiss={close} outside="dismiss">
        <PresetGallery to={paths.newProvider(path)} />
      </Panel>
    );
  }
  // what slugs are taken is only for a good proposal: without the list the server still refuses a second one
  if (known.isPending) {
    return (
      <Panel title={`Add ${presetOf(preset).name}`} onDismiss={close} busy>
        <Skeleton height={64} />
      </Panel>
    );
  }
  return (
    <NewProvider key={preset} preset={preset} taken={known.data?.data.map(({ slug }) => slug) ?? []} onClose={close} />
  );
}

interface NewProviderProps {
  preset: ProviderPreset;
  taken: readonly string[];
  onClose: () => void;
}

function NewProvider({ preset, taken, onClose }: NewProviderProps) {
  const navigate = useNavigate();
  const { path } = useWorkspace();
  const send = useSecretAction(createProvider);
  const state = useEndpointForm<typeof createProvider, ProviderValues>({
    endpoint: createProvider,
    values: newProvider(preset, taken),
    labels: providerLabels,
    fieldOf: fieldOfOption,
    input: (values) => ({ body: createBody(preset, values) }),
    problems: (values) => providerProblems(values, null),
    submit: async (input) => {
      const { data } = await send(input);
      state.guard.open();
      toast({ message: `${data.name} was added.` });
      const next = data.models.length > 0 ? paths.provider : paths.pickModels;
      void navigate({ to: next(path, data.slug), replace: true });
    },
  });
  const values = state.form.watch();
  const test = useTypedTest({
    form: state.form,
    fields: ["base_url", "api_key", "api_version"],
    labels: providerLabels,
    fieldOf: fieldOfOption,
    question: newTestBody(preset, values),
    ask: (body) => call(testProviderSettings, { body }),
  });
  const chosen = values.models.length;
  const { name, selfHosted } = presetOf(preset);
  return (
    <FormPanel
      form={state}
      title={preset === "custom" ? "Add a provider" : `Add ${name}`}
      submitLabel={chosen === 0 ? "Add and choose models" : `Add with ${chosen} ${chosen === 1 ? "model" : "models"}`}
      description={
        <>
          {selfHosted ? "A model server of your own." : "Calls to its models go to this address with this key."}{" "}
          <Link to={paths.newProvider(path)} className={`${linkTextClass} underline`}>
            Choose another
          </Link>
        </>
      }
      onClose={onClose}
    >
      <ProviderFields
        form={state.form}
        preset={preset}
        mask={null}
        isNew
        test={test}
        found={<NewModels form={state.form} preset={preset} found={test.result?.models ?? []} />}
      />
    </FormPanel>
  );
}
