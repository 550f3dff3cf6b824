import { useState } from "react";
import type { VideoWebhookRecord } from "#contract/video-webhooks.ts";
import { useNow } from "../../api/clock.ts";
import { useReachable } from "../../api/connectivity.ts";
import { useLeaveGuard } from "../../form/leave-guard.ts";
import { idleWords } from "../../shell/idle.ts";
import { ShownSecret } from "../../shell/ShownSecret.tsx";
import { Button } from "../../ui/Button.tsx";
import { ConfirmDialog } from "../../ui/ConfirmDialog.tsx";
import { ErrorAlert } from "../../ui/Field.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { Time } from "../../ui/Time.tsx";
import { useNewSecret } from "./use-new-secret.ts";

const makeId = "create-secret";

interface WebhookSecretProps {
  webhook: VideoWebhookRecord;
  reference: string;
  name: string;
}

/** The secret by its mask; a new one is shown this once, in its place. */
export function WebhookSecret({ webhook, reference, name }: WebhookSecretProps) {
  const { reason } = useReachable();
  const [asking, setAsking] = useState(false);
  const [copied, setCopied] = useState(false);
  const { made, pending, problem, lost, idleSeconds, make, putAway } = useNewSecret(reference);
  const guard = useLeaveGuard(made !== null && !copied ? "ask" : "free");
  const { secret_label: label } = webhook;
  const start = async () => {
    if (!(await make())) return;
    setCopied(false);
    setAsking(false);
  };
  const backToButton = () => document.getElementById(makeId);
  return (
    <section aria-labelledby="secret-title" className="grid justify-items-start gap-2">
      <h2 id="secret-title" className="text-15">
        Signing secret
      </h2>
      {made === null ? (
        <>
          <Stored webhook={webhook} />
          {lost !== null && (
            <Notice tone="warn" role="alert">
              The new secret was removed from this page because {lost}. If you did not save it, replace it.
            </Notice>
          )}
          {!asking && <ErrorAlert>{problem}</ErrorAlert>}
          <Button
            id={makeId}
            pending={pending && !asking}
            disabledReason={reason}
            onClick={() => (label === null ? void start() : setAsking(true))}
          >
            {label === null ? "Create a secret" : "Replace the secret"}
          </Button>
        </>
      ) : (
        <div className="grid w-full max-w-140 gap-3">
          {idleSeconds !== null && (
            <Notice tone="warn" role="alert">
              The secret will be removed from this page in {idleWords(idleSeconds)}. Move or press any key to keep it.
            </Notice>
          )}
          <ShownSecret
            vault={made.vault}
            noun="secret"
            term="Signing secret"
            name={name}
            label={made.label}
            onCopied={() => setCopied(true)}
          >
            <Button
              onClick={() => {
                putAway();
                // once the button is there again
                requestAnimationFrame(() => backToButton()?.focus());
              }}
            >
              I have stored it
            </Button>
          </ShownSecret>
          <p className="text-12 text-fg-2">
            This is the only time that Gatehouse shows it. Messages are signed with it from now on.
          </p>
        </div>
      )}
      <p className="max-w-140 text-12 text-fg-3">
        A signed message has the header X-OpenRouter-Signature: t=&lt;unix seconds&gt;,v1=&lt;hex&gt;, the HMAC-SHA256
        of &lt;t&gt;,&lt;body&gt;.
      </p>
      {asking && made === null && (
        <ConfirmDialog
          title={`Replace the signing secret of ${name}`}
          description="Messages are signed with the new secret right away. A receiver that has only the old one will reject them."
          confirmLabel="Replace the secret"
          pending={pending}
          error={problem}
          onConfirm={() => void start()}
          onCancel={() => setAsking(false)}
          finalFocus={backToButton}
        />
      )}
      {guard.asking && (
        <ConfirmDialog
          title="Leave without saving the secret?"
          description="It cannot be shown again. You can replace it with another one."
          confirmLabel="Leave"
          cancelLabel="Go back"
          onConfirm={guard.leave}
          onCancel={guard.stay}
        />
      )}
    </section>
  );
}

function Stored({ webhook: { secret_label: label, secret_created_at: since } }: Pick<WebhookSecretProps, "webhook">) {
  const now = useNow(60_000);
  if (label === null || since === null) return <p className="text-13 text-fg-2">None: messages are not signed.</p>;
  return (
    <p className="flex flex-wrap items-baseline gap-x-3 text-13">
      <span className="font-mono">{label}</span>
      <span className="text-12 text-fg-3">
        Created <Time iso={since} now={now} show="full" /> UTC
      </span>
    </p>
  );
}
