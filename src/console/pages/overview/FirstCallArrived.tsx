import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { listGenerations } from "#contract/calls.ts";
import { query } from "../../api/query.ts";
import { formatClock, formatLatency } from "../../format.ts";
import { allWorkspaces, paths } from "../../paths.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Button, buttonClass } from "../../ui/Button.tsx";
import { type Fact, Facts } from "../../ui/Facts.tsx";
import { linkTextClass } from "../../ui/LinkText.tsx";
import { Portcullis } from "../../ui/Portcullis.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { type ArrivedCall, arrivalWords, costWords, tokenWords } from "./first-call.ts";
import { NextSteps } from "./NextSteps.tsx";

/** The call that the first steps waited for, and what the installation still lacks. Shown until it is hidden. */
export function FirstCallArrived({ id, onHide }: { id: string; onHide: () => void }) {
  const { path, id: workspaceId } = useWorkspace();
  const { data, error } = useQuery(
    query(listGenerations, { query: { workspace_id: workspaceId ?? allWorkspaces, id } }),
  );
  const call = data?.data[0];
  // deleted from the ledger meanwhile
  const gone = data !== undefined && call === undefined;
  return (
    <section aria-labelledby="first-call" className="mx-8 mt-5 border-y border-line-2 pb-4 max-md:mx-4">
      <div className="flex flex-wrap items-center gap-3 py-3">
        <Portcullis open />
        <h2 id="first-call" className="min-w-0 grow text-16">
          The first call arrived
        </h2>
        {!gone && (
          <Link to={paths.call(path, id)} className={buttonClass({ size: "sm" })}>
            Show the call
          </Link>
        )}
        <Button size="sm" variant="quiet" onClick={onHide}>
          Hide
        </Button>
      </div>
      <p role="status" className="min-h-5 pb-2 text-fg-2">
        {gone ? "It is no longer on the ledger." : error ? "It did not load." : call && arrivalWords(call)}
      </p>
      {!gone && !error && <Facts columns={2} facts={factsOf(call, path)} className="max-w-180 pb-4" />}
      <NextSteps keyHash={call?.key_hash} />
    </section>
  );
}

function factsOf(call: ArrivedCall | undefined, path: string): Fact[] {
  const value = (known: (call: ArrivedCall) => Fact["value"]) =>
    call === undefined ? <Skeleton width={96} className="my-[3px]" /> : known(call);
  return [
    { term: "Model", value: value(({ model }) => <span className="mono">{model}</span>) },
    {
      term: "Key",
      value: value(({ key_hash, key_name }) =>
        key_name === null ? (
          "deleted"
        ) : (
          <Link to={paths.key(path, key_hash)} className={linkTextClass}>
            {key_name}
          </Link>
        ),
      ),
    },
    { term: "Tokens", value: value(tokenWords) },
    { term: "Cost", value: value(costWords) },
    { term: "Took", value: value(({ duration_ms }) => formatLatency(duration_ms)) },
    {
      term: "Arrived",
      value: value(({ created_at }) => `${formatClock(new Date(created_at), "UTC", { seconds: true })} UTC`),
    },
  ];
}
