import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { listEmbeddingModels } from "#contract/embeddings.ts";
import { useReachable } from "../../api/connectivity.ts";
import { query } from "../../api/query.ts";
import { useStore } from "../../api/store.ts";
import { everyWorkspace } from "../../api/workspaces.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { estimateRun } from "./estimate.ts";
import { usePlaygroundKey } from "../../shell/playground-key.ts";
import { roomFor } from "./memory.ts";
import { defaultModel, isUnpriced } from "./models.ts";
import { currentRun, inputOf, underWay, type PlaygroundStore } from "./playground.ts";
import type { PlaygroundSearch } from "./settings.ts";
import { whyNotRun } from "./why-not-run.ts";

/** What costs more than this is asked about first unless another sum is set, in USD. */
const usualCeiling = 1;

/** What would run now: with which model, of which rows, for how much; and why nothing would, if so. */
export function useNextRun(store: PlaygroundStore, search: PlaygroundSearch) {
  const state = useStore(store);
  const { mode, text, rows, blocks, runs, prefixes, question } = state;
  const { record } = useWorkspace();
  const workspaces = useQuery(everyWorkspace);
  const workspaceId = (record ?? workspaces.data?.find(({ is_default }) => is_default))?.id;
  const models = useQuery(query(listEmbeddingModels, {}));
  const list = useMemo(() => models.data?.data ?? [], [models.data]);
  const chosen = search.model ?? defaultModel(list, mode);
  const model = list.find(({ id }) => id === chosen);
  const settings = useMemo(() => ({ ...search, ...prefixes }), [search, prefixes]);
  const { items } = useMemo(
    () => inputOf({ mode, text, rows, blocks }, settings),
    [mode, text, rows, blocks, settings],
  );
  const estimate = useMemo(() => estimateRun(items, model), [items, model]);
  const dimensions = search.dimensions ?? model?.dimensions?.default;
  const room = dimensions === undefined ? null : roomFor(items.length, dimensions, runs);
  const busy = runs.find(({ progress }) => underWay(progress));
  const { reachable } = useReachable();
  const run = currentRun(state);
  // what the key has left is another sum once something was paid with it
  const key = usePlaygroundKey(
    workspaceId,
    `${run?.id} ${run?.progress.state} ${question?.aside} ${question?.progress.state}`,
  );
  // a key that is not there yet is made with a limit
  const unpriced = model !== undefined && isUnpriced(model) && (key === undefined || key.limit !== null);
  const refused = whyNotRun({
    items: items.length,
    reading: state.reading,
    chosen,
    models,
    knowsWorkspace: workspaceId !== undefined,
    reachable,
    busy: busy !== undefined,
    images: estimate.images,
    model,
    room,
    unpriced,
  });
  return {
    workspaceId,
    models,
    list,
    chosen,
    model,
    settings,
    rows: items.length,
    estimate,
    ceiling: search.ceiling ?? usualCeiling,
    /** USD that the playground's key may still spend; null: as much as it wants, or not known */
    left: key?.limit_remaining ?? null,
    room,
    busy,
    refused,
    unpriced,
  };
}
