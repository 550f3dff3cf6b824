import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { useParams } from "@tanstack/react-router";
import { useWatch } from "react-hook-form";
import { getKey, type KeyRecord, type UpdateKeyBody, updateKey } from "#contract/keys.ts";
import { now } from "../../api/clock.ts";
import { explain } from "../../api/error-messages.ts";
import { isNotFound } from "../../api/errors.ts";
import { useVersionedChange, versioned, type Versioned } from "../../api/versioned.ts";
import { ConflictNotice } from "../../form/ConflictNotice.tsx";
import { useEndpointForm, type EndpointForm } from "../../form/endpoint-form.ts";
import { FormPanel } from "../../form/FormPanel.tsx";
import { useNewerVersion } from "../../form/newer-version.ts";
import { limitField, paths } from "../../paths.ts";
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
  moves,
  typedLimit,
  updateBody,
  type KeyFormValues,
} from "./key-form.ts";
import { ExpiryField, keyLabels, KeyRateFields, LimitFields, NameField } from "./KeyFields.tsx";
import { KeySummary } from "./KeySummary.tsx";
import { keySummary } from "./summary.ts";
import { boundWithIt } from "./made-keys.ts";
import { mergeKeyForm, settingWords } from "./newer-key.ts";
import { MoveNotice } from "./MoveNotice.tsx";
import { useWorkspaceName } from "./workspace-name.ts";
import { WorkspaceField } from "./WorkspaceField.tsx";

const LimitSimulation = lazy(async () => ({ default: (await import("./LimitSimulation.tsx")).LimitSimulation }));

/** Changes a key's settings. The page behind it shows a key that did not load. */
export function EditKeyPanel() {
  const { hash = "" } = useParams({ strict: false });
  const { data, error } = useQuery(versioned(getKey, { params: { hash } }));
  return data ? <EditKey key={hash} latest={data} deleted={isNotFound(error)} /> : null;
}

function EditKey({ latest, deleted }: { latest: Versioned<KeyRecord>; deleted: boolean }) {
  const closePanel = useClosePanel();
  const { path } = useWorkspace();
  const [began, setBegan] = useState(latest);
  const stored = began.record;
  const change = useKeyChange(stored.hash);
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
        const saved = await change({ params: { hash: stored.hash }, body }, began.etag);
        setBegan(saved);
        undo(body, saved.etag);
      }
      state.guard.open();
      close();
    },
  });
  const theirs = useNewerVersion(state, {
    latest,
    began,
    follow: setBegan,
    formOf: keyFormOf,
    words: settingWords,
    merge: mergeKeyForm,
  });
  const values = useWatch({ control: state.form.control }) as KeyFormValues;
  const workspace = useWorkspaceName(values.workspaceId);
  const before = useWorkspaceName(stored.workspace_id);
  const body = updateBody(stored, values);
  const simulated = typedLimit(values);
  const bound = boundWithIt(stored);
  return (
    <FormPanel
      form={state}
      title={`Edit ${stored.name}`}
      submitLabel="Save changes"
      target={{ noun: "key", deleted }}
      onClose={close}
      initialFocus={() => (window.location.hash === `#${limitField}` ? document.getElementById(limitField) : null)}
      note={Object.keys(body).length === 0 ? "No changes yet" : undefined}
      summary={<KeySummary parts={keySummary(values, workspace)} />}
    >
      <ConflictNotice noun="key" changes={theirs} />
      <NameField form={state.form} duplicate={null} />
      {stored.purpose === null && <WorkspaceField form={state.form} />}
      {moves(stored, values) && <MoveNotice from={before} to={workspace} made={stored.made_keys.length} />}
      <LimitFields form={state.form} forecast={null} />
      {bound !== null && values.limited === "yes" && <p className="text-12 text-fg-2">{bound}</p>}
      <Suspense>{simulated && <LimitSimulation of={stored} limit={simulated} />}</Suspense>
      <ExpiryField form={state.form} />
      {bound !== null && body.expires_at != null && (
        <p className="text-12 text-fg-2">
          Keys made with it expire by then too. A later expiry, or an undo, does not extend theirs.
        </p>
      )}
      <Disclosure summary="Advanced: rates" open={hasCounts(start)}>
        <KeyRateFields form={state.form} />
      </Disclosure>
      {Object.keys(body).length > 0 && <ApiCall method="PATCH" path={`/keys/${stored.hash}`} body={body} />}
    </FormPanel>
  );
}

function useKeyChange(hash: string) {
  return useVersionedChange(updateKey, versioned(getKey, { params: { hash } }));
}

/** Says that the change is saved, and for ten seconds offers the inverse PATCH of the version that it made. */
function useUndo(stored: KeyRecord): (changed: UpdateKeyBody, etag: string | null) => void {
  const change = useKeyChange(stored.hash);
  return (changed, etag) => {
    const before = Object.fromEntries(
      Object.keys(changed).map((member) => [member, stored[member as keyof UpdateKeyBody]]),
    );
    toast({
      message: changed.name === undefined ? `${stored.name} was changed.` : `${stored.name} is now ${changed.name}.`,
      action: {
        label: "Undo",
        onSelect: () =>
          void change({ params: { hash: stored.hash }, body: before }, etag).catch((error: unknown) =>
            toast({ message: "The change could not be undone.", detail: explain(error).said, tone: "trouble" }),
          ),
      },
    });
  };
}
