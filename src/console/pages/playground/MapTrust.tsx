import { useMemo, useState } from "react";
import { formatCount, formatPercent } from "../../format.ts";
import { Button } from "../../ui/Button.tsx";
import { Meter } from "../../ui/Meter.tsx";
import { nearInPicture } from "./map-positions.ts";
import { countPlaces } from "../../vectors/plane.ts";
import type { Points, VectorSlice } from "../../vectors/protocol.ts";
import type { VectorWorker } from "../../vectors/vector-worker.ts";

interface MapTrustProps {
  worker: VectorWorker;
  slice: VectorSlice;
  points: Points;
  /** the shares of the variance of a picture by principal components; null for another one */
  explained: readonly number[] | null;
  /** false: those shares are the least that there is, found before the search was over */
  settled: boolean;
  selected: number | null;
  near: readonly number[];
  /** how far a drawing under way has come */
  drawing: number | null;
  trouble: string | null;
  onStop: () => void;
}

/** What a picture in the plane leaves out: said in numbers, at its side. */
export function MapTrust({
  worker,
  slice,
  points,
  explained,
  settled,
  selected,
  near,
  drawing,
  trouble,
  onStop,
}: MapTrustProps) {
  const [trust, setTrust] = useState<{ of: Points; value: number; k: number; among: number } | null>(null);
  const dots = useMemo(() => countPlaces(points.points), [points]);
  const shown = (explained?.[0] ?? 0) + (explained?.[1] ?? 0);
  const most = Math.max(...(explained ?? []), 1e-9);
  const own = selected === null ? -1 : points.rows.indexOf(selected);
  const positions = near.map((row) => points.rows.indexOf(row)).filter((at) => at !== -1);
  async function measure() {
    const found = await worker.ask("trust", { ...slice, points: { rows: points.rows, points: points.points } });
    setTrust({ of: points, ...found });
  }
  return (
    <div className="mt-auto border-t border-line pt-3 text-12 text-fg-2">
      {explained && (
        <p className="flex items-end gap-3 pb-2">
          <svg width={explained.length * 4 + 2} height="28" aria-hidden="true">
            {explained.map((share, index) => (
              <path
                key={index}
                d={`M${index * 4 + 1} 28v${-Math.max(1, (share / most) * 27)}`}
                strokeWidth="2"
                className={index < 2 ? "stroke-accent" : "stroke-tick"}
              />
            ))}
          </svg>
          <span className="text-14 font-semibold text-fg-1 tabular-nums">
            {!settled && "≥ "}
            {formatPercent(shown)}
          </span>
        </p>
      )}
      <p role="status">
        {explained
          ? `of the variance is shown.${settled ? "" : " The search for the widest directions ended early: others may show a little more."}`
          : drawing === null
            ? "UMAP keeps neighbors together; distances between groups mean little."
            : `UMAP, ${formatPercent(drawing)} drawn.`}{" "}
        {trouble}
      </p>
      {dots < points.rows.length && (
        <p>
          {formatCount(points.rows.length)} rows, {formatCount(dots)} {dots === 1 ? "dot" : "dots"}: some rows lie
          exactly on one another.
        </p>
      )}
      {own !== -1 && positions.length > 0 && (
        <p>
          Of the {positions.length} true neighbors, {nearInPicture(points.points, own, positions)} also among the{" "}
          {positions.length} nearest here.
        </p>
      )}
      {drawing !== null && (
        <p className="flex items-center gap-3 pt-2">
          <Meter fraction={drawing} tone="accent" bars={24} label="Share of the map drawn" />
          <Button size="sm" onClick={onStop}>
            Stop
          </Button>
        </p>
      )}
      {trust?.of === points ? (
        <p>
          Trust {trust.value.toFixed(2)} of 1
          {trust.among < points.rows.length &&
            `, among ${formatCount(trust.among)} of the ${formatCount(points.rows.length)} rows`}
          : how many of each row’s {trust.k === 1 ? "nearest neighbors here" : `${trust.k} nearest neighbors here`} are
          true neighbors, weighted by how wrong the others are.
        </p>
      ) : (
        drawing === null && (
          <Button size="sm" className="mt-2" onClick={() => void measure()}>
            How far to trust it
          </Button>
        )
      )}
    </div>
  );
}
