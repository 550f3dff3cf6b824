import { Link, Outlet, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { deleteVideoWebhook, type VideoWebhookRecord } from "#contract/video-webhooks.ts";
import { useReachable } from "../../api/connectivity.ts";
import { isNotFound } from "../../api/errors.ts";
import { ActionDialog } from "../../form/ActionDialog.tsx";
import { paths } from "../../paths.ts";
import { PageHeader } from "../../shell/PageHeader.tsx";
import { QueryBoundary } from "../../shell/QueryBoundary.tsx";
import { useWorkspace } from "../../shell/workspace.ts";
import { Button, buttonClass } from "../../ui/Button.tsx";
import { linkTextClass } from "../../ui/LinkText.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { toast } from "../../ui/toast.ts";
import { useVideoWebhook } from "./use-video-webhook.ts";
import { videoAddressId } from "./VideoWebhookPanel.tsx";
import { WebhookSecret } from "./WebhookSecret.tsx";

const removeId = "remove-video-webhook";

/** Where a workspace is told of videos that have ended, and the secret that signs what it is told. */
export function VideoWebhookPage() {
  const { id = "" } = useParams({ strict: false });
  const { path } = useWorkspace();
  const { reason } = useReachable();
  const [removing, setRemoving] = useState(false);
  const { reference, name, webhook } = useVideoWebhook(id);
  const isMissing = isNotFound(webhook.error);
  const isSet = webhook.data !== undefined && (webhook.data.data.url ?? webhook.data.data.secret_label) !== null;
  return (
    <>
      <PageHeader
        title={isMissing ? "It no longer exists" : `Video notifications of ${name}`}
        sub={
          <Link to={paths.workspaces(path)} className={linkTextClass}>
            All workspaces
          </Link>
        }
        actions={
          isSet && (
            <Button id={removeId} variant="danger" disabledReason={reason} onClick={() => setRemoving(true)}>
              Remove
            </Button>
          )
        }
      />
      {isMissing ? (
        <p className="px-8 pt-3 text-fg-2 max-md:px-4">No workspace has this slug or id. It was renamed or deleted.</p>
      ) : (
        <>
          <p className="max-w-160 px-8 pt-2 pb-4 text-13 text-fg-2 max-md:px-4">
            When a video has ended, the call&rsquo;s callback_url gets a POST that says how, or else the
            workspace&rsquo;s own address does. A message that is not answered with 2xx is sent again for about a day.
          </p>
          <QueryBoundary query={webhook} what="the video notifications" skeleton={<Waiting />}>
            {({ data }) => (
              <div className="grid max-w-176 gap-8 px-8 pb-8 max-md:px-4">
                <Address webhook={data} to={paths.setVideoWebhook(path, id)} disabledReason={reason} />
                <WebhookSecret key={reference} webhook={data} {...{ reference, name }} />
              </div>
            )}
          </QueryBoundary>
        </>
      )}
      {removing && (
        <ActionDialog
          endpoint={deleteVideoWebhook}
          input={{ params: { id: reference } }}
          danger
          title={`Remove the video notifications of ${name}`}
          description="The address and the secret are deleted. Calls with a callback_url are still notified, without a signature."
          confirmLabel="Remove them"
          onDone={() => {
            toast({ message: `${name} no longer has an address or a secret.` });
            setRemoving(false);
          }}
          onCancel={() => setRemoving(false)}
          finalFocus={() => document.getElementById(removeId) ?? document.getElementById(videoAddressId)}
        />
      )}
      <Outlet />
    </>
  );
}

interface AddressProps {
  webhook: VideoWebhookRecord;
  to: string;
  disabledReason: string | undefined;
}

function Address({ webhook: { url }, to, disabledReason }: AddressProps) {
  const label = url === null ? "Set the address" : "Change the address";
  return (
    <section aria-labelledby="address-title" className="grid justify-items-start gap-2">
      <h2 id="address-title" className="text-15">
        Address
      </h2>
      {url === null ? (
        <p className="text-13 text-fg-2">None: only calls with a callback_url notify.</p>
      ) : (
        <p className="max-w-full font-mono text-13 wrap-anywhere">{url}</p>
      )}
      {disabledReason === undefined ? (
        <Link id={videoAddressId} to={to} className={buttonClass()}>
          {label}
        </Link>
      ) : (
        <Button disabledReason={disabledReason}>{label}</Button>
      )}
    </section>
  );
}

function Waiting() {
  return (
    <div className="grid gap-8 px-8 max-md:px-4">
      <Skeleton width={320} height={88} />
      <Skeleton width={320} height={110} />
    </div>
  );
}
