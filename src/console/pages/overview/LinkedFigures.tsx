import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Overview } from "#contract/overview.ts";
import { countsIn } from "../../api/counts.ts";
import { formatCount, formatLatency } from "../../format.ts";
import { paths } from "../../paths.ts";
import { QueryBoundary } from "../../shell/QueryBoundary.tsx";
import { useWorkspace } from "../../shell/workspace.ts";
import { Region } from "../../ui/Region.tsx";
import { SmallFigure, WaitingFigures } from "./SmallFigure.tsx";

/** How long the calls of the last 24 hours took. */
export function SlowCalls({ latency: { p50_ms: half, p95_ms: most } }: { latency: Overview["latency"] }) {
  const { path } = useWorkspace();
  return (
    <Region label="how long calls took" className="contents">
      <SmallFigure label="p95, 24 h" note={half === null ? undefined : `half in ${formatLatency(half)}`}>
        {most === null ? (
          <span className="text-fg-3">–</span>
        ) : (
          <Link
            to={paths.calls(path)}
            search={{ status: "succeeded" }}
            aria-label={`p95 of 24 h: ${formatLatency(most)}`}
            className="hover:underline"
          >
            {formatLatency(most)}
          </Link>
        )}
      </SmallFigure>
    </Region>
  );
}

/** How many keys will soon be refused: those that have spent four fifths of their limit or more, but not all of it. */
export function KeysNearLimit({ near: { count: near, more } }: { near: { count: number; more: boolean } }) {
  const { id, path } = useWorkspace();
  const of = useQuery(countsIn(id)).data?.data.keys;
  return (
    <SmallFigure
      label="Keys near limit"
      note={of === undefined ? undefined : `of ${formatCount(of.count)}${of.more ? "+" : ""}`}
    >
      <Link
        to={paths.keys(path)}
        search={{ status: "active", limit: "near" }}
        aria-label={`Keys near limit: ${formatCount(near)}${more ? "+" : ""}`}
        className={`hover:underline ${near > 0 ? "text-warn-fg" : ""}`}
      >
        {formatCount(near)}
        {more && "+"}
      </Link>
    </SmallFigure>
  );
}

/** How many destinations calls are not delivered to. The sidebar shows the same. */
export function FailingDestinations() {
  const { id, path } = useWorkspace();
  const counts = useQuery(countsIn(id));
  return (
    <QueryBoundary query={counts} what="the health of the destinations" skeleton={<WaitingFigures />} cells>
      {({ data: { destinations } }) => (
        <SmallFigure label="Failing destinations" note={`of ${formatCount(destinations.total)}`}>
          <Link
            to={paths.destinations(path)}
            aria-label={`Failing destinations: ${formatCount(destinations.failing)}`}
            className={`hover:underline ${destinations.failing > 0 ? "text-bad-fg" : ""}`}
          >
            {formatCount(destinations.failing)}
          </Link>
        </SmallFigure>
      )}
    </QueryBoundary>
  );
}
