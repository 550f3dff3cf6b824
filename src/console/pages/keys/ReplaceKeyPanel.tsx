import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { type KeyRecord, getKey, rotateKey } from "#contract/keys.ts";
import { refreshAfter } from "../../api/action.ts";
import { query } from "../../api/query.ts";
import { useEndpointForm, type EndpointForm } from "../../form/endpoint-form.ts";
import { useFormPanel } from "../../form/FormPanel.tsx";
import { paths } from "../../paths.ts";
import { useClosePanel } from "../../shell/close-panel.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Panel } from "../../ui/Panel.tsx";
import { GraceField, graceForm, OldKey, type GraceValues } from "./GraceField.tsx";
import { makeSuccessor, outcomeUnknown, type Made } from "./make-key.ts";
import { replaceReason } from "./KeyMenu.tsx";
import { apiKey } from "./RevealApiKey.tsx";
import { limitWords } from "./summary.ts";
import { utcMinute } from "./utc-minute.ts";
import { UnknownSuccessor } from "./UnknownSuccessor.tsx";
import { useListAfterReload } from "./use-list-after-reload.ts";
import { useReveal } from "./use-reveal.tsx";

/** Replaces a key that was lost or is due: a successor with the same settings, shown once. */
export function ReplaceKeyPanel() {
  const { hash = "" } = useParams({ strict: false });
  const { path } = useWorkspace();
  useListAfterReload("api-key", paths.keys(path));
  const { data } = useQuery(query(getKey, { params: { hash } }));
  return data ? <ReplaceKey key={hash} old={data.data} /> : null;
}

function ReplaceKey({ old: read }: { old: KeyRecord }) {
  // what is replaced is what was there when the form opened; the list refreshes under it
  const [old] = useState(read);
  const closePanel = useClosePanel();
  const client = useQueryClient();
  const { path } = useWorkspace();
  const [replaced, setReplaced] = useState<KeyRecord>();
  const [unknown, setUnknown] = useState(false);
  const to = (hash: string) => closePanel(paths.key(path, hash));
  const reveal = useReveal({
    kind: apiKey,
    onClosed: to,
    done: (name) => `${name} was replaced.`,
    note: replaced && <OldKey replaced={replaced} />,
  });

  const finish = (next: { made: Made; replaced: KeyRecord }): void => {
    state.guard.open();
    setReplaced(next.replaced);
    reveal.show(next.made);
    void refreshAfter(client, rotateKey);
  };
  const state: EndpointForm<GraceValues> = useEndpointForm<typeof rotateKey, GraceValues>({
    endpoint: rotateKey,
    ...graceForm(old.hash),
    submit: async ({ params, body }) => {
      try {
        finish(await makeSuccessor(params.hash, body.grace_seconds));
      } catch (error) {
        if (!outcomeUnknown(error)) throw error;
        setUnknown(true);
      }
    },
  });
  const formPanel = useFormPanel(state, {
    title: `Replace ${old.name}`,
    description:
      "Creates a successor with the same settings. Both draw on the same limit, so replacing never doubles it.",
    submitLabel: "Replace key",
    note: "Shown once, then only its hash is kept",
    disabledReason: replaceReason(old),
    onClose: () => to(old.hash),
    summary: (
      <p>
        {old.limit === null ? (
          "The successor has no limit"
        ) : (
          <>
            The successor gets the limit <b className="font-semibold">{limitWords(old)}</b>
          </>
        )}
        {old.expires_at === null ? " and no expiry." : ` and ends ${utcMinute(new Date(old.expires_at))}.`}
        {old.made_keys.length > 0 && " Keys made with the old key end with it."}
      </p>
    ),
    children: <GraceField form={state.form} />,
  });

  if (reveal.panel) return <Panel {...reveal.panel} />;
  if (unknown) {
    return (
      <Panel
        {...formPanel}
        title="Was the key replaced?"
        description={undefined}
        footer={undefined}
        onSubmit={undefined}
      >
        <UnknownSuccessor old={old} onMade={finish} onBack={() => setUnknown(false)} />
      </Panel>
    );
  }
  return <Panel {...formPanel} />;
}
