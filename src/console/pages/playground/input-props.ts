import type { ModelRecord } from "#contract/models.ts";
import type { PlaygroundSearch } from "./settings.ts";
import type { Playground } from "./use-playground.ts";

/** What the panes of the input are given. */
export interface InputProps {
  playground: Playground;
  model: ModelRecord | undefined;
  search: PlaygroundSearch;
  set: (next: Partial<PlaygroundSearch>) => void;
  workspaceId: string | undefined;
}
