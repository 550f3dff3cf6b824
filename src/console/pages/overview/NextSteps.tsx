import { useQueries } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { listDestinations } from "#contract/destinations.ts";
import { getKey, type KeyRecord } from "#contract/keys.ts";
import { everyProvider } from "../../api/providers.ts";
import { query } from "../../api/query.ts";
import { counted } from "../../format.ts";
import { allWorkspaces, limitField, paths } from "../../paths.ts";
import { DetectedServers } from "../../shell/DetectedServers.tsx";
import { useWorkspace } from "../../shell/workspace.ts";
import { buttonClass } from "../../ui/Button.tsx";
import { cx } from "../../ui/cx.ts";
import { limitStep } from "./first-call.ts";
import { Step } from "./Step.tsx";

/** What is missing after the first call: a provider of one's own, a limit for the key that made it, a destination. */
export function NextSteps({ keyHash }: { keyHash: string | undefined }) {
  const { path, id } = useWorkspace();
  const [providers, key, destinations] = useQueries({
    queries: [
      everyProvider,
      { ...query(getKey, { params: { hash: keyHash ?? "" } }), enabled: keyHash !== undefined, retry: false },
      query(listDestinations, { query: { workspace_id: id ?? allWorkspaces } }),
    ],
  });
  // until these are read, most likely nothing is there: what is drawn then stays where it is
  const own = providers.data?.data.filter(({ kind }) => kind !== "builtin").length ?? 0;
  const receiving = destinations.data?.total_count ?? 0;
  return (
    <>
      <h3 className="pb-2">What to set up next</h3>
      <ol>
        <Step
          done={own > 0}
          title="A provider of your own"
          detail={
            own > 0
              ? `${counted(own, "provider")} besides the built-in one.`
              : "The built-in models run on the gateway's machine. Other models need a vendor, or a model server of yours."
          }
          action={
            own === 0 && (
              <Link to={paths.newProvider(path)} className={buttonClass({ size: "sm" })}>
                Add a provider
              </Link>
            )
          }
        >
          {providers.isSuccess && own === 0 && <DetectedServers told />}
        </Step>
        <LimitStep limited={key.data?.data} path={path} />
        <Step
          done={receiving > 0}
          title="A destination"
          detail={
            receiving > 0
              ? `${counted(receiving, "destination receives", "destinations receive")} the calls.`
              : "It forwards each call to your own tools: traces, logs, a bucket, a webhook."
          }
          action={
            receiving === 0 && (
              <Link to={paths.newDestination(path)} className={buttonClass({ size: "sm" })}>
                Add a destination
              </Link>
            )
          }
        />
      </ol>
    </>
  );
}

function LimitStep({ limited, path }: { limited: KeyRecord | undefined; path: string }) {
  return (
    <Step
      {...limitStep(limited)}
      title="A limit for the key"
      action={
        limited === undefined ? (
          <span aria-hidden="true" className={cx(buttonClass({ size: "sm" }), "invisible")}>
            Set a limit
          </span>
        ) : (
          limited.limit === null && (
            <Link to={paths.editKey(path, limited.hash)} hash={limitField} className={buttonClass({ size: "sm" })}>
              Set a limit
            </Link>
          )
        )
      }
    />
  );
}
