import { useEffect, useMemo, useRef, useState } from "react";
import { useStore } from "../../api/store.ts";
import { cx } from "../../ui/cx.ts";
import { Kbd } from "../../ui/Kbd.tsx";
import { kindOf, labeledBy } from "./columns.ts";
import { MapCanvas } from "./MapCanvas.tsx";
import { columnOf, paintOf, paintsFor, type PaintBy } from "./map-paint.ts";
import { titlesOf } from "./map-titles.ts";
import { MapPanel } from "./MapPanel.tsx";
import { MapSentence } from "./MapSentence.tsx";
import { MapToolbar, type Projection } from "./MapToolbar.tsx";
import { change, drawnAt } from "./playground.ts";
import type { ViewProps } from "./view-props.ts";
import type { Clusters, Points } from "../../vectors/protocol.ts";
import { groupsOf } from "./rows.ts";
import { RowFilter } from "./RowFilter.tsx";
import { useAnswer } from "./use-answer.ts";
import { usePlaceNames } from "./use-place-names.ts";
import { useUmap } from "./use-umap.ts";

const seed = 8;

/** The rows as points in the plane: principal components at once, UMAP when asked for. */
export function MapView(props: ViewProps) {
  const { playground, run, hits } = props;
  const { store, worker } = playground;
  const { used, selected, picked, near: k } = useStore(store);
  const { shown, groups, offered, by, onPaint } = useColoring(props);
  const [wantedClusters, setWantedClusters] = useState<number | null>(null);
  const [picking, setPicking] = useState(false);
  const [level, setLevel] = useState(0);
  // null: it opens by itself where something in it was asked for
  const [panel, setPanel] = useState<boolean | null>(null);
  const sideList = useRef<HTMLDivElement>(null);
  const [entered, setEntered] = useState<number | null>(null);
  const plane = usePlane(props);
  const { projection, flat, error } = plane;
  const slice = selected === null ? null : { run: run.id, used, row: selected };
  const near = useAnswer(worker, "nearest", slice && { ...slice, k }, drawnAt(run)).data;
  // a question recolors the map, and leaves its groups their names
  const named = by === "cluster" || (hits !== null && by === "similarity" && groups.length === 0);
  const { clusters, grouping } = useClusters(props, named ? { count: wantedClusters } : null);
  // the colors come before the picture that takes longer
  const isColored = !named || clusters !== null || grouping.cancelled;
  const { umap, points, choose } = usePicture(props, plane, isColored);
  const paint = usePaint(props, { by, shown, groups, clusters });
  const titles = useTitles(props, { by, shown, groups, clusters, points: points ?? null, level });
  if (!points) return <Unfinished>{error ?? "Drawing the map."}</Unfinished>;

  const nearRows = near ? [...near.rows] : [];
  const isAsked = run.example !== null || selected !== null || picked !== null || hits !== null;
  const isOpen = panel ?? (isAsked || umap.share !== null);
  function select(row: number | null) {
    setEntered(null);
    change(store, { selected: row });
  }
  function paintBy(next: PaintBy) {
    // the groups are listed there
    if (next === "cluster") setPanel(true);
    onPaint(next);
  }
  return (
    <div className="flex grow flex-col @min-[720px]/results:min-h-110">
      <MapSentence
        {...props}
        by={by}
        clusters={clusters}
        chosen={wantedClusters}
        isDrawn={isColored}
        grouping={grouping}
      />
      <div
        className={cx(
          "grid grow @max-[720px]/results:grid-rows-[minmax(0,1fr)_auto] @min-[720px]/results:min-h-0",
          isOpen && "@min-[720px]/results:grid-cols-[minmax(0,1fr)_250px]",
        )}
      >
        <div className="relative flex min-h-110 min-w-0 flex-col @max-[460px]/results:min-h-[max(22.5rem,56svh)]">
          <MapToolbar
            rows={points.rows.length}
            projection={projection}
            by={by}
            offered={offered}
            clusters={wantedClusters}
            best={clusters?.best?.count ?? null}
            legend={by === "similarity" && selected === null && !hits ? null : paint.legend}
            seed={seed}
            filter={<RowFilter {...props} />}
            picking={picking}
            panel={isOpen}
            onPicking={() => setPicking(!picking)}
            onPanel={() => setPanel(!isOpen)}
            onProjection={choose}
            onPaint={paintBy}
            onClusters={setWantedClusters}
          />
          <MapCanvas
            points={points}
            axes={points === flat}
            shown={run.shown}
            paint={paint}
            titles={titles}
            picture={playground.picture}
            selected={selected}
            near={nearRows}
            hits={hits ? Array.from(hits.rows.subarray(0, k), (row, at) => ({ row, score: hits.scores[at] ?? 0 })) : []}
            picked={picked}
            picking={picking}
            onSelect={select}
            onPick={(rows) => {
              change(store, { picked: rows });
              setPicking(false);
            }}
            onLevel={setLevel}
            onOpen={() => {
              // the list of a row that was only just chosen may still be the one of the row before
              if (selected === null) sideList.current?.querySelector<HTMLElement>("ol button")?.focus();
              else setEntered(selected);
            }}
          />
          {picking && <PickHint />}
        </div>
        <MapPanel
          {...props}
          ref={sideList}
          isOpen={isOpen}
          entered={entered}
          onEntered={() => setEntered(null)}
          paint={paint}
          clusters={by === "cluster" ? clusters : null}
          points={points}
          flat={projection === "pca" ? flat : undefined}
          settled={flat?.settled ?? true}
          near={nearRows}
          umap={umap}
          onStop={() => choose("pca")}
        />
      </div>
    </div>
  );
}

interface Named extends Pick<ReturnType<typeof useColoring>, "by" | "shown" | "groups"> {
  clusters: Clusters | null;
  points: Points | null;
  level: number;
}

/** The rows by principal components, which are there first; and what other pictures are made of. */
function usePlane({ playground: { store, worker }, run }: ViewProps) {
  const { used } = useStore(store);
  const [projection, setProjection] = useState<Projection>(run.example ? "umap" : "pca");
  const whole = { run: run.id, used, seed };
  // shipped with the example, as the worker would make it of whole vectors
  const stored = used === null && !run.removed ? run.example : null;
  const inPlane = stored && projection === "umap" ? null : whole;
  const { data: flat, error } = useAnswer(worker, "pca", inPlane, drawnAt(run));
  return { projection, setProjection, whole, stored, flat, error };
}

/** Where the rows lie: in the plane, or by UMAP as far as it is drawn. */
function usePicture(
  { playground: { worker }, run }: ViewProps,
  plane: ReturnType<typeof usePlane>,
  isColored: boolean,
) {
  const { projection, setProjection, whole, stored, flat } = plane;
  const isWanted = run.example !== null && !stored && isColored;
  const umap = useUmap(worker, whole, `${run.id} ${whole.used} ${drawnAt(run)}`, isWanted);
  const points = (projection === "umap" ? (stored?.points ?? umap.points) : null) ?? flat ?? stored?.points;
  function choose(next: Projection) {
    setProjection(next);
    if (next === "pca") umap.stop();
    else if (!stored) umap.draw();
  }
  return { umap, points, choose };
}

/** The colors of the rows. */
function usePaint(
  { playground: { store, worker }, run, hits }: ViewProps,
  { by, shown, groups, clusters }: Omit<Named, "points" | "level">,
) {
  const { used, selected } = useStore(store);
  const slice = by === "similarity" && !hits && selected !== null ? { run: run.id, used, row: selected } : null;
  const scores = useAnswer(worker, "scores", slice, drawnAt(run)).data ?? null;
  return useMemo(
    () =>
      paintOf(by, shown, groups, {
        clusters,
        ...(hits ? { scores: hits.byRow, selected: null } : { scores, selected }),
      }),
    [by, shown, groups, hits, scores, selected, clusters],
  );
}

/** What is written among the points. What the map shows is noted, for files of its rows. */
function useTitles({ playground, run: { id } }: ViewProps, { by, shown, groups, clusters, points, level }: Named) {
  const titles = useMemo(() => titlesOf(by, shown, groups, clusters), [by, shown, groups, clusters]);
  const places = usePlaceNames(playground.worker, id, points, level);
  useEffect(() => playground.picture.note({ run: id, points, clusters }), [playground, id, points, clusters]);
  return useMemo(() => [...titles, ...places], [titles, places]);
}

/** What the map is colored by. A question recolors it; once that is gone the colors are what they were. */
function useColoring({ run, hits }: ViewProps) {
  const [plain, setPlain] = useState<PaintBy | null>(null);
  const [asked, setAsked] = useState<PaintBy>("similarity");
  const labels = useMemo(() => groupsOf(run.shown), [run.shown]);
  const offered = useMemo(() => paintsFor(run.shown, labels), [run.shown, labels]);
  const wanted = hits ? asked : plain;
  const by = offered.find((each) => each === wanted) ?? offered[0] ?? "cluster";
  const column = columnOf(by);
  // a column's cells are marked and written among the points as labels are
  const shown = useMemo(() => (column === null ? run.shown : labeledBy(run.shown, column)), [run.shown, column]);
  const groups = useMemo(() => {
    if (column === null) return labels;
    return kindOf(run.shown, column) === "names" ? groupsOf(shown) : [];
  }, [column, labels, run.shown, shown]);
  return { shown, groups, offered, by, onPaint: hits ? setAsked : setPlain };
}

/** The groups of the rows; the example comes with those that fit best. */
function useClusters({ playground: { store, worker }, run }: ViewProps, wanted: { count: number | null } | null) {
  const { used } = useStore(store);
  const stored = used === null && !run.removed && wanted?.count === null ? run.example : null;
  const asked = wanted && !stored ? { run: run.id, used, seed, ...wanted } : null;
  const grouping = useAnswer(worker, "clusters", asked, drawnAt(run));
  return { clusters: stored?.clusters ?? (asked && grouping.data) ?? null, grouping };
}

const Unfinished = ({ children }: { children: string }) => (
  <p role="status" className="px-(--pane-x) py-6 text-fg-2">
    {children}
  </p>
);

/** What is to be done while points are picked. */
const PickHint = () => (
  <p className="pointer-events-none absolute bottom-2 left-2 flex flex-wrap items-center gap-1 rounded-2 border border-line bg-bg-1 px-2 py-1 text-12 text-fg-2">
    Draw a line around points, or <Kbd>←</Kbd> <Kbd>→</Kbd> <Kbd>↑</Kbd> <Kbd>↓</Kbd> to draw a frame and <Kbd>↵</Kbd>{" "}
    to select what is in it
  </p>
);
