import { change, currentRun, foldInput, type PlaygroundStore, type Run, type State } from "./playground.ts";
import type { PlaygroundSearch } from "./settings.ts";

/** Windows in which the results come under the input. */
export const stackedPanes = "(width < 800px)";

/**
 * The example, where one text is to fall onto its map as a question does: a newcomer writes into the large box first.
 * Null where a person chose another model, another view or other settings, and wants that text's own vector.
 */
export function exampleToAsk(state: Pick<State, "mode" | "runs" | "current">, search: PlaygroundSearch): Run | null {
  const run = currentRun(state);
  if (state.mode !== "text" || !run?.example) return null;
  const { view, model, ...settings } = search;
  const isOwn = model !== undefined && model !== run.model;
  const isPlain = Object.values(settings).every((value) => value === undefined);
  return isPlain && !isOwn && (view === undefined || view === "map" || view === "list") ? run : null;
}

/** Folds the input where it has done what it is for; where the results are under it, they come into sight. */
export function showResults(store: PlaygroundStore): void {
  if (!matchMedia(stackedPanes).matches) return foldInput(store);
  change(store, { inputHidden: true });
  requestAnimationFrame(() =>
    document.querySelector('section[aria-label="Results"]')?.scrollIntoView({ block: "start" }),
  );
  return undefined;
}
