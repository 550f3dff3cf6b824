import type { ReactNode } from "react";
import { CopyButton } from "../../ui/CopyButton.tsx";
import { cx } from "../../ui/cx.ts";
import { tip } from "../../ui/Tooltip.tsx";
import type { NearestOfEach } from "../../vectors/protocol.ts";
import type { VectorWorker } from "../../vectors/vector-worker.ts";
import { drawnAt, underWay, type Run } from "./playground.ts";
import { useAnswer } from "./use-answer.ts";
import { amongRows } from "./view-sentences.ts";

interface ViewSentenceProps {
  /** null: it is not known yet; its place is kept, so that nothing moves when it comes */
  sentence: string | null;
  run?: Run;
  /** of how many rows it speaks, where not of all that have a vector */
  rows?: number;
  /** while there is no sentence: how far the work on it is */
  work?: ReactNode;
}

/** The row nearest to each, once a run is at rest: while it goes on, what it has is not worth the worker's time. */
export function useNearest(worker: VectorWorker, run: Run, used: number | null, isWanted: boolean) {
  const asked = isWanted && !underWay(run.progress) ? { run: run.id, used } : null;
  const answer = useAnswer(worker, "nearestOfEach", asked, drawnAt(run));
  const near: NearestOfEach | null = (asked && answer.data) ?? null;
  return { near, answer };
}

/**
 * What a view shows, in one sentence to take along. It is no live region: whoever changes what it is computed from hears
 * of that where they do so, and comes here to read.
 */
export function ViewSentence({ sentence, run, rows = run?.progress.done ?? 0, work }: ViewSentenceProps) {
  const said = sentence && `${run ? amongRows(sentence, rows, run.items.length) : sentence}.`;
  return (
    <div
      role="group"
      aria-label="In one sentence"
      className={cx(
        "flex min-h-8 shrink-0 items-center gap-2 border-b border-line px-(--pane-x)",
        // on a phone it takes two lines, whose place is kept; what the example's sentence says is known
        !run?.example && "@max-[460px]/results:min-h-11",
      )}
    >
      {said === null && work}
      {said !== null && (
        <>
          <p
            {...tip(said)}
            className="min-w-0 grow truncate leading-4.5 font-semibold tabular-nums @max-[460px]/results:line-clamp-2 @max-[460px]/results:whitespace-normal"
          >
            {said}
          </p>
          <CopyButton label="Copy the sentence" text={said} className="shrink-0" />
        </>
      )}
    </div>
  );
}
