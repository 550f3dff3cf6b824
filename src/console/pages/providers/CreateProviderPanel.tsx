import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { createProvider, ProviderPreset } from "#contract/providers.ts";
import { everyProvider } from "../../api/providers.ts";
import { useSend } from "../../api/send.ts";
import { FormPanel } from "../../form/FormPanel.tsx";
import { useEndpointForm } from "../../form/endpoint-form.ts";
import { paths } from "../../paths.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { linkTextClass } from "../../ui/LinkText.tsx";
import { Panel } from "../../ui/Panel.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { toast } from "../../ui/toast.ts";
import { PresetGallery } from "./PresetGallery.tsx";
import { createBody, newProvider, presetOf, providerLabels, providerProblems } from "./provider-form.ts";
import type { ProviderValues } from "./provider-form.ts";
import { ProviderFields } from "./ProviderFields.tsx";
import type { ProviderSearch } from "./search.ts";

/** First whose it is, then what is known of it filled in, then its models. */
export function CreateProviderPanel() {
  const navigate = useNavigate();
  const { path } = useWorkspace();
  const search: ProviderSearch = useSearch({ strict: false });
  const preset = ProviderPreset.options.find((one) => one === search.preset && one !== "gatehouse");
  const known = useQuery(everyProvider);
  const close = () => void navigate({ to: paths.providers(path) });
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
  const send = useSend(createProvider);
  const state = useEndpointForm<typeof createProvider, ProviderValues>({
    endpoint: createProvider,
    values: newProvider(preset, taken),
    labels: providerLabels,
    fieldOf: { options: "api_version" },
    input: (values) => ({ body: createBody(preset, values) }),
    problems: (values) => providerProblems(values, null),
    submit: async (input) => {
      const { data } = await send(input);
      state.guard.open();
      toast({ message: `${data.name} is added.` });
      void navigate({ to: paths.pickModels(path, data.slug) });
    },
  });
  const { name, selfHosted } = presetOf(preset);
  return (
    <FormPanel
      form={state}
      title={preset === "custom" ? "Add a provider" : `Add ${name}`}
      submitLabel="Add and choose models"
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
      <ProviderFields form={state.form} preset={preset} mask={null} isNew />
    </FormPanel>
  );
}
