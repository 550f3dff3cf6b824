import type { ReactNode } from "react";
import { Button } from "../../ui/Button.tsx";
import { tip } from "../../ui/Tooltip.tsx";
import { NativeSelect } from "../../ui/NativeSelect.tsx";
import { Segmented } from "../../ui/Segmented.tsx";
import { MapLegend } from "./MapLegend.tsx";
import { columnOf, type Legend, type PaintBy } from "./map-paint.ts";

export type Projection = "pca" | "umap";

/** Of fewer rows, UMAP says nothing. */
const fewest = 15;
const clusterCounts = [2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 20];

interface MapToolbarProps {
  rows: number;
  projection: Projection;
  by: PaintBy;
  offered: readonly PaintBy[];
  /** null: as many as fit best … */
  clusters: number | null;
  /** … which are so many; null: not known yet, or none */
  best: number | null;
  /** null: the colors wait for a point to be chosen */
  legend: Legend | null;
  seed: number;
  filter: ReactNode;
  /** dragging draws a line around points */
  picking: boolean;
  /** whether the panel beside the map is open, where there is room for one */
  panel: boolean;
  onPicking: () => void;
  onPanel: () => void;
  onProjection: (next: Projection) => void;
  onPaint: (by: PaintBy) => void;
  onClusters: (count: number | null) => void;
}

/** How the map is projected and colored. */
export function MapToolbar(props: MapToolbarProps) {
  const { rows, projection, by, offered, clusters, best, legend, seed, filter, picking, panel } = props;
  const { onProjection, onPaint, onClusters, onPicking, onPanel } = props;
  return (
    // over the map where there is room: it takes no line from it; on a phone the scale of similarity takes a second line, whose place is kept
    <div className="relative flex min-h-9 flex-wrap content-center items-center gap-x-3.5 gap-y-1 border-b border-line px-(--pane-x) py-1 @min-[1000px]/results:pointer-events-none @min-[1000px]/results:absolute @min-[1000px]/results:inset-x-0 @min-[1000px]/results:top-0 @min-[1000px]/results:z-1 @min-[1000px]/results:border-b-0 @min-[1000px]/results:[&_:is(button,select,input,fieldset,[role=radiogroup])]:pointer-events-auto @max-[460px]/results:min-h-18 @max-[460px]/results:gap-x-2">
      <Segmented
        label="Projection"
        size="sm"
        value={projection}
        onChange={onProjection}
        choices={[
          { value: "pca", label: "PCA" },
          ...(rows < fewest ? [] : [{ value: "umap", label: "UMAP" } as const]),
        ]}
      />
      <label className="inline-flex shrink-0 items-center gap-2 text-12 text-fg-2 @max-[460px]/results:min-w-0 @max-[460px]/results:grow @max-[460px]/results:basis-24">
        <span className="@max-[460px]/results:sr-only">Color by</span>
        <NativeSelect
          size="sm"
          className="w-24 @max-[460px]/results:w-full"
          value={by}
          onChange={(event) => onPaint(event.target.value as PaintBy)}
        >
          {offered.map((value) => (
            <option key={value} value={value}>
              {columnOf(value) ?? value}
            </option>
          ))}
        </NativeSelect>
      </label>
      {by === "cluster" && (
        <NativeSelect
          size="sm"
          aria-label="How many clusters"
          className="w-30 @max-[460px]/results:min-w-0 @max-[460px]/results:grow @max-[460px]/results:basis-32"
          value={clusters ?? ""}
          onChange={(event) => onClusters(event.target.value === "" ? null : Number(event.target.value))}
        >
          <option value="">best fit{best !== null && `, k ${best}`}</option>
          {clusterCounts.map((value) => (
            <option key={value} value={value}>
              k {value}
            </option>
          ))}
        </NativeSelect>
      )}
      {/* groups by likeness are on the map and in the list beside it */}
      {by !== "cluster" &&
        (legend ? <MapLegend legend={legend} /> : <span className="grow text-12 text-fg-3">Choose a point first</span>)}
      <span className="ml-auto flex shrink-0 items-center gap-1 @max-[460px]/results:absolute @max-[460px]/results:top-full @max-[460px]/results:right-2 @max-[460px]/results:z-1">
        <span className="contents @max-[460px]/results:hidden">{filter}</span>
        <Button
          size="sm"
          variant={picking ? "default" : "quiet"}
          aria-pressed={picking}
          {...tip("Draw a line around points")}
          onClick={onPicking}
        >
          Pick points
        </Button>
        <Button
          size="sm"
          variant="quiet"
          aria-expanded={panel}
          {...tip(`Neighbors, groups, and how far to trust the picture. Seed ${seed}`)}
          className="@max-[720px]/results:hidden"
          onClick={onPanel}
        >
          {panel ? "Hide details" : "Details"}
        </Button>
      </span>
    </div>
  );
}
