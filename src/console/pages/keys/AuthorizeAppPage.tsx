import { useQuery } from "@tanstack/react-query";
import { Link, Navigate, useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { authorizeApp } from "#contract/oauth.ts";
import { now } from "../../api/clock.ts";
import { useReachable } from "../../api/connectivity.ts";
import { useSession } from "../../api/session.ts";
import { useSecretAction } from "../../api/use-secret-action.ts";
import { everyWorkspace } from "../../api/workspaces.ts";
import { useEndpointForm } from "../../form/endpoint-form.ts";
import { FormFailure } from "../../form/FormFailure.tsx";
import { paths } from "../../paths.ts";
import { Failure } from "../../shell/Failure.tsx";
import { Button } from "../../ui/Button.tsx";
import { linkTextClass } from "../../ui/LinkText.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { type AppRequest, consentBody, readAppRequest } from "./app-request.ts";
import { AuthCode } from "./AuthCode.tsx";
import { Sheet } from "./Sheet.tsx";
import { fieldOfMember, keyFormProblems, type KeyFormValues } from "./key-form.ts";
import { ExpiryField, keyLabels, LimitAmountFields, NameField } from "./KeyFields.tsx";
import { useSettled } from "./use-settled.ts";
import { Vault } from "../../shell/vault.ts";
import { WorkspaceField } from "./WorkspaceField.tsx";

/** Where an app sends a person who is to have a key made for it. */
export function AuthorizeAppPage() {
  const [request] = useState(() => readAppRequest(location.search, now()));
  const [outcome, setOutcome] = useState<Vault | "refused" | null>(null);
  const { state } = useSession();
  const router = useRouter();
  // as it was when the page was opened: on the way to the sign-in page it changes
  const [here] = useState(() => router.latestLocation.href);
  if ("problem" in request) {
    return (
      <Sheet title="This request cannot be answered">
        <p className="text-13 wrap-anywhere">The app that sent you here made a mistake: {request.problem}.</p>
        <p className="text-13 text-fg-2">Nothing was sent to it, and no key was made. Tell the app's developer.</p>
      </Sheet>
    );
  }
  const app = request.callback?.app ?? "an app";
  // the code may still be taken to the app when the session has ended
  if (outcome instanceof Vault) return <AuthCode vault={outcome} />;
  if (outcome === "refused") {
    return (
      <Sheet title={`Not allowed: ${app}`}>
        <p className="text-13">The app was given nothing, and it was not told. You can close this page.</p>
        <p className="text-13">
          <Link to={paths.home()} className={linkTextClass}>
            Go to the console
          </Link>
        </p>
      </Sheet>
    );
  }
  if (state !== "signed-in") return <Navigate to={paths.signIn()} search={{ to: here }} replace />;
  return (
    <Sheet title={`Allow ${app} to use models?`}>
      <About request={request} app={app} />
      <Consent request={request} onCode={setOutcome} onRefuse={() => setOutcome("refused")} />
    </Sheet>
  );
}

interface ConsentProps {
  request: AppRequest;
  onCode: (code: Vault) => void;
  onRefuse: () => void;
}

const settleMs = 1_000;

/** The key's workspace is chosen or known before there is a form. */
function Consent(props: ConsentProps) {
  const { data, error, refetch, isFetching } = useQuery(everyWorkspace);
  const asked = props.request.workspaceId;
  const workspace = data?.find(({ id }) => id === asked) ?? data?.find(({ is_default }) => is_default);
  if (workspace !== undefined) return <ConsentForm {...props} workspaceId={workspace.id} />;
  return (
    <>
      {error === null ? (
        ["name", "workspace", "limit"].map((field) => (
          <div key={field} className="grid gap-2">
            <Skeleton width={96} height={12} />
            <Skeleton height={32} />
          </div>
        ))
      ) : (
        <Failure
          error={error}
          what="The workspaces did not load"
          onRetry={() => void refetch()}
          retrying={isFetching}
        />
      )}
      <Button onClick={props.onRefuse} className="justify-self-start">
        Do not allow
      </Button>
    </>
  );
}

function ConsentForm({ request, workspaceId, onCode, onRefuse }: ConsentProps & { workspaceId: string }) {
  const authorize = useSecretAction(authorizeApp);
  const settled = useSettled(settleMs);
  const { reason } = useReachable();
  const [leaving, setLeaving] = useState(false);
  const state = useEndpointForm<typeof authorizeApp, KeyFormValues>({
    endpoint: authorizeApp,
    values: { ...request.values, workspaceId },
    labels: keyLabels,
    fieldOf: fieldOfMember,
    input: (values) => ({ body: consentBody(request, values) }),
    problems: (values) => ({ ...keyFormProblems(values, now()) }),
    submit: async (input) => {
      const { data } = await authorize(input);
      state.guard.open();
      if (data.code !== null) return onCode(new Vault(data.code));
      setLeaving(true);
      // in the place of this page: Back must not lead to a second consent
      if (data.redirect_url !== null) location.replace(data.redirect_url);
    },
  });
  const { form } = state;
  const why = reason ?? (!settled && "Read it first.");
  return (
    <form
      noValidate
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (!why && !leaving) state.send();
      }}
    >
      <NameField form={form} duplicate={null} />
      <WorkspaceField form={form} />
      <LimitAmountFields form={form} forecast={null} />
      <ExpiryField form={form} />
      <FormFailure failure={state.failure} />
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" variant="primary" pending={state.pending || leaving} disabledReason={why}>
          Allow
        </Button>
        <Button
          onClick={() => {
            state.guard.open();
            onRefuse();
          }}
        >
          Do not allow
        </Button>
        {reason !== undefined && <p className="text-12 text-warn-fg">{reason}</p>}
      </div>
    </form>
  );
}

function About({ request: { callback, challenge }, app }: { request: AppRequest; app: string }) {
  return (
    <>
      <p className="text-13 wrap-anywhere">
        {callback === null ? "It" : <b className="font-semibold">{app}</b>} gets an API key of this gateway. With the
        key, it can call models at your cost and use the files and presets of the workspace. It cannot open this
        console.
      </p>
      <p className="text-13 text-fg-2 wrap-anywhere">
        {callback === null ? (
          "You get a code to take to the app. Continue only if you started this yourself."
        ) : (
          <>
            You are sent back to <span className="mono">{callback.place}</span>. Continue only if you know this address
            and started this yourself.
          </>
        )}
      </p>
      {callback?.isForeignScript === true && (
        <Notice tone="warn">
          The address has letters beyond the Latin ones, written here as xn--…: some look like others. Make sure that it
          is the one you mean.
        </Notice>
      )}
      {challenge.code_challenge === undefined && (
        <Notice tone="warn">
          The app sent no code_challenge: anyone who sees the address that you are sent to can get the key in its place.
        </Notice>
      )}
    </>
  );
}
