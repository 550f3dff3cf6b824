import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { destinationHealth } from "../../api/destinations.ts";
import { formatCount } from "../../format.ts";
import { paths } from "../../paths.ts";
import { QueryBoundary } from "../../shell/QueryBoundary.tsx";
import { useWorkspace } from "../../shell/workspace.ts";
import { SmallFigure, WaitingFigures } from "./SmallFigure.tsx";

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
