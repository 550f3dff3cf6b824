import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { getProvider, type ProviderRecord, testProviderSettings, updateProvider } from "#contract/providers.ts";
import { call } from "../../api/call.ts";
import { isNotFound } from "../../api/errors.ts";
import { versioned, type Versioned } from "../../api/versioned.ts";
import { ConflictNotice } from "../../form/ConflictNotice.tsx";
import { FormPanel } from "../../form/FormPanel.tsx";
import { useVersionedForm } from "../../form/versioned-form.ts";
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
  const close = useCloseToProvider();
  const {
    state,
    began: provider,
    theirs,
  } = useVersionedForm<typeof updateProvider, ProviderValues, ProviderRecord>({
    endpoint: updateProvider,
    latest,
    read: versioned(getProvider, { params: { slug: latest.record.slug } }),
    labels: providerLabels,
    fieldOf: fieldOfOption,
    formOf: storedProvider,
    words: providerWords,
    merge: mergeProvider,
    input: (values, began) => ({ params: { slug: began.slug }, body: updateBody(began, values) }),
    problems: providerProblems,
    ask: (values) =>
      values.api_key.state === "removed"
        ? {
            title: `Remove the key of ${latest.record.name}?`,
            text: "From then on, calls go out without a key. You cannot restore it from here.",
            confirm: "Remove the key",
          }
        : null,
    saved: ({ name }) => {
      toast({ message: `${name} was saved.` });
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
      <ConflictNotice noun="provider" changes={theirs} />
      <ProviderFields form={state.form} preset={provider.preset} mask={provider.api_key} isNew={false} test={test} />
    </FormPanel>
  );
}
