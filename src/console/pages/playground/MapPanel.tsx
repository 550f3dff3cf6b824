import type { Ref } from "react";
import { useStore } from "../../api/store.ts";
import { cx } from "../../ui/cx.ts";
import type { Clusters, Flat, Points } from "../../vectors/protocol.ts";
import { GroupList } from "./GroupList.tsx";
import { markOfRow, type Paint } from "./map-paint.ts";
import { MapTrust } from "./MapTrust.tsx";
import { NeighbourList } from "./NeighbourList.tsx";
import { PickedRows } from "./PickedRows.tsx";
import type { Umap } from "./use-umap.ts";
import type { ViewProps } from "./view-props.ts";

interface MapPanelProps extends ViewProps {
  ref: Ref<HTMLDivElement>;
  /** where it is next to the map; under it, it is always there */
  isOpen: boolean;
  entered: number | null;
  onEntered: () => void;
  paint: Paint;
  /** null: the colors are of something else */
  clusters: Clusters | null;
  points: Points;
  /** what the picture is made of, where that is principal components */
  flat: Flat | undefined;
  settled: boolean;
  near: readonly number[];
  umap: Umap;
  onStop: () => void;
}

/** Next to the map: what was picked, neighbors, groups, and how far to trust the picture. */
export function MapPanel({
  ref,
  isOpen,
  entered,
  onEntered,
  paint,
  clusters,
  near,
  umap,
  onStop,
  ...props
}: MapPanelProps) {
  const { playground, run, hits, points, flat, settled } = props;
  const { used, selected, picked } = useStore(playground.store);
  const hasMarks = paint.legend.kind === "marks" && paint.legend.entries.length > 0;
  return (
    <div
      ref={ref}
      className={cx(
        "flex min-h-0 flex-col gap-4 border-line px-(--pane-x) py-4 @max-[720px]/results:border-t @min-[720px]/results:overflow-y-auto @min-[720px]/results:border-l @min-[720px]/results:pl-4",
        !isOpen && "@min-[720px]/results:hidden",
      )}
    >
      {picked && <PickedRows {...props} picked={picked} />}
      {hits && <QuestionNote />}
      <NeighbourList
        {...props}
        entered={entered}
        onEntered={onEntered}
        markOfRow={(row) => (hasMarks ? markOfRow(paint, row) : null)}
      />
      {clusters && <GroupList {...props} clusters={clusters} />}
      <MapTrust
        worker={playground.worker}
        slice={{ run: run.id, used }}
        points={points}
        explained={flat?.explained ?? null}
        settled={settled}
        selected={selected}
        near={near}
        drawing={umap.share}
        trouble={umap.trouble}
        onStop={onStop}
      />
    </div>
  );
}

const QuestionNote = () => (
  <p className="text-12 text-fg-3">
    The diamond marks the question. It is drawn among its nearest rows, closer to the more similar ones; it is not part
    of the projection.
  </p>
);
