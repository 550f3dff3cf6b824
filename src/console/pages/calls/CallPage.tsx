import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { listGenerations, type CallRecord } from "#contract/calls.ts";
import { minuteMs } from "#contract/time.ts";
import { query } from "../../api/query.ts";
import { paths } from "../../paths.ts";
import { callStatus } from "../../shell/call-status.ts";
import { PageHeader } from "../../shell/PageHeader.tsx";
import { QueryBoundary } from "../../shell/QueryBoundary.tsx";
import { useWorkspace, useWorkspaceOf } from "../../shell/workspace.ts";
import { CopyButton } from "../../ui/CopyButton.tsx";
import { linkTextClass } from "../../ui/LinkText.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { Status } from "../../ui/Status.tsx";
import { CallAttempts } from "./CallAttempts.tsx";
import { CallBodies } from "./CallBodies.tsx";
import { CallFeedback } from "./CallFeedback.tsx";
import { CallFacts } from "./CallFacts.tsx";
import { ForwardedTo } from "./ForwardedTo.tsx";
import { chargeLabel, savedLabel } from "./labels.ts";

/** One model call: what was tried, what it took, what it cost and why. It is on the ledger, so it never changes. */
export function CallPage() {
  const { call: id = "" } = useParams({ strict: false });
  const { path } = useWorkspace();
  const found = useQuery({ ...query(listGenerations, { query: { id } }), staleTime: minuteMs });
  const call = found.data?.data[0];
  return (
    <>
      <PageHeader
        title="Call"
        sub={
          <span className="flex flex-wrap items-center gap-x-3">
            {call && <Status {...callStatus(call)} />}
            <Link to={paths.calls(path)} className={linkTextClass}>
              All calls
            </Link>
          </span>
        }
      />
      <p className="flex items-center gap-1 px-8 pt-1 max-md:px-4">
        <span className="mono break-all select-all">{id}</span>
        <CopyButton text={id} label="Copy the call's id" />
      </p>
      <QueryBoundary query={found} what="the call" skeleton={<Waiting />}>
        {({ data: [record] }) => (record === undefined ? <Missing /> : <Sections call={record} />)}
      </QueryBoundary>
    </>
  );
}

function Sections({ call }: { call: CallRecord }) {
  const saved = savedLabel(call);
  const { record } = useWorkspace();
  const own = useWorkspaceOf(call.workspace_id);
  return (
    <>
      <div className="grid max-w-160 gap-1 px-8 pt-3 max-md:px-4">
        {record !== undefined && record.id !== call.workspace_id && (
          <Notice tone="warn" role="status" className="mb-2">
            This call was made in {own.name}, not in {record.name}.
          </Notice>
        )}
        <p>{chargeLabel(call)}</p>
        {saved !== undefined && <p className="text-fg-2">{saved}</p>}
      </div>
      <CallFacts call={call} workspace={own} />
      <CallAttempts call={call} />
      <CallBodies of={call} />
      <CallFeedback id={call.id} />
      <ForwardedTo call={call} />
    </>
  );
}

function Missing() {
  const { path } = useWorkspace();
  return (
    <p className="max-w-160 px-8 pt-4 text-fg-2 max-md:px-4">
      No call has this id. A call that was refused before it reached a model has none; a video has one once its job has
      ended.{" "}
      <Link to={paths.calls(path)} className={`${linkTextClass} underline`}>
        Show all calls
      </Link>
    </p>
  );
}

function Waiting() {
  return (
    <div className="grid gap-4 px-8 py-5 max-md:px-4">
      <Skeleton width={420} />
      <Skeleton width={480} height={160} />
      <Skeleton width={480} height={80} />
    </div>
  );
}
