import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useParams } from "@tanstack/react-router";
import { useWatch } from "react-hook-form";
import { type KeyRecord, type UpdateKeyBody, updateKey } from "#contract/keys.ts";
import { refreshAfter } from "../../api/action.ts";
import { callTagged, ifMatch } from "../../api/call.ts";
import { now } from "../../api/clock.ts";
import { explain } from "../../api/error-messages.ts";
import { ApiError, isNotFound } from "../../api/errors.ts";
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
import { KeyConflict } from "./KeyConflict.tsx";
import { mergeKeyForm, settingChanges, type SettingChange } from "./newer-key.ts";
import { versionedKey, type VersionedKey } from "./versioned-key.ts";
import { useWorkspaceName } from "./workspace-name.ts";

/** Changes a key's settings. The page behind it shows a key that did not load. */
export function EditKeyPanel() {
  const { hash = "" } = useParams({ strict: false });
  const { data, error } = useQuery(versionedKey(hash));
  return data ? <EditKey key={hash} latest={data} deleted={isNotFound(error)} /> : null;
}

function EditKey({ latest, deleted }: { latest: VersionedKey; deleted: boolean }) {
  const closePanel = useClosePanel();
  const { path } = useWorkspace();
  const [began, setBegan] = useState(latest);
  const stored = began.record;
  const change = useChange(stored.hash);
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
    submit: async ({ body = {} }) => {
      if (Object.keys(body).length > 0) {
        const saved = await change(body, began.etag);
        setBegan(saved);
        undo(body, saved.etag);
      }
      state.guard.open();
      close();
    },
  });
  const theirs = useNewer(state, { latest, began, follow: setBegan });
  const values = useWatch({ control: state.form.control }) as KeyFormValues;
  const workspace = useWorkspaceName(stored.workspace_id);
  const body = updateBody(stored, values);
  return (
    <FormPanel
      form={state}
      title={`Edit ${stored.name}`}
      submitLabel="Save changes"
      target={{ noun: "key", deleted }}
      onClose={close}
      note={Object.keys(body).length === 0 ? "No changes yet" : undefined}
      summary={<KeySummary parts={keySummary(values, workspace)} />}
    >
      {theirs.length > 0 && <KeyConflict changes={theirs} />}
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

type Change = (body: UpdateKeyBody, etag: string | null) => Promise<VersionedKey>;

/** Changes the key if it is as it was at `etag`; where it is not, reads it again before the refusal is shown. */
function useChange(hash: string): Change {
  const client = useQueryClient();
  return async (body, etag) => {
    try {
      const saved = await callTagged(updateKey, { params: { hash }, body }, { headers: ifMatch(etag) });
      void refreshAfter(client, updateKey);
      return { record: saved.answer.data, etag: saved.etag };
    } catch (error) {
      if (error instanceof ApiError && error.status === 409) await client.refetchQueries(versionedKey(hash));
      throw error;
    }
  };
}

interface Newer {
  latest: VersionedKey;
  began: VersionedKey;
  follow: (newer: VersionedKey) => void;
}

/** Moves the form onto newer versions of its key; what others changed while something was typed is what it returns. */
function useNewer({ form, pending }: EndpointForm<KeyFormValues>, { latest, began, follow }: Newer): SettingChange[] {
  const [theirs, setTheirs] = useState<SettingChange[]>([]);
  const [seen, setSeen] = useState(latest);
  useEffect(() => {
    if (pending || latest === seen) return;
    setSeen(latest);
    if (latest.etag === began.etag) return;
    const typed = form.getValues();
    const merged = mergeKeyForm(typed, began.record, latest.record);
    const isTyped = Object.keys(updateBody(began.record, typed)).length > 0;
    follow(latest);
    setTheirs(isTyped ? settingChanges(began.record, latest.record) : []);
    form.reset(keyFormOf(latest.record));
    for (const [field, value] of Object.entries(merged)) {
      form.setValue(field as keyof KeyFormValues, value as never, { shouldDirty: true });
    }
  }, [form, pending, latest, seen, began, follow]);
  return theirs;
}

/** Says that the change is saved, and for ten seconds offers the inverse PATCH of the version that it made. */
function useUndo(stored: KeyRecord): (changed: UpdateKeyBody, etag: string | null) => void {
  const change = useChange(stored.hash);
  return (changed, etag) => {
    const before = Object.fromEntries(
      Object.keys(changed).map((member) => [member, stored[member as keyof UpdateKeyBody]]),
    );
    toast({
      message: changed.name === undefined ? `${stored.name} was changed.` : `${stored.name} is now ${changed.name}.`,
      action: {
        label: "Undo",
        onSelect: () =>
          void change(before, etag).catch((error: unknown) =>
            toast({ message: "The change could not be undone.", detail: explain(error).said, tone: "trouble" }),
          ),
      },
    });
  };
}
