import { infiniteQueryOptions, keepPreviousData } from "@tanstack/react-query";
import { listBatches } from "#contract/batches.ts";
import { call } from "../../api/call.ts";
import type { BatchesSearch } from "./search.ts";
import { hasEnded } from "./status.ts";

/** How often what is under way is read again. */
export const watchEveryMs = 5_000;
const pageSize = "50";

/** The batches of a workspace or of `all`, the newest first, page by page. */
export const batchesOf = (workspaceId: string, { status }: BatchesSearch) =>
  infiniteQueryOptions({
    queryKey: ["listBatches", workspaceId, status] as const,
    queryFn: ({ signal, pageParam: after }) =>
      call(listBatches, { query: { workspace_id: workspaceId, limit: pageSize, status, after } }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ has_more: more, last_id: last }) => (more ? (last ?? undefined) : undefined),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ data }) => data.some((one) => !hasEnded(one))) === true && watchEveryMs,
    meta: { path: `/batches?workspace_id=${workspaceId}` },
  });
