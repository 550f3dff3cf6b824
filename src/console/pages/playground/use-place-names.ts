import { useEffect, useMemo, useRef, useState } from "react";
import type { Points } from "../../vectors/protocol.ts";
import type { VectorWorker } from "../../vectors/vector-worker.ts";
import type { Title } from "./map-titles.ts";

const none: readonly Title[] = [];

/** Farther in, few rows are left in sight, and their texts say more. */
const mostLevel = 4;

/** Names of smaller places, as soon as the map is enlarged: more of them with each power of two. */
export function usePlaceNames(worker: VectorWorker, run: number, points: Points | null, level: number) {
  const known = useRef(new WeakMap<Points, Map<number, Promise<readonly Title[]>>>());
  const [found, setFound] = useState<{ of: Points; level: number; titles: readonly Title[] } | null>(null);
  const wanted = Math.min(level, mostLevel);
  useEffect(() => {
    if (!points || wanted === 0) return undefined;
    let left = false;
    const own = known.current.get(points) ?? new Map<number, Promise<readonly Title[]>>();
    known.current.set(points, own);
    const asked =
      own.get(wanted) ??
      worker
        .ask("places", { run, points: { rows: points.rows, points: points.points }, level: wanted })
        .then((places) => places.map(({ words, rows }) => ({ text: words.join(", "), rows, isPlace: true })))
        // the names of the groups are there without them
        .catch(() => none);
    own.set(wanted, asked);
    void asked.then((titles) => !left && setFound({ of: points, level: wanted, titles }));
    return () => {
      left = true;
    };
  }, [worker, run, points, wanted]);
  return useMemo(
    () => (found && found.of === points && found.level === wanted ? found.titles : none),
    [found, points, wanted],
  );
}
