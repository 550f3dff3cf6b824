import { useState } from "react";
import { useStore } from "../../api/store.ts";
import { formatPercent } from "../../format.ts";
import { Button } from "../../ui/Button.tsx";
import { Segmented } from "../../ui/Segmented.tsx";
import { GroupShape } from "./GroupShape.tsx";
import { MapCanvas } from "./MapCanvas.tsx";
import { NeighbourList } from "./NeighbourList.tsx";
import { change } from "./playground.ts";
import type { Points } from "./protocol.ts";
import type { ViewProps } from "./ResultPane.tsx";
import { groupsOf } from "./rows.ts";
import { useAnswer } from "./use-answer.ts";

const seed = 7;
const fewest = 15;

/** The rows as points in the plane: principal components at once, UMAP when asked for. */
export function MapView({ playground, run }: ViewProps) {
  const { store, worker } = playground;
  const { used, selected } = useStore(store);
  const [method, setMethod] = useState<"pca" | "umap">("pca");
  const [drawn, setDrawn] = useState<{ of: string; points: Points; share: number } | null>(null);
  const [trouble, setTrouble] = useState<string | null>(null);
  const [trust, setTrust] = useState<{ of: Points; value: number; k: number } | null>(null);
  const key = `${run.id} ${used} ${run.progress.done}`;
  const flat = useAnswer(worker, "pca", { run: run.id, used, seed }, run.progress.done).data;
  const near = useAnswer(
    worker,
    "nearest",
    selected === null ? null : { run: run.id, used, row: selected, k: 6 },
    run.progress.done,
  ).data;
  const points = method === "umap" && drawn?.of === key ? drawn.points : flat;
  const groups = groupsOf(run.shown);
  const first = (flat?.explained[0] ?? 0) + (flat?.explained[1] ?? 0);

  async function lay(next: "pca" | "umap") {
    setMethod(next);
    if (next === "pca" || !flat || drawn?.of === key) return;
    setTrouble(null);
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    try {
      const done = await worker.ask(
        "umap",
        { run: run.id, used, seed },
        {
          onDrawing: (drawing, share) =>
            !still && setDrawn({ of: key, points: { rows: flat.rows, points: drawing }, share }),
        },
      );
      setDrawn({ of: key, points: done, share: 1 });
    } catch (error) {
      setTrouble(error instanceof Error ? error.message : "The picture could not be drawn.");
    }
  }
  async function measure() {
    if (!points) return;
    const { value, k } = await worker.ask("trust", {
      run: run.id,
      used,
      points: { rows: points.rows, points: points.points },
    });
    setTrust({ of: points, value, k });
  }
  if (!points) return null;
  return (
    <div className="flex min-h-0 grow flex-col">
      <div className="flex min-h-13 flex-wrap items-center gap-3.5 border-b border-line px-6">
        <Segmented
          label="Picture"
          size="sm"
          value={method}
          onChange={(next) => void lay(next)}
          choices={
            points.rows.length < fewest
              ? [{ value: "pca", label: "PCA" }]
              : [
                  { value: "pca", label: "PCA" },
                  { value: "umap", label: "UMAP" },
                ]
          }
        />
        {groups.slice(0, 8).map((group, place) => (
          <span key={group} className="inline-flex items-center gap-1.5 text-12">
            <GroupShape place={place} /> {group}
          </span>
        ))}
        <span className="grow" />
        <span className="text-12 text-fg-3">Seed {seed}</span>
      </div>
      <div className="grid min-h-0 grow md:grid-cols-[minmax(0,1fr)_250px]">
        <MapCanvas
          points={points}
          shown={run.shown}
          groups={groups}
          selected={selected}
          near={near ? [...near.rows] : []}
          onSelect={(row) => change(store, { selected: row })}
        />
        <div className="flex flex-col gap-4 border-l border-line p-4">
          <NeighbourList playground={playground} run={run} />
          <div className="mt-auto text-12 text-fg-2">
            <p role="status">
              {method === "pca"
                ? `${formatPercent(first)} of the variance is on this page.`
                : drawn && drawn.share < 1
                  ? `UMAP, ${formatPercent(drawn.share)} drawn.`
                  : drawn?.of === key
                    ? "UMAP keeps neighbours together; distances between groups mean little."
                    : "UMAP is being drawn."}
              {trouble}
            </p>
            {trust?.of === points ? (
              <p>
                Trust {trust.value.toFixed(2)} of 1: how many of the {trust.k} nearest here are near in truth.
              </p>
            ) : (
              <Button size="sm" className="mt-2" onClick={() => void measure()}>
                How far to trust it
              </Button>
            )}
          </div>
        </div>
      </div>
    </div>
  );
}
