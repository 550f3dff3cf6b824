import { useQueries, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { getLatency } from "#contract/activity.ts";
import { countKeys } from "#contract/keys.ts";
import { destinationHealth } from "../../api/destinations.ts";
import { query } from "../../api/query.ts";
import { formatCount, formatLatency } from "../../format.ts";
import { paths } from "../../paths.ts";
import { QueryBoundary } from "../../shell/QueryBoundary.tsx";
import { useWorkspace } from "../../shell/workspace.ts";
import { attentionIn } from "./attention-read.ts";
import { SmallFigure, WaitingFigures } from "./SmallFigure.tsx";

/** How long the calls of the last 24 hours took. */
export function SlowCalls({ every }: { every: number | false }) {
  const { id, path } = useWorkspace();
  const latency = useQuery({
    ...query(getLatency, { query: { workspace_id: id ?? "all" } }),
    enabled: id !== undefined,
    refetchInterval: every,
  });
  return (
    <QueryBoundary query={latency} what="how long calls took" skeleton={<WaitingFigures />} cells>
      {({ data: { p50_ms: half, p95_ms: most } }) => (
        <SmallFigure label="p95, 24 h" note={half === null ? undefined : `half in ${formatLatency(half)}`}>
          {most === null ? (
            <span className="text-fg-3">–</span>
          ) : (
            <Link to={paths.calls(path)} search={{ status: "succeeded" }} className="hover:underline">
              {formatLatency(most)}
            </Link>
          )}
        </SmallFigure>
      )}
    </QueryBoundary>
  );
}

/** How many keys will soon be refused: those that have spent four fifths of their limit or more, but not all of it. */
export function KeysNearLimit({ every }: { every: number | false }) {
  const { id, path } = useWorkspace();
  const [counts, read] = useQueries({
    queries: [
      {
        ...query(countKeys, { query: { workspace_id: id ?? "all" } }),
        enabled: id !== undefined,
        refetchInterval: every,
      },
      attentionIn(id, every),
    ],
  });
  const of = counts.data?.data.all;
  return (
    <QueryBoundary query={read} what="the keys near their limit" skeleton={<WaitingFigures />} cells>
      {({ totals }) => {
        const { count: near, more } = totals.near_limit;
        return (
          <SmallFigure
            label="Keys near limit"
            note={of === undefined ? undefined : `of ${formatCount(of.count)}${of.more ? "+" : ""}`}
          >
            <Link
              to={paths.keys(path)}
              search={{ status: "active", limit: "near" }}
              className={`hover:underline ${near > 0 ? "text-warn-fg" : ""}`}
            >
              {formatCount(near)}
              {more && "+"}
            </Link>
          </SmallFigure>
        );
      }}
    </QueryBoundary>
  );
}

/** How many destinations calls are not delivered to. */
export function FailingDestinations({ every }: { every: number | false }) {
  const { id, path } = useWorkspace();
  const health = useQuery({
    ...destinationHealth(id ?? "all"),
    enabled: id !== undefined,
    refetchInterval: every,
  });
  return (
    <QueryBoundary query={health} what="the health of the destinations" skeleton={<WaitingFigures />} cells>
      {(all) => {
        const failing = all.filter(({ status }) => status === "failing").length;
        return (
          <SmallFigure label="Failing destinations" note={`of ${formatCount(all.length)}`}>
            <Link to={paths.destinations(path)} className={`hover:underline ${failing > 0 ? "text-bad-fg" : ""}`}>
              {formatCount(failing)}
            </Link>
          </SmallFigure>
        );
      }}
    </QueryBoundary>
  );
}
