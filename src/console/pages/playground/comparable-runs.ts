import type { Run } from "./playground.ts";

export function sameTexts(a: Run, b: Run): boolean {
  return a.shown.length === b.shown.length && a.shown.every(({ text }, place) => text === b.shown[place]?.text);
}

/**
 * What a comparison opens with: the two latest runs of the same texts that have vectors, the earlier first, so that the
 * later is held against it. One that was chosen already stays, and gets the latest that fits it.
 *
 * @param runs the latest first
 */
export function comparableRuns(runs: readonly Run[], chosen: readonly number[]): readonly number[] {
  if (chosen.length > 1) return chosen;
  const usable = runs.filter(({ progress }) => progress.done > 0);
  for (const later of chosen.length === 1 ? usable.filter(({ id }) => id === chosen[0]) : usable) {
    const other = usable.find((run) => run.id !== later.id && sameTexts(run, later));
    if (other) return [later.id, other.id].toSorted((a, b) => a - b);
  }
  return chosen;
}
