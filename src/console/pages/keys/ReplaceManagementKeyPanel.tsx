import { useQueryClient } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { type ManagementKeyRecord, rotateManagementKey } from "#contract/management-keys.ts";
import { refreshAfter } from "../../api/action.ts";
import { useEndpointForm, type EndpointForm } from "../../form/endpoint-form.ts";
import { useFormPanel } from "../../form/FormPanel.tsx";
import { paths } from "../../paths.ts";
import { useClosePanel } from "../../shell/close-panel.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Panel } from "../../ui/Panel.tsx";
import { GraceField, graceForm, OldKey, type GraceValues } from "./GraceField.tsx";
import { outcomeUnknown } from "./make-key.ts";
import { makeManagementSuccessor } from "./make-management-key.ts";
import { replaceManagementReason } from "./management-key-labels.ts";
import { managementKeyActionsId } from "./ManagementKeyMenu.tsx";
import { managementKey } from "./RevealManagementKey.tsx";
import { useListAfterReload } from "./use-list-after-reload.ts";
import { useManagementKeys } from "./use-management-keys.ts";
import { useReveal } from "./use-reveal.tsx";

/** Replaces a management key that leaked or is due: a successor of the same name, shown once. */
export function ReplaceManagementKeyPanel() {
  const { hash = "" } = useParams({ strict: false });
  const { path } = useWorkspace();
  useListAfterReload("management-key", paths.managementKeys(path));
  const old = useManagementKeys().data?.data.find((key) => key.hash === hash);
  return old ? <ReplaceManagementKey key={hash} old={old} /> : null;
}

function ReplaceManagementKey({ old: read }: { old: ManagementKeyRecord }) {
  // what is replaced is what was there when the form opened; the list refreshes under it
  const [old] = useState(read);
  const closePanel = useClosePanel();
  const client = useQueryClient();
  const { path } = useWorkspace();
  const [replaced, setReplaced] = useState<ManagementKeyRecord>();
  const [unknown, setUnknown] = useState(false);
  const close = () => closePanel(paths.managementKeys(path));
  const reveal = useReveal({
    kind: managementKey,
    onClosed: close,
    done: (name) => `${name} was replaced.`,
    note: replaced && <OldKey replaced={replaced} />,
    deletingAlso: old.current ? "This session goes on with it: deleting it signs you out." : undefined,
  });
  const state: EndpointForm<GraceValues> = useEndpointForm<typeof rotateManagementKey, GraceValues>({
    endpoint: rotateManagementKey,
    ...graceForm(old.hash),
    submit: async ({ params, body }) => {
      try {
        const next = await makeManagementSuccessor(params.hash, body.grace_seconds);
        state.guard.open();
        setReplaced(next.replaced);
        reveal.show(next.made);
      } catch (error) {
        setUnknown(outcomeUnknown(error));
        throw error;
      } finally {
        void refreshAfter(client, rotateManagementKey);
      }
    },
  });
  const formPanel = useFormPanel(state, {
    title: `Replace ${old.name}`,
    description: "Creates a successor with the same name and expiry. If the key may have leaked, end it at once.",
    submitLabel: "Replace key",
    note: "Shown once, then only its hash is kept",
    disabledReason: replaceManagementReason(old),
    onClose: close,
    finalFocus: () => document.getElementById(managementKeyActionsId(old.hash)),
    summary: unknown ? (
      <p>
        It may have been replaced anyway. If the list shows a new key of this name that was never used, replace that
        one: no one has its text.
      </p>
    ) : (
      <p>
        {old.current
          ? "You stay signed in: this session goes on with the successor."
          : "Sessions that it opened end with it."}
      </p>
    ),
    children: <GraceField form={state.form} />,
  });
  if (!reveal.panel) return <Panel {...formPanel} />;
  const row = managementKeyActionsId(reveal.record?.hash ?? old.hash);
  return <Panel {...reveal.panel} finalFocus={() => document.getElementById(row)} />;
}
