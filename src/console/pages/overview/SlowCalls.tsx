import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { getLatency } from "#contract/activity.ts";
import { query } from "../../api/query.ts";
import { formatLatency } from "../../format.ts";
import { paths } from "../../paths.ts";
import { QueryBoundary } from "../../shell/QueryBoundary.tsx";
import { useWorkspace } from "../../shell/workspace.ts";
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
