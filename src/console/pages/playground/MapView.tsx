import { useMemo, useRef, useState } from "react";
import { useStore } from "../../api/store.ts";
import { Button } from "../../ui/Button.tsx";
import { Kbd } from "../../ui/Kbd.tsx";
import { NativeSelect } from "../../ui/NativeSelect.tsx";
import { Segmented } from "../../ui/Segmented.tsx";
import { MapCanvas } from "./MapCanvas.tsx";
import { MapLegend } from "./MapLegend.tsx";
import { paintOf, paints } from "./map-paint.ts";
import type { PaintBy } from "./map-paint.ts";
import { MapTrust } from "./MapTrust.tsx";
import { NeighbourList } from "./NeighbourList.tsx";
import { PickedRows } from "./PickedRows.tsx";
import { change, drawnAt } from "./playground.ts";
import type { ViewProps } from "./ResultPane.tsx";
import { groupsOf } from "./rows.ts";
import { useAnswer } from "./use-answer.ts";
import { useUmap } from "./use-umap.ts";

const seed = 7;
const fewest = 15;
const clusterCounts = [2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 20];
/** About as many groups as people look for in so many rows. */
const usualClusters = (rows: number) => Math.max(2, Math.min(8, Math.round(Math.sqrt(rows / 2))));

/** The rows as points in the plane: principal components at once, UMAP when asked for. */
export function MapView(props: ViewProps) {
  const { playground, run } = props;
  const { store, worker } = playground;
  const { used, selected, picked, near: k } = useStore(store);
  const [method, setMethod] = useState<"pca" | "umap">("pca");
  const [by, setBy] = useState<PaintBy>("label");
  const [wantedClusters, setWantedClusters] = useState<number | null>(null);
  const [picking, setPicking] = useState(false);
  const beside = useRef<HTMLDivElement>(null);
  const drawn = drawnAt(run);
  const { data: flat, error } = useAnswer(worker, "pca", { run: run.id, used, seed }, drawn);
  const look = selected === null ? null : { run: run.id, used, row: selected };
  const near = useAnswer(worker, "nearest", look && { ...look, k }, drawn).data;
  const scores = useAnswer(worker, "scores", by === "similarity" ? look : null, drawn).data ?? null;
  const count = wantedClusters ?? usualClusters(run.items.length);
  const grouped = by === "cluster" ? { run: run.id, used, seed, count } : null;
  const clusters = useAnswer(worker, "clusters", grouped, drawn).data ?? null;
  const umap = useUmap(worker, { run: run.id, used, seed }, `${run.id} ${used} ${drawn}`);
  const groups = useMemo(() => groupsOf(run.shown), [run.shown]);
  const paint = useMemo(
    () => paintOf(by, run.shown, groups, { scores, selected, clusters }),
    [by, run.shown, groups, scores, selected, clusters],
  );
  const points = (method === "umap" ? umap.points : null) ?? flat;
  if (!points || !flat) {
    return (
      <p role="status" className="p-6 text-fg-2">
        {error ?? "The map is being drawn."}
      </p>
    );
  }

  const markOfRow = (row: number) =>
    paint.legend.kind === "scale" || paint.legend.entries.length === 0
      ? null
      : { colour: paint.colour[row] ?? 0, shape: paint.shape[row] ?? 0 };
  function choose(next: "pca" | "umap") {
    setMethod(next);
    if (next === "pca") umap.stop();
    else umap.draw();
  }
  return (
    <div className="flex min-h-0 grow flex-col">
      <div className="flex min-h-13 items-center gap-x-3.5 gap-y-1 border-b border-line px-6 py-1.5 max-md:flex-wrap max-md:px-4">
        <Segmented
          label="Picture"
          size="sm"
          value={method}
          onChange={choose}
          choices={
            points.rows.length < fewest
              ? [{ value: "pca", label: "PCA" }]
              : [
                  { value: "pca", label: "PCA" },
                  { value: "umap", label: "UMAP" },
                ]
          }
        />
        <label className="inline-flex shrink-0 items-center gap-2 text-12 text-fg-2">
          Colour by
          <NativeSelect
            size="sm"
            className="w-24"
            value={by}
            onChange={(event) => setBy(event.target.value as PaintBy)}
          >
            {paints.map((value) => (
              <option key={value} value={value}>
                {value}
              </option>
            ))}
          </NativeSelect>
        </label>
        {by === "cluster" && (
          <NativeSelect
            size="sm"
            aria-label="How many clusters"
            value={count}
            onChange={(event) => setWantedClusters(Number(event.target.value))}
          >
            {clusterCounts.map((value) => (
              <option key={value} value={value}>
                k {value}
              </option>
            ))}
          </NativeSelect>
        )}
        {by === "similarity" && selected === null ? (
          <span className="grow text-12 text-fg-3">Choose a point first</span>
        ) : (
          <MapLegend legend={paint.legend} />
        )}
        <span className="shrink-0 text-12 text-fg-3">Seed {seed}</span>
      </div>
      <div className="grid min-h-0 grow md:grid-cols-[minmax(0,1fr)_250px]">
        <MapCanvas
          points={points}
          shown={run.shown}
          paint={paint}
          picture={playground.picture}
          selected={selected}
          near={near ? [...near.rows] : []}
          picked={picked}
          picking={picking}
          onSelect={(row) => change(store, { selected: row })}
          onPick={(rows) => {
            change(store, { picked: rows });
            setPicking(false);
          }}
          onOpen={() => beside.current?.querySelector<HTMLElement>("ol button")?.focus()}
        />
        <div
          ref={beside}
          className="flex min-h-0 flex-col gap-4 overflow-y-auto border-l border-line p-4 max-md:border-t max-md:border-l-0"
        >
          {picked && <PickedRows {...props} picked={picked} />}
          <NeighbourList {...props} markOfRow={markOfRow} />
          <MapTrust
            worker={worker}
            look={{ run: run.id, used }}
            points={points}
            explained={method === "pca" ? flat.explained : null}
            settled={flat.settled}
            selected={selected}
            near={near ? [...near.rows] : []}
            drawing={umap.share}
            trouble={umap.trouble}
            onStop={() => choose("pca")}
          />
        </div>
      </div>
      <div className="flex items-center gap-x-4 border-t border-line px-6 py-1.5 max-md:px-4">
        <p className="flex grow flex-wrap items-center gap-2 text-12 text-fg-2 max-md:hidden">
          {picking ? (
            <>
              Draw a line around points, or <Kbd>←</Kbd> <Kbd>→</Kbd> <Kbd>↑</Kbd> <Kbd>↓</Kbd> to draw a frame and{" "}
              <Kbd>↵</Kbd> to take what is in it
            </>
          ) : (
            <>
              <Kbd>←</Kbd> <Kbd>→</Kbd> <Kbd>↑</Kbd> <Kbd>↓</Kbd> nearest point that way <Kbd>↵</Kbd> neighbours{" "}
              <Kbd>+</Kbd> <Kbd>−</Kbd> zoom
            </>
          )}
        </p>
        <Button
          size="sm"
          variant={picking ? "default" : "quiet"}
          aria-pressed={picking}
          onClick={() => setPicking(!picking)}
        >
          Pick points
        </Button>
      </div>
    </div>
  );
}
