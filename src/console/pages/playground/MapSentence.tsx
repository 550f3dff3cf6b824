import { useStore } from "../../api/store.ts";
import type { Clusters } from "../../vectors/protocol.ts";
import { labelFit } from "./group-facts.ts";
import type { PaintBy } from "./map-paint.ts";
import type { Answered } from "./use-answer.ts";
import type { ViewProps } from "./view-props.ts";
import { groupsSentence, mapSentence, rankedSentence } from "./view-sentences.ts";
import { useNearest, ViewSentence } from "./ViewSentence.tsx";
import { WorkProgress } from "./WorkProgress.tsx";

interface MapSentenceProps extends ViewProps {
  by: PaintBy;
  clusters: Clusters | null;
  /** how many groups a person asked for; null: as many as fit best */
  chosen: number | null;
  /** the worker is done with what the map itself needs, which comes first */
  isDrawn: boolean;
  /** the work on the groups */
  grouping: Answered<Clusters>;
}

/** What the map shows, as it is colored. */
export function MapSentence({ playground, run, hits, by, clusters, chosen, isDrawn, grouping }: MapSentenceProps) {
  const { used } = useStore(playground.store);
  const asked = hits !== null && by === "similarity";
  const { near, answer } = useNearest(playground.worker, run, used, isDrawn && !asked);
  const groups = by === "cluster" && clusters ? groupsSentence(clusters, chosen, labelFit(clusters, run.shown)) : null;
  // the groups are there before the map is drawn
  const isKnown = near !== null || groups !== null;
  const own = isKnown ? mapSentence(run.shown, { near, groups, byLabel: by === "label" }) : null;
  return (
    <ViewSentence
      sentence={asked ? rankedSentence(hits.byRow, { question: true }, run.shown) : own}
      run={run}
      work={
        isDrawn ? (
          <WorkProgress work={answer} what="Comparing each row with its nearest" />
        ) : (
          <WorkProgress work={grouping} what="Looking for the groups that fit best" />
        )
      }
    />
  );
}
