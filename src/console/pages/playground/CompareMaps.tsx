import { useCallback, useMemo } from "react";
import { formatPercent } from "../../format.ts";
import { dimensionLabel } from "./dimension-labels.ts";
import { drawMap } from "./map-drawing.ts";
import { type Paint, paintOf, resolved } from "./map-paint.ts";
import { positionsOf, unmoved } from "./map-positions.ts";
import type { Run } from "./playground.ts";
import type { Comparison, Points, VectorSlice } from "../../vectors/protocol.ts";
import type { VectorWorker } from "../../vectors/vector-worker.ts";
import { groupsOf } from "./rows.ts";
import { sampleMessage } from "./sample-messages.ts";
import { useAnswer } from "./use-answer.ts";
import { useThemeTurn } from "./use-theme-turn.ts";

const size = { width: 240, height: 200 };

interface CompareMapsProps {
  worker: VectorWorker;
  found: readonly Comparison[];
  runs: readonly Run[];
  slices: readonly VectorSlice[];
}

/** Each run's picture, turned and scaled onto the first's, so that a group that moved is seen to have moved. */
export function CompareMaps({ worker, found, runs, slices }: CompareMapsProps) {
  const shown = runs[0]?.shown;
  const labels = useMemo(() => groupsOf(shown ?? []), [shown]);
  const [slice] = slices;
  const asked = labels.length === 0 && slice ? { ...slice, seed: 8, count: null } : null;
  const clusters = useAnswer(worker, "clusters", asked).data ?? null;
  // all have the same rows: in one paint a row is recognized from one map to the next
  const paint = useMemo(
    () =>
      paintOf(labels.length > 0 ? "label" : "cluster", shown ?? [], labels, { scores: null, selected: null, clusters }),
    [shown, labels, clusters],
  );
  return (
    <section aria-label="Maps aligned to the first">
      <h2 className="text-15">Maps aligned to the first</h2>
      <p className="pt-0.5 pb-2 text-12 text-fg-2">
        {labels.length > 0
          ? "The colors are the rows’ labels."
          : `The colors are run ${runs[0]?.id}’s groups: where they mix, the other run sees other groups.`}
      </p>
      <div className="flex flex-wrap gap-5">
        {found.map(({ run: id, points, overlap, ...from }) => {
          const run = runs.find((one) => one.id === id);
          return (
            run && (
              <figure key={id} className="w-60">
                <SmallMap paint={paint} points={points} />
                <figcaption className="pt-1 text-12 text-fg-2">
                  Run {id},{" "}
                  {dimensionLabel(
                    run,
                    slices.find((slice) => slice.run === id),
                  )}
                  :{" "}
                  {id === found[0]?.run
                    ? "reference"
                    : `${formatPercent(overlap)} same neighbors ${sampleMessage(from)}`}
                </figcaption>
              </figure>
            )
          );
        })}
      </div>
    </section>
  );
}

function SmallMap({ paint, points }: { paint: Paint; points: Points }) {
  const drawn = useCallback(
    (canvas: HTMLCanvasElement | null) => {
      if (!canvas) return;
      const context = canvas.getContext("2d");
      canvas.width = size.width * devicePixelRatio;
      canvas.height = size.height * devicePixelRatio;
      if (context)
        drawMap(context, {
          ...size,
          ...positionsOf(points, size, unmoved),
          ratio: devicePixelRatio,
          rows: points.rows,
          paint,
          colours: resolved(canvas, paint),
          selected: -1,
          near: [],
          hits: [],
          picked: null,
          numberOf: () => 0,
          textOf: () => "",
          titles: [],
          outline: [],
          sprites: null,
          side: 0,
        });
    },
    [points, paint],
  );
  return <canvas key={useThemeTurn()} ref={drawn} aria-hidden="true" style={size} className="border border-line" />;
}
