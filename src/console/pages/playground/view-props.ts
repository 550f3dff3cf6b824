import type { Run } from "./playground.ts";
import type { PlaygroundSearch } from "./settings.ts";
import type { Hits } from "./use-hits.ts";
import type { Playground } from "./use-playground.ts";

/** What the views of a run are given. */
export interface ViewProps {
  playground: Playground;
  run: Run;
  /** what answers the question that was asked of the run; null: none was */
  hits: Hits | null;
  set: (next: Partial<PlaygroundSearch>) => void;
}
