import { useMemo, useRef, useState } from "react";
import { useStore } from "../../api/store.ts";
import { Button } from "../../ui/Button.tsx";
import { Kbd } from "../../ui/Kbd.tsx";
import { NativeSelect } from "../../ui/NativeSelect.tsx";
import { Segmented } from "../../ui/Segmented.tsx";
import { GroupShape } from "./GroupShape.tsx";
import { MapCanvas } from "./MapCanvas.tsx";
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
const paintWords: Record<PaintBy, string> = {
  label: "label",
  role: "role",
  length: "length",
  similarity: "similarity",
};

/** The rows as points in the plane: principal components at once, UMAP when asked for. */
export function MapView(props: ViewProps) {
  const { playground, run } = props;
  const { store, worker } = playground;
  const { used, selected, picked, near: k } = useStore(store);
  const [method, setMethod] = useState<"pca" | "umap">("pca");
  const [by, setBy] = useState<PaintBy>("label");
  const [picking, setPicking] = useState(false);
  const beside = useRef<HTMLDivElement>(null);
  const drawn = drawnAt(run);
  const flat = useAnswer(worker, "pca", { run: run.id, used, seed }, drawn).data;
  const look = selected === null ? null : { run: run.id, used, row: selected };
  const near = useAnswer(worker, "nearest", look && { ...look, k }, drawn).data;
  const scores = useAnswer(worker, "scores", by === "similarity" ? look : null, drawn).data ?? null;
  const umap = useUmap(worker, { run: run.id, used, seed }, `${run.id} ${used} ${drawn}`);
  const groups = useMemo(() => groupsOf(run.shown), [run.shown]);
  const paint = useMemo(() => paintOf(by, run.shown, groups, scores), [by, run.shown, groups, scores]);
  const points = (method === "umap" ? umap.points : null) ?? flat;
  if (!points || !flat) return null;

  function choose(next: "pca" | "umap") {
    setMethod(next);
    if (next === "pca") umap.stop();
    else umap.draw();
  }
  const legend = by === "label" ? groups.slice(0, 8) : by === "role" ? ["document", "query"] : [];
  return (
    <div className="flex min-h-0 grow flex-col">
      <div className="flex min-h-13 flex-wrap items-center gap-x-3.5 gap-y-1 border-b border-line px-6 py-1.5 max-md:px-4">
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
        <label className="inline-flex items-center gap-2 text-12 text-fg-2">
          Colour by
          <NativeSelect
            size="sm"
            className="w-28"
            value={by}
            onChange={(event) => setBy(event.target.value as PaintBy)}
          >
            {paints.map((value) => (
              <option key={value} value={value}>
                {paintWords[value]}
              </option>
            ))}
          </NativeSelect>
        </label>
        {legend.map((group, place) => (
          <span key={group} className="inline-flex items-center gap-1.5 text-12">
            <GroupShape place={by === "role" ? place * 4 : place} /> {group}
          </span>
        ))}
        {by === "similarity" && selected === null && <span className="text-12 text-fg-3">Choose a point first</span>}
        <span className="grow" />
        <Button
          size="sm"
          variant={picking ? "default" : "quiet"}
          aria-pressed={picking}
          onClick={() => setPicking(!picking)}
        >
          Pick points
        </Button>
        <span className="text-12 text-fg-3">Seed {seed}</span>
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
          <NeighbourList {...props} />
          <MapTrust
            worker={worker}
            look={{ run: run.id, used }}
            points={points}
            explained={method === "pca" ? flat.explained : null}
            selected={selected}
            near={near ? [...near.rows] : []}
            drawing={umap.share}
            trouble={umap.trouble}
            onStop={() => choose("pca")}
          />
        </div>
      </div>
      <p className="flex flex-wrap items-center gap-2 border-t border-line px-6 py-2 text-12 text-fg-2 max-md:hidden">
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
    </div>
  );
}
