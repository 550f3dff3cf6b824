import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useWatch } from "react-hook-form";
import { type KeyRecord, type UpdateKeyBody, getKey, updateKey } from "#contract/keys.ts";
import { useAction } from "../../api/action.ts";
import { now } from "../../api/clock.ts";
import { explain } from "../../api/error-messages.ts";
import { query } from "../../api/query.ts";
import { useEndpointForm, type EndpointForm } from "../../form/endpoint-form.ts";
import { FormPanel } from "../../form/FormPanel.tsx";
import { paths } from "../../paths.ts";
import { useClosePanel } from "../../shell/close-panel.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Disclosure } from "../../ui/Disclosure.tsx";
import { toast } from "../../ui/toast.ts";
import { ApiCall } from "./ApiCall.tsx";
import {
  blocksNow,
  fieldOfMember,
  hasCounts,
  keyFormOf,
  keyFormProblems,
  updateBody,
  type KeyFormValues,
} from "./key-form.ts";
import { ExpiryField, keyLabels, KeyRateFields, LimitFields, NameField } from "./KeyFields.tsx";
import { KeySummary } from "./KeySummary.tsx";
import { keySummary } from "./summary.ts";
import { useWorkspaceName } from "./workspace-name.ts";

/** Changes a key's settings. The page behind it shows a key that did not load. */
export function EditKeyPanel() {
  const { hash = "" } = useParams({ strict: false });
  const { data } = useQuery(query(getKey, { params: { hash } }));
  return data ? <EditKey key={hash} stored={data.data} /> : null;
}

function EditKey({ stored }: { stored: KeyRecord }) {
  const closePanel = useClosePanel();
  const { path } = useWorkspace();
  const change = useAction(updateKey);
  const undo = useUndo(stored);
  const start = keyFormOf(stored);
  const close = () => closePanel(paths.key(path, stored.hash));
  const state: EndpointForm<KeyFormValues> = useEndpointForm<typeof updateKey, KeyFormValues>({
    endpoint: updateKey,
    values: start,
    labels: keyLabels,
    fieldOf: fieldOfMember,
    input: (values) => ({ params: { hash: stored.hash }, body: updateBody(stored, values) }),
    problems: (values) => ({ ...keyFormProblems(values, now(), start.expiresAt) }),
    ask: (values) => {
      const why = blocksNow(stored, values);
      return why === null
        ? null
        : {
            title: "This stops the key right now. Save it?",
            text: why,
            confirm: "Save and stop it",
          };
    },
    submit: async ({ params, body = {} }) => {
      if (Object.keys(body).length > 0) {
        await change.mutateAsync({ params, body });
        undo(body);
      }
      state.guard.open();
      close();
    },
  });
  const values = useWatch({ control: state.form.control }) as KeyFormValues;
  const workspace = useWorkspaceName(stored.workspace_id);
  const body = updateBody(stored, values);
  return (
    <FormPanel
      form={state}
      title={`Edit ${stored.name}`}
      submitLabel="Save changes"
      onClose={close}
      note={Object.keys(body).length === 0 ? "No changes yet" : undefined}
      summary={<KeySummary parts={keySummary(values, workspace)} />}
    >
      <NameField form={state.form} duplicate={null} />
      <LimitFields form={state.form} forecast={null} />
      <ExpiryField form={state.form} />
      <Disclosure summary="Advanced: rates" open={hasCounts(start)}>
        <KeyRateFields form={state.form} />
      </Disclosure>
      {Object.keys(body).length > 0 && <ApiCall method="PATCH" path={`/keys/${stored.hash}`} body={body} />}
    </FormPanel>
  );
}

/** Says that the change is saved, and for ten seconds offers the inverse PATCH. */
function useUndo(stored: KeyRecord): (changed: UpdateKeyBody) => void {
  const change = useAction(updateKey);
  return (changed) => {
    const before = Object.fromEntries(
      Object.keys(changed).map((member) => [member, stored[member as keyof UpdateKeyBody]]),
    );
    toast({
      message: changed.name === undefined ? `${stored.name} was changed.` : `${stored.name} is now ${changed.name}.`,
      action: {
        label: "Undo",
        onSelect: () =>
          change.mutate(
            { params: { hash: stored.hash }, body: before },
            {
              onError: (error) =>
                toast({ message: "The change could not be undone.", detail: explain(error).said, tone: "trouble" }),
            },
          ),
      },
    });
  };
}
