import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useState } from "react";
import { useWatch, type UseFormReturn } from "react-hook-form";
import { createKey } from "#contract/keys.ts";
import { refreshAfter } from "../../api/action.ts";
import { now } from "../../api/clock.ts";
import { everyWorkspace } from "../../api/workspaces.ts";
import { useEndpointForm, type EndpointForm } from "../../form/endpoint-form.ts";
import { useFormPanel } from "../../form/FormPanel.tsx";
import { parseUsd } from "../../form/usd.ts";
import { allWorkspaces, paths } from "../../paths.ts";
import { useClosePanel } from "../../shell/close-panel.ts";
import { useWorkspace, useWorkspaceId } from "../../shell/workspace.ts";
import { Disclosure } from "../../ui/Disclosure.tsx";
import { Field } from "../../ui/Field.tsx";
import { focusOnceThere } from "../../ui/focus-once-there.ts";
import { Panel } from "../../ui/Panel.tsx";
import { TextInput } from "../../ui/TextInput.tsx";
import { ApiCall } from "./ApiCall.tsx";
import {
  createBody,
  emptyKeyForm,
  fieldOfMember,
  keyFormProblems,
  type KeyFormValues,
  typedLimit,
} from "./key-form.ts";
import { ExpiryField, keyLabels, KeyRateFields, LimitFields, NameField, notAPassword } from "./KeyFields.tsx";
import { KeySummary } from "./KeySummary.tsx";
import { madeBefore, makeKey, outcomeUnknown } from "./make-key.ts";
import { keySummary } from "./summary.ts";
import { apiKey } from "./RevealApiKey.tsx";
import { UnknownOutcome, type Sent } from "./UnknownOutcome.tsx";
import { useListAfterReload } from "./use-list-after-reload.ts";
import { useRequestToken } from "../../api/request-token.ts";
import { useReveal } from "./use-reveal.tsx";
import { useSimilarKeys } from "./use-similar-keys.ts";
import { useWorkspaceName } from "./workspace-name.ts";
import { WorkspaceField } from "./WorkspaceField.tsx";

const NewLimitSimulation = lazy(async () => ({
  default: (await import("./NewLimitSimulation.tsx")).NewLimitSimulation,
}));

/** Creates a key: the form, then in the same dialog the one time that its text is shown. */
export function CreateKeyPanel() {
  const workspace = useWorkspace();
  const workspaces = useQuery(everyWorkspace);
  useListAfterReload("api-key", paths.keys(workspace.path));
  const preset = workspace.record ?? workspaces.data?.find((one) => one.is_default);
  return <CreateKey workspaceId={preset?.id ?? ""} />;
}

function CreateKey({ workspaceId }: { workspaceId: string }) {
  const client = useQueryClient();
  const closePanel = useClosePanel();
  const { path, name: nameInPath } = useWorkspace();
  const idOfWorkspace = useWorkspaceId();
  const search = useSearch({ strict: false });
  const [sent, setSent] = useState<Sent | null>(null);
  const once = useRequestToken();
  const close = () => closePanel(paths.keys(path), search);
  const reveal = useReveal({ kind: apiKey, onClosed: close, done: (name) => `${name} was created.` });

  const state: EndpointForm<KeyFormValues> = useEndpointForm<typeof createKey, KeyFormValues>({
    endpoint: createKey,
    values: emptyKeyForm(workspaceId),
    labels: keyLabels,
    fieldOf: fieldOfMember,
    input: (values) => ({ body: createBody(values) }),
    problems: (values) => ({ ...keyFormProblems(values, now()) }),
    ask: zeroQuestion,
    draft: createKey.name,
    submit: async (input) => {
      // at the same place whether the form knew it or not: sent again, the request is the same
      const { workspace_id: given, ...rest } = input.body;
      const workspace_id = given ?? (await idOfWorkspace());
      const body = { ...rest, ...(workspace_id !== undefined && { workspace_id }) };
      const at = now();
      try {
        const next = await makeKey(body, once.tokenFor(body));
        state.guard.open();
        reveal.show(next);
        void refreshAfter(client, createKey);
      } catch (error) {
        const before = madeBefore(error);
        if (before === null && !outcomeUnknown(error)) throw error;
        setSent({ name: body.name, workspaceId: body.workspace_id ?? "", at, known: new Set(), made: before });
      }
    },
  });
  useWorkspaceWhenKnown(state.form, workspaceId);
  const values = useWatch({ control: state.form.control }) as KeyFormValues;
  const chosen = useWorkspaceName(values.workspaceId);
  const unchosen = path === allWorkspaces ? "the default workspace" : nameInPath;
  const { duplicate, forecast, similar } = useSimilarKeys(values);

  const formPanel = useFormPanel(state, {
    title: "Create an API key",
    submitLabel: "Create key",
    note: "Shown once, then only its hash is kept",
    summary: <KeySummary parts={keySummary(values, values.workspaceId === "" ? unchosen : chosen)} />,
    onClose: close,
    finalFocus: () => document.getElementById("create-key"),
    children: (
      <>
        <NameField form={state.form} duplicate={duplicate} />
        <WorkspaceField form={state.form} />
        <LimitFields form={state.form} forecast={forecast} />
        <Suspense>
          {values.limited === "yes" && values.workspaceId !== "" && (
            <NewLimitSimulation
              key={values.workspaceId}
              workspaceId={values.workspaceId}
              workspace={chosen}
              limit={typedLimit(values)}
              similar={similar}
            />
          )}
        </Suspense>
        <ExpiryField form={state.form} />
        <div className="grid gap-1">
          <Disclosure summary="Advanced: creator and rates">
            <div className="grid gap-4">
              <Field label="Creator" optional hint="For an organization: the id of the member whose key this is.">
                {(control) => <TextInput {...control} {...state.form.register("creator")} {...notAPassword} />}
              </Field>
              <KeyRateFields form={state.form} />
            </div>
          </Disclosure>
          <ApiCall method="POST" path={createKey.path} body={createBody(values)} />
        </div>
      </>
    ),
  });

  if (reveal.panel) {
    const row = `[data-key="${reveal.record?.hash}"]`;
    return (
      <Panel
        {...reveal.panel}
        finalFocus={() => focusOnceThere(() => document.querySelector(row), document.getElementById("create-key"))}
      />
    );
  }
  if (sent) {
    return (
      <Panel {...formPanel} title="Was the key created?" footer={undefined} onSubmit={undefined}>
        <UnknownOutcome
          sent={sent}
          onBack={() => setSent(null)}
          onAgain={(afterDeletion) => {
            if (afterDeletion) once.renew();
            setSent(null);
            state.send();
          }}
        />
      </Panel>
    );
  }
  return <Panel {...formPanel} />;
}

/** The name can be typed before the workspaces are read; the one to begin with is put in when it is known. */
function useWorkspaceWhenKnown(form: UseFormReturn<KeyFormValues>, workspaceId: string): void {
  useEffect(() => {
    if (workspaceId === "" || form.getFieldState("workspaceId").isDirty) return;
    form.resetField("workspaceId", { defaultValue: workspaceId });
  }, [form, workspaceId]);
}

function zeroQuestion(values: KeyFormValues) {
  const limit = values.limited === "yes" && !values.watchOnly ? parseUsd(values.limit) : null;
  if (!limit || !("usd" in limit) || limit.usd !== 0) return null;
  return { title: "This key will refuse every paid call. Keep 0?", confirm: "Keep 0" };
}
