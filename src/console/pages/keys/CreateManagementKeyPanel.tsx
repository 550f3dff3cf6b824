import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { createManagementKey, deleteManagementKey } from "#contract/management-keys.ts";
import { refreshAfter } from "../../api/action.ts";
import { now } from "../../api/clock.ts";
import { useEndpointForm, type EndpointForm } from "../../form/endpoint-form.ts";
import { useFormPanel } from "../../form/FormPanel.tsx";
import { paths } from "../../paths.ts";
import { useClosePanel } from "../../shell/close-panel.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { focusOnceThere } from "../../ui/focus-once-there.ts";
import { Panel } from "../../ui/Panel.tsx";
import { keyFormProblems, type KeyFormValues } from "./key-form.ts";
import { ExpiryField, NameField } from "./KeyFields.tsx";
import { madeBefore, type ShownOnce } from "./make-key.ts";
import { makeManagementKey } from "./make-management-key.ts";
import {
  managementKeyBody,
  managementKeyFieldOf,
  managementKeyForm,
  managementKeyLabels,
} from "./management-key-form.ts";
import { managementKeyActionsId } from "./ManagementKeyMenu.tsx";
import { KeyWithoutSecret } from "./KeyWithoutSecret.tsx";
import { managementKey } from "./RevealManagementKey.tsx";
import { useListAfterReload } from "./use-list-after-reload.ts";
import { useRequestToken } from "../../api/request-token.ts";
import { useReveal } from "./use-reveal.tsx";

/** Creates a management key: its name, then in the same dialog the one time that its text is shown. */
export function CreateManagementKeyPanel() {
  const client = useQueryClient();
  const closePanel = useClosePanel();
  const { path } = useWorkspace();
  const [withoutSecret, setWithoutSecret] = useState<ShownOnce | null>(null);
  const once = useRequestToken();
  const list = paths.managementKeys(path);
  const close = () => closePanel(list);
  useListAfterReload("management-key", list);
  const reveal = useReveal({ kind: managementKey, onClosed: close, done: (name) => `${name} was created.` });

  const state: EndpointForm<KeyFormValues> = useEndpointForm<typeof createManagementKey, KeyFormValues>({
    endpoint: createManagementKey,
    values: managementKeyForm(),
    labels: managementKeyLabels,
    fieldOf: managementKeyFieldOf,
    input: (values) => ({ body: managementKeyBody(values) }),
    problems: (values) => ({ ...keyFormProblems(values, now()) }),
    submit: async ({ body }) => {
      try {
        // without an answer the form says so; sent again with the same token it makes the key at most once
        const next = await makeManagementKey(body, once.tokenFor(body));
        state.guard.open();
        reveal.show(next);
        void refreshAfter(client, createManagementKey);
      } catch (error) {
        const before = madeBefore(error);
        if (before === null) throw error;
        setWithoutSecret(before);
      }
    },
  });
  const formPanel = useFormPanel(state, {
    title: "Create a management key",
    description: "It opens this console and the management API, in every workspace.",
    submitLabel: "Create key",
    note: "Shown once, then only its hash is kept",
    onClose: close,
    finalFocus: () => document.getElementById("create-management-key"),
    children: (
      <>
        <NameField form={state.form} duplicate={null} placeholder="A person or a program, such as Maria, on call" />
        <ExpiryField form={state.form} />
      </>
    ),
  });

  if (reveal.panel) {
    const row = reveal.record && managementKeyActionsId(reveal.record.hash);
    return (
      <Panel
        {...reveal.panel}
        finalFocus={() =>
          focusOnceThere(() => document.getElementById(row ?? ""), document.getElementById("create-management-key"))
        }
      />
    );
  }
  if (withoutSecret) {
    return (
      <Panel {...formPanel} title="Was the key created?" footer={undefined} onSubmit={undefined}>
        <KeyWithoutSecret
          created={withoutSecret}
          remove={deleteManagementKey}
          onBack={() => setWithoutSecret(null)}
          onAgain={() => {
            once.renew();
            setWithoutSecret(null);
            state.send();
          }}
        />
      </Panel>
    );
  }
  return <Panel {...formPanel} />;
}
