import { useQueries } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { countKeys } from "#contract/keys.ts";
import { query } from "../../api/query.ts";
import { formatCount } from "../../format.ts";
import { paths } from "../../paths.ts";
import { Reading } from "../../shell/Reading.tsx";
import { useWorkspace } from "../../shell/workspace.ts";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { isNearLimit } from "./attention.ts";
import { biggestSpenders } from "./key-reads.ts";
import { SmallFigure } from "./SmallFigure.tsx";

/** How many keys will soon be refused: of those that spent most, since who spends little is near no limit for long. */
export function KeysNearLimit({ every }: { every: number | false }) {
  const { id, path } = useWorkspace();
  const [counts, spenders] = useQueries({
    queries: [
      {
        ...query(countKeys, { query: { workspace_id: id ?? "all" } }),
        enabled: id !== undefined,
        refetchInterval: every,
      },
      biggestSpenders(id, every),
    ],
  });
  const of = counts.data?.data.all;
  return (
    <Reading query={spenders} what="the keys near their limit" skeleton={<Skeleton width={84} height={40} />} cells>
      {({ data, next_cursor: more }) => {
        const near = data.filter(isNearLimit).length;
        return (
          <SmallFigure
            label="Keys near limit"
            note={of === undefined ? undefined : `of ${formatCount(of.count)}${of.more ? "+" : ""}`}
          >
            <Link
              to={paths.keys(path)}
              search={{ limit: "near" }}
              className={`hover:underline ${near > 0 ? "text-warn-fg" : ""}`}
            >
              {formatCount(near)}
              {near === data.length && more !== null && "+"}
            </Link>
          </SmallFigure>
        );
      }}
    </Reading>
  );
}
