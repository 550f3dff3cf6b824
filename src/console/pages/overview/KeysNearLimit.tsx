import { useQueries } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { countKeys } from "#contract/keys.ts";
import { query } from "../../api/query.ts";
import { formatCount } from "../../format.ts";
import { paths } from "../../paths.ts";
import { QueryBoundary } from "../../shell/QueryBoundary.tsx";
import { useWorkspace } from "../../shell/workspace.ts";
import { attentionIn } from "./attention-read.ts";
import { SmallFigure, WaitingFigures } from "./SmallFigure.tsx";

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
