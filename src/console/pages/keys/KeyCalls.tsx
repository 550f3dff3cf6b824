import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { listGenerations, type CallRecord } from "#contract/calls.ts";
import type { KeyRecord } from "#contract/keys.ts";
import { useNow } from "../../api/clock.ts";
import { query } from "../../api/query.ts";
import { formatLatency } from "../../format.ts";
import { allWorkspaces, paths } from "../../paths.ts";
import { callStatus } from "../../shell/call-status.ts";
import { QueryBoundary } from "../../shell/QueryBoundary.tsx";
import { useWorkspace } from "../../shell/workspace.ts";
import { linkTextClass } from "../../ui/LinkText.tsx";
import { Money } from "../../ui/Money.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { Status } from "../../ui/Status.tsx";
import { Time } from "../../ui/Time.tsx";

const shown = "5";
const refreshEveryMs = 30_000;

interface KeyCallsProps {
  of: KeyRecord;
  /** only those that failed */
  failed?: boolean;
}

/** The key's last calls, or the last of them that failed. Fails alone. */
export function KeyCalls({ of: { hash }, failed = false }: KeyCallsProps) {
  const read = useQuery({
    ...query(listGenerations, {
      query: {
        workspace_id: allWorkspaces,
        api_key_hash: hash,
        limit: shown,
        ...(failed && { status: "failed" }),
      },
    }),
    refetchInterval: refreshEveryMs,
  });
  const title = failed ? "Recent errors" : "Recent calls";
  return (
    // the reading inside is a region of this name
    <div className="border-t border-line py-6">
      <div className="flex items-baseline gap-3 px-8 pb-2 max-md:px-4">
        <h2 className="text-15">{title}</h2>
        <Link
          // it may have been moved: its calls are of every workspace that it was in
          to={paths.calls(allWorkspaces)}
          search={{ key: hash, ...(failed && { status: "failed" }) }}
          className={linkTextClass}
        >
          {failed ? "Show all its errors" : "Show all its calls"}
        </Link>
      </div>
      <QueryBoundary query={read} what={title.toLowerCase()} skeleton={<Skeletons />}>
        {({ data, next_cursor: more }) => (
          <ul className="px-8 max-md:px-4">
            {data.map((call) => (
              <Item key={call.id} call={call} />
            ))}
            {data.length === 0 && (
              <li className="text-fg-2">
                {!failed
                  ? "This key has no calls on the ledger yet."
                  : more === null
                    ? "None of its calls on the ledger failed."
                    : "None of its last calls on the ledger failed."}
              </li>
            )}
          </ul>
        )}
      </QueryBoundary>
    </div>
  );
}

function Item({ call }: { call: CallRecord }) {
  const { path } = useWorkspace();
  const now = useNow(30_000);
  return (
    <li className="flex flex-wrap items-baseline gap-x-4 border-b border-line py-2 last:border-b-0">
      <Link to={paths.call(path, call.id)} className="w-24 text-fg-2 hover:underline">
        <Time iso={call.created_at} now={now} />
        <span className="sr-only">, open the call</span>
      </Link>
      <Status {...callStatus(call)} className="w-44" />
      <span className="min-w-0 break-words">
        {call.model}
        {call.provider_name !== null && <span className="text-fg-3"> at {call.provider_name}</span>}
      </span>
      <span className="ml-auto flex gap-4 text-12 text-fg-3 tabular-nums">
        <span>{formatLatency(call.duration_ms)}</span>
        <Money usd={call.cost} dash inherit focusable />
      </span>
    </li>
  );
}

function Skeletons() {
  return (
    <div className="grid gap-4 px-8 py-2 max-md:px-4">
      <Skeleton width={420} />
      <Skeleton width={380} />
      <Skeleton width={400} />
    </div>
  );
}
