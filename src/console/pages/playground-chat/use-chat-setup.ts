import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { getKey } from "#contract/keys.ts";
import { listModels } from "#contract/models.ts";
import { useReachable } from "../../api/connectivity.ts";
import { everyPreset } from "../../api/presets.ts";
import { query } from "../../api/query.ts";
import { useStore } from "../../api/store.ts";
import { everyWorkspace } from "../../api/workspaces.ts";
import { usePlaygroundKey } from "../../shell/playground-key.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import type { Chat, Lane } from "./chat.ts";
import { laneOptions, modelOf, unpricedWords, whyNotSend } from "./lanes.ts";
import { parametersOf, readExtra } from "./parameters.ts";
import type { ChatSearch } from "./search.ts";

/** What would be sent as the page is now, to which models, as which key, and why not. */
export function useChatSetup(chat: Chat, search: ChatSearch) {
  const state = useStore(chat.store);
  const { record } = useWorkspace();
  const workspaces = useQuery(everyWorkspace);
  const workspaceId = (record ?? workspaces.data?.find(({ is_default }) => is_default))?.id;
  const models = useQuery(query(listModels, { query: {} }));
  const presets = useQuery({ ...everyPreset(workspaceId ?? ""), enabled: workspaceId !== undefined });
  const called = useQuery({
    ...query(getKey, { params: { hash: search.key ?? "" } }),
    enabled: search.key !== undefined,
  });
  // what the key has left is another sum once something was paid with it
  const own = usePlaygroundKey(workspaceId, String(state.spent));
  const { reachable } = useReachable();
  const list = useMemo(() => models.data?.data ?? [], [models.data]);
  const saved = useMemo(() => presets.data?.rows ?? [], [presets.data]);
  const options = useMemo(() => laneOptions(list, saved), [list, saved]);
  const first = search.model ?? list[0]?.id;
  const chosen = useMemo(() => [first, ...(search.with === undefined ? [] : [search.with])], [first, search.with]);
  const recordOf = useCallback((id: string) => modelOf(id, list, saved), [list, saved]);
  const records = useMemo(() => chosen.map((id) => (id === undefined ? undefined : recordOf(id))), [chosen, recordOf]);
  const extra = useMemo(() => readExtra(state.extra), [state.extra]);
  const key = search.key === undefined ? own : called.data?.data;
  const isListed = search.key === undefined || called.data !== undefined;
  const lanes = useMemo(
    () =>
      chosen.flatMap((model, lane): Lane[] => {
        const more = { ...parametersOf(search, records[lane]), ...(typeof extra === "string" ? {} : extra) };
        return model === undefined ? [] : [{ model, more }];
      }),
    [chosen, records, search, extra],
  );
  const ready = {
    busy: state.busy > 0,
    models: chosen,
    knowsWorkspace: workspaceId !== undefined,
    reachable,
    extra: typeof extra === "string" ? extra : null,
  };
  return {
    state,
    workspaceId,
    models,
    options,
    chosen,
    records,
    recordOf,
    lanes,
    key,
    /** null: the playground's own key, which may have to be made first */
    keyHash: search.key,
    unpriced: [...new Set(records)].flatMap((model) => {
      const words = isListed ? unpricedWords(model, key) : null;
      return model === undefined || words === null ? [] : [{ id: model.id, words }];
    }),
    isEmpty: models.isSuccess && options.length === 0,
    refused: whyNotSend({ ...ready, written: state.draft.trim() !== "" || state.images.length > 0 }),
    /** the same for a turn that is there already */
    refusedAgain: whyNotSend({ ...ready, written: true }),
  };
}
export type ChatSetup = ReturnType<typeof useChatSetup>;
