import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { Controller } from "react-hook-form";
import type { KeyRecord } from "#contract/keys.ts";
import { getKey, rotateKey } from "#contract/keys.ts";
import { refreshAfter } from "../../api/action.ts";
import { query } from "../../api/query.ts";
import { useEndpointForm } from "../../form/endpoint-form.ts";
import type { EndpointForm } from "../../form/endpoint-form.ts";
import { useFormPanel } from "../../form/FormPanel.tsx";
import { paths } from "../../paths.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { FieldGroup } from "../../ui/Field.tsx";
import { Panel } from "../../ui/Panel.tsx";
import { Radio, RadioGroup } from "../../ui/Radio.tsx";
import { makeSuccessor, outcomeUnknown } from "./make-key.ts";
import type { Made } from "./make-key.ts";
import { replaceReason } from "./KeyMenu.tsx";
import { limitWords, utcMinute } from "./summary.ts";
import { UnknownSuccessor } from "./UnknownSuccessor.tsx";
import { readUnsaved } from "./unsaved.ts";
import { useReveal } from "./use-reveal.tsx";

const graces = [
  { seconds: 0, label: "End it at once" },
  { seconds: 3_600, label: "1 hour" },
  { seconds: 86_400, label: "24 hours" },
  { seconds: 7 * 86_400, label: "7 days" },
  { seconds: 30 * 86_400, label: "30 days" },
] as const;

interface Values {
  grace: string;
}

/** Replaces a key that was lost or is due: a successor with the same settings, shown once. */
export function ReplaceKeyPanel() {
  const { hash = "" } = useParams({ strict: false });
  const navigate = useNavigate();
  const { path } = useWorkspace();
  const reloaded = useRef(readUnsaved(sessionStorage) !== null);
  useEffect(() => {
    // a reload during the reveal leads back to the list, which says what became of the key
    if (reloaded.current) void navigate({ to: paths.keys(path), replace: true });
  }, [navigate, path]);
  const { data } = useQuery(query(getKey, { params: { hash } }));
  return data ? <ReplaceKey key={hash} old={data.data} /> : null;
}

function ReplaceKey({ old: read }: { old: KeyRecord }) {
  // what is replaced is what was there when the form opened; the list refreshes under it
  const [old] = useState(read);
  const navigate = useNavigate();
  const client = useQueryClient();
  const { path } = useWorkspace();
  const [done, setDone] = useState<{ made: Made; replaced: KeyRecord } | null>(null);
  const [unknown, setUnknown] = useState(false);
  const to = (hash: string) => void navigate({ to: paths.key(path, hash) });

  const finish = (next: { made: Made; replaced: KeyRecord }): void => {
    state.guard.open();
    setDone(next);
    void refreshAfter(client, rotateKey);
  };
  const state: EndpointForm<Values> = useEndpointForm<typeof rotateKey, Values>({
    endpoint: rotateKey,
    values: { grace: "86400" },
    labels: { grace: "How long the old key still works" },
    fieldOf: { grace_seconds: "grace" },
    input: ({ grace }) => ({ params: { hash: old.hash }, body: { grace_seconds: Number(grace) } }),
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
      "Makes a successor with the same settings. Both draw on the same limit, so replacing never doubles it.",
    submitLabel: "Replace key",
    note: "Shown once, then only its hash is kept",
    disabledReason: replaceReason(old),
    onClose: () => to(old.hash),
    summary: (
      <p>
        The successor gets the limit <b className="font-semibold">{limitWords(old)}</b>
        {old.expires_at === null ? " and no expiry." : ` and ends ${utcMinute(new Date(old.expires_at))}.`}
      </p>
    ),
    children: (
      <Controller
        control={state.form.control}
        name="grace"
        render={({ field, fieldState }) => (
          <FieldGroup
            label="How long the old key still works"
            hint="Time to put the new key where the old one is. An expiry that comes sooner stays."
            error={fieldState.error?.message}
          >
            <RadioGroup
              label="How long the old key still works"
              value={field.value}
              onChange={field.onChange}
              className="grid"
            >
              {graces.map(({ seconds, label }) => (
                <Radio key={seconds} value={String(seconds)} label={label} />
              ))}
            </RadioGroup>
          </FieldGroup>
        )}
      />
    ),
  });
  const successor = done?.made.record.hash;
  const revealPanel = useReveal(done?.made ?? null, {
    onClosed: () => to(successor ?? old.hash),
    done: (name) => `${name} is replaced.`,
    note: done && <OldKey replaced={done.replaced} />,
  });

  if (revealPanel) return <Panel {...revealPanel} />;
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

function OldKey({ replaced }: { replaced: KeyRecord }) {
  if (replaced.status === "expired") return <p>The old key has ended.</p>;
  return (
    <p>
      The old key works until{" "}
      {replaced.expires_at === null ? "it is disabled" : utcMinute(new Date(replaced.expires_at))}.
    </p>
  );
}
