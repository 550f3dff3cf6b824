import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { CallRecord } from "#contract/calls.ts";
import type { Output } from "#contract/endpoint.ts";
import { getDeliveryOutcome } from "#contract/forwarding.ts";
import { useNow } from "../../api/clock.ts";
import { query } from "../../api/query.ts";
import { formatRelative } from "../../format.ts";
import { allWorkspaces, paths } from "../../paths.ts";
import { deliveryOutcomes } from "../../shell/delivery-outcomes.ts";
import { QueryBoundary } from "../../shell/QueryBoundary.tsx";
import { useWorkspace, useWorkspaceOf } from "../../shell/workspace.ts";
import { linkTextClass } from "../../ui/LinkText.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { Status } from "../../ui/Status.tsx";
import { Time } from "../../ui/Time.tsx";

type Trace = Output<typeof getDeliveryOutcome>["data"];
type Found = Trace["destinations"][number];

const lookEveryMs = 5_000;
const isUnderWay = ({ outcome }: Found) => outcome === "waiting" || outcome === "failed";

/** Where the call's event went, what was answered, or what held it back: as Trace a call has it. */
export function ForwardedTo({ call: { id, workspace_id: workspaceId } }: { call: CallRecord }) {
  const { path: current } = useWorkspace();
  const { path: own } = useWorkspaceOf(workspaceId);
  const path = current === allWorkspaces ? current : (own ?? current);
  const trace = useQuery({
    ...query(getDeliveryOutcome, { query: { generation_id: id } }),
    refetchInterval: ({ state }) => state.data?.data.destinations.some(isUnderWay) === true && lookEveryMs,
  });
  return (
    <section aria-labelledby="forwarded" className="border-t border-line px-8 py-6 max-md:px-4">
      <h2 id="forwarded" className="pb-2 text-15">
        Forwarded to
      </h2>
      <QueryBoundary
        query={trace}
        what="what happened at the destinations"
        skeleton={<Skeleton height={40} />}
        className="-mx-8 px-8 max-md:-mx-4 max-md:px-4"
      >
        {({ data: { destinations } }) =>
          destinations.length === 0 ? (
            <p className="text-fg-2">
              The call's workspace has no destination.{" "}
              <Link to={paths.destinations(path)} className={linkTextClass}>
                Destinations
              </Link>
            </p>
          ) : (
            <>
              <ul aria-label="At each destination" className="grid max-w-240">
                {destinations.map((one) => (
                  <Outcome key={one.destination_id} of={one} path={path} />
                ))}
              </ul>
              <Link to={paths.findEvent(path)} search={{ generation: id }} className={`${linkTextClass} text-12`}>
                Trace this call
              </Link>
            </>
          )
        }
      </QueryBoundary>
    </section>
  );
}

function Outcome({ of, path }: { of: Found; path: string }) {
  const now = useNow(lookEveryMs);
  const { kind, word } = deliveryOutcomes[of.outcome];
  const { at, status, error, attempt, next_try_at: next } = of;
  return (
    <li className="grid gap-x-4 gap-y-0.5 border-b border-line py-2 md:grid-cols-[minmax(0,14rem)_11rem_minmax(0,1fr)]">
      <Link
        to={paths.destination(path, of.destination_id)}
        dir="auto"
        className="max-w-full justify-self-start truncate hover:underline"
      >
        {of.name}
      </Link>
      <Status kind={kind} word={word} />
      <div className="min-w-0 text-fg-2">
        <p>
          {status !== null && <span className="mono">{status} </span>}
          {of.explanation}
        </p>
        {error !== null && <p className="text-12 break-words text-fg-3">“{error}”</p>}
        {(at !== null || attempt > 0) && (
          <p className="text-12 text-fg-3">
            {attempt > 0 && `${attempt} ${attempt === 1 ? "attempt" : "attempts"}`}
            {at !== null && (
              <>
                , the last at <Time iso={at} show="exact" now={now} focusable /> UTC
              </>
            )}
            {next !== null && `, next ${formatRelative(new Date(next), now)}`}
          </p>
        )}
      </div>
    </li>
  );
}
