import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { Points, VectorSlice } from "../../vectors/protocol.ts";
import type { VectorWorker } from "../../vectors/vector-worker.ts";

interface Drawn {
  of: string;
  points: Points;
  /** how far the drawing has come, 0 to 1 */
  share: number;
}

export interface Umap {
  points: Points | null;
  /** null: nothing is being drawn */
  share: number | null;
  trouble: string | null;
  draw: () => void;
  stop: () => void;
}

/**
 * A UMAP picture of a run, made when asked for and shown as it grows.
 * @param of says which vectors it is of
 * @param isWanted true: it is made unasked
 */
export function useUmap(
  worker: VectorWorker,
  slice: VectorSlice & { seed: number },
  of: string,
  isWanted: boolean,
): Umap {
  const [drawn, setDrawn] = useState<Drawn | null>(null);
  const [under, setUnder] = useState<string | null>(null);
  const [trouble, setTrouble] = useState<string | null>(null);
  const turn = useRef(0);
  const stop = () => {
    turn.current += 1;
    setUnder(null);
    void worker.ask("stopDrawing", null);
  };
  useEffect(
    () => () => {
      turn.current += 1;
      void worker.ask("stopDrawing", null);
    },
    [worker],
  );

  async function start() {
    if (under === of || (drawn?.of === of && drawn.share === 1)) return;
    turn.current += 1;
    const own = turn.current;
    setTrouble(null);
    setUnder(of);
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    try {
      const done = await worker.ask("umap", slice, {
        onDrawing: (points, share) =>
          turn.current === own && setDrawn((last) => ({ of, share, points: still ? shownOf(last, of) : points })),
      });
      if (turn.current === own) setDrawn({ of, points: done, share: 1 });
    } catch (error) {
      if (turn.current === own) setTrouble(error instanceof Error ? error.message : "The map could not be drawn.");
    }
    if (turn.current === own) setUnder(null);
  }
  const draw = useEffectEvent(() => void start());
  useEffect(() => {
    if (isWanted) draw();
  }, [isWanted, of]);
  return {
    // of reduced motion only the finished picture is shown; its share grows all the same
    points: drawn?.of === of && drawn.points.rows.length > 0 ? drawn.points : null,
    share: under === of ? (drawn?.of === of ? drawn.share : 0) : null,
    trouble,
    draw: () => void start(),
    stop,
  };
}

function shownOf(last: Drawn | null, of: string): Points {
  return last?.of === of ? last.points : { rows: new Int32Array(), points: new Float32Array() };
}
