import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useWatch } from "react-hook-form";
import {
  baselineCalls,
  canaryCost,
  canaryKeyLimit,
  type CanaryRecord,
  canaryTexts,
  canaryTokens,
  createCanary,
  updateCanary,
} from "#contract/canaries.ts";
import { useAction } from "../../api/action.ts";
import { everyProvider } from "../../api/providers.ts";
import { everyWorkspace } from "../../api/workspaces.ts";
import { type EndpointForm, useEndpointForm } from "../../form/endpoint-form.ts";
import { FormPanel } from "../../form/FormPanel.tsx";
import { formatUsd, formatUsdRough } from "../../format.ts";
import { paths } from "../../paths.ts";
import { useClosePanel } from "../../shell/close-panel.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Field } from "../../ui/Field.tsx";
import { NativeSelect } from "../../ui/NativeSelect.tsx";
import { toast } from "../../ui/toast.ts";
import { intervalName, intervals } from "./canary.ts";
import { watchId } from "./Canaries.tsx";
import { modelRows, type Offer } from "./offers.ts";
import { useCanaries } from "./use-canaries.ts";

interface CanaryValues {
  everyHours: string;
  /** empty: the default one */
  workspaceId: string;
}

/** Sets the canary of a provider's model up, or changes it. The page behind it shows what did not load. */
export function CanaryPanel() {
  const { author = "", slug = "", provider = "" } = useParams({ strict: false });
  const id = `${author}/${slug}`;
  const canaries = useCanaries(id);
  const providers = useQuery(everyProvider);
  const offer = modelRows(providers.data?.data ?? [])
    .find((row) => row.id === id)
    ?.offers.find((one) => one.provider.slug === provider);
  if (canaries.data === undefined || offer === undefined) return null;
  const canary = canaries.data.data.find((one) => one.provider === provider);
  return canary ? <ChangeCanary canary={canary} offer={offer} /> : <WatchModel offer={offer} />;
}

function useClose({ model }: Offer) {
  const closePanel = useClosePanel();
  const { path } = useWorkspace();
  return () => closePanel(paths.model(path, model.id));
}

const labels = { everyHours: "Check", workspaceId: "Charged to" };
const fieldOf = { every_hours: "everyHours", workspace_id: "workspaceId" };

function WatchModel({ offer }: { offer: Offer }) {
  const { provider, model } = offer;
  const { record } = useWorkspace();
  const close = useClose(offer);
  const create = useAction(createCanary);
  const state = useEndpointForm<typeof createCanary, CanaryValues>({
    endpoint: createCanary,
    values: { everyHours: "24", workspaceId: record === undefined || record.is_default ? "" : record.id },
    labels,
    fieldOf,
    input: ({ everyHours, workspaceId }) => ({
      body: {
        provider: provider.slug,
        model: model.id,
        every_hours: Number(everyHours),
        ...(workspaceId !== "" && { workspace_id: workspaceId }),
      },
    }),
    submit: async (input) => {
      await create.mutateAsync(input);
      state.guard.open();
      toast({ message: `${model.id} at ${provider.name} is watched: its baseline is being measured.` });
      close();
    },
  });
  return (
    <FormPanel
      form={state}
      title={`Watch ${model.id} at ${provider.name}`}
      submitLabel="Watch it"
      onClose={close}
      finalFocus={() => document.getElementById(watchId(provider.slug))}
    >
      <CanaryFields state={state} offer={offer} isNew />
    </FormPanel>
  );
}

function ChangeCanary({ offer, canary }: { offer: Offer; canary: CanaryRecord }) {
  const { provider, model } = offer;
  const close = useClose(offer);
  const update = useAction(updateCanary);
  const state = useEndpointForm<typeof updateCanary, CanaryValues>({
    endpoint: updateCanary,
    values: { everyHours: String(canary.every_hours), workspaceId: canary.workspace_id },
    labels,
    fieldOf,
    input: ({ everyHours, workspaceId }) => ({
      params: { id: canary.id },
      body: { every_hours: Number(everyHours), workspace_id: workspaceId },
    }),
    submit: async (input) => {
      await update.mutateAsync(input);
      state.guard.open();
      toast({ message: `The canary of ${model.id} at ${provider.name} was changed.` });
      close();
    },
  });
  return (
    <FormPanel
      form={state}
      title={`Change the canary of ${model.id} at ${provider.name}`}
      submitLabel="Save changes"
      onClose={close}
      finalFocus={() => document.getElementById(watchId(provider.slug))}
      disabledReason={state.form.formState.isDirty ? undefined : "No changes yet."}
      target={{ noun: "canary", deleted: false }}
    >
      <CanaryFields state={state} offer={offer} />
    </FormPanel>
  );
}

interface CanaryFieldsProps {
  state: EndpointForm<CanaryValues>;
  offer: Offer;
  /** the default workspace is then the one that is not named */
  isNew?: boolean;
}

function CanaryFields({ state: { form }, offer, isNew = false }: CanaryFieldsProps) {
  const workspaces = useQuery(everyWorkspace).data ?? [];
  const hours = Number(useWatch({ control: form.control, name: "everyHours" }));
  const paying = useWatch({ control: form.control, name: "workspaceId" });
  const listed = intervals.some((one) => one.hours === hours)
    ? intervals
    : [...intervals, { hours, label: intervalName(hours) }];
  return (
    <>
      <Field label={labels.everyHours} error={form.formState.errors.everyHours?.message}>
        {(control) => (
          <NativeSelect {...control} {...form.register("everyHours")}>
            {listed.map((one) => (
              <option key={one.hours} value={one.hours}>
                {one.label}
              </option>
            ))}
          </NativeSelect>
        )}
      </Field>
      <Field
        label={labels.workspaceId}
        hint={`A key “Drift canaries” is made in this workspace, with a limit of ${formatUsd(canaryKeyLimit)} a month that you can change. Its calls are on the ledger like all others.`}
        error={form.formState.errors.workspaceId?.message}
      >
        {(control) => (
          // The options may come later than the value.
          <NativeSelect {...control} {...form.register("workspaceId")} key={workspaces.length} defaultValue={paying}>
            {isNew && <option value="">The default workspace</option>}
            {workspaces.flatMap(({ id, name, is_default: isDefault }) =>
              isNew && isDefault ? (
                []
              ) : (
                <option key={id} value={id}>
                  {name}
                </option>
              ),
            )}
          </NativeSelect>
        )}
      </Field>
      <p className="text-fg-2">{costSentence(offer, hours)}</p>
    </>
  );
}

/** The estimated cost, shown before the canary is made. */
function costSentence({ model: { pricing } }: Offer, hours: number): string {
  const sent = `Each check embeds ${canaryTexts} texts of about ${canaryTokens} tokens together; the baseline takes ${baselineCalls} of them, and what looks like drift one more.`;
  const cost = canaryCost(pricing, hours);
  if (cost === null) return `${sent} The model has no price, so what that costs is not known.`;
  if (cost.run === 0) return `${sent} The model is free.`;
  const said = `${sent} That is about ${formatUsdRough(cost.run)} a check, and ${formatUsdRough(cost.month)} a month.`;
  return cost.month <= canaryKeyLimit
    ? said
    : `${said} Checks fail once the key's limit is spent: raise the limit, or check less often.`;
}
