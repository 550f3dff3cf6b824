import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { destinationHealth } from "../../api/destinations.ts";
import { formatCount } from "../../format.ts";
import { paths } from "../../paths.ts";
import { Reading } from "../../shell/Reading.tsx";
import { useWorkspace } from "../../shell/workspace.ts";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { SmallFigure } from "./SmallFigure.tsx";

/** How many destinations calls are not delivered to. */
export function FailingDestinations({ every }: { every: number | false }) {
  const { id, path } = useWorkspace();
  const health = useQuery({
    ...destinationHealth(id ?? "all"),
    enabled: id !== undefined,
    refetchInterval: every,
  });
  return (
    <Reading query={health} what="the health of the destinations" skeleton={<Skeleton width={84} height={40} />} cells>
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
    </Reading>
  );
}
