import { useEffect, useMemo, useRef } from "react";
import { formatPercent } from "../../format.ts";
import { dimensionWords } from "./dimension-words.ts";
import { drawMap } from "./map-drawing.ts";
import { paintOf, resolved } from "./map-paint.ts";
import { placesOf, unmoved } from "./map-places.ts";
import type { Run } from "./playground.ts";
import type { Comparison, Look, Points } from "./protocol.ts";
import { groupsOf } from "./rows.ts";
import { useThemeTurn } from "./use-theme-turn.ts";

const size = { width: 240, height: 200 };

interface CompareMapsProps {
  found: readonly Comparison[];
  runs: readonly Run[];
  looks: readonly Look[];
}

/** Each run's picture, turned and scaled onto the first's, so that a group that moved is seen to have moved. */
export function CompareMaps({ found, runs, looks }: CompareMapsProps) {
  return (
    <section aria-label="Maps laid onto the first">
      <h2 className="pb-2 text-15">Maps laid onto the first</h2>
      <div className="flex flex-wrap gap-5">
        {found.map(({ run: id, points, overlap }) => {
          const run = runs.find((one) => one.id === id);
          return (
            run && (
              <figure key={id}>
                <SmallMap run={run} points={points} />
                <figcaption className="pt-1 text-12 text-fg-2">
                  Run {id},{" "}
                  {dimensionWords(
                    run,
                    looks.find((look) => look.run === id),
                  )}
                  : {formatPercent(overlap)} same neighbours
                </figcaption>
              </figure>
            )
          );
        })}
      </div>
    </section>
  );
}

function SmallMap({ run, points }: { run: Run; points: Points }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const turn = useThemeTurn();
  const paint = useMemo(
    () => paintOf("label", run.shown, groupsOf(run.shown), { scores: null, selected: null, clusters: null }),
    [run.shown],
  );
  useEffect(() => {
    const element = canvas.current;
    const context = element?.getContext("2d");
    if (!element || !context) return;
    element.width = size.width * devicePixelRatio;
    element.height = size.height * devicePixelRatio;
    drawMap(context, {
      ...size,
      ...placesOf(points, size, unmoved),
      ratio: devicePixelRatio,
      rows: points.rows,
      paint,
      colours: resolved(element, paint),
      selected: -1,
      near: [],
      picked: null,
      numberOf: () => 0,
      outline: [],
    });
  }, [points, paint, turn]);
  return <canvas ref={canvas} aria-hidden="true" style={size} className="border border-line" />;
}
