import { useMemo } from "react";
import { useStore } from "../../api/store.ts";
import { drawnAt, type Question, type Run, type State } from "./playground.ts";
import type { Ranked } from "../../vectors/protocol.ts";
import { useAnswer } from "./use-answer.ts";
import type { Playground } from "./use-playground.ts";

/** All rows that have a vector by their cosine with the question, the nearest first. */
export interface Hits extends Ranked {
  /** by the row's place in the run; not a number where a row has no vector */
  byRow: Float32Array;
}

/** The question that was asked of a run, however far its call has come. */
export function questionOf({ question }: Pick<State, "question">, run: Run | undefined): Question | undefined {
  return question !== null && question.run === run?.id ? question : undefined;
}

/** What answers the question that was asked of a run; null as long as there is none, or no vector of it. */
export function useHits({ store, worker }: Playground, run: Run | undefined): Hits | null {
  const state = useStore(store);
  const question = questionOf(state, run);
  const asked = run && question && question.progress.done === 1 && run.progress.done > 0;
  const ranked = useAnswer(
    worker,
    "against",
    asked ? { run: run.id, used: state.used, by: { run: question.aside, row: 0 } } : null,
    run && drawnAt(run),
  ).data;
  const rows = run?.shown.length ?? 0;
  return useMemo(() => {
    if (!ranked) return null;
    const byRow = new Float32Array(rows).fill(Number.NaN);
    ranked.rows.forEach((row, at) => (byRow[row] = ranked.scores[at] ?? Number.NaN));
    return { ...ranked, byRow };
  }, [ranked, rows]);
}
