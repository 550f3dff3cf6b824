import { keepPreviousData, useQuery, type UseQueryResult } from "@tanstack/react-query";
import { countGenerations, type CallCounts } from "#contract/call-counts.ts";
import { query } from "../../api/query.ts";
import { callsQuery } from "./call-pages.ts";
import type { CallsSearch } from "./search.ts";

/** While new calls are followed, for those that were refused: the others are counted as they come. */
const countEveryMs = 10_000;

/** The counts of all calls that the filters find. */
export function useCallCounts(
  search: CallsSearch,
  workspaceId: string | undefined,
  live: boolean,
): UseQueryResult<CallCounts> {
  return useQuery({
    ...query(countGenerations, { query: callsQuery(search, workspaceId) }),
    enabled: workspaceId !== undefined,
    placeholderData: keepPreviousData,
    // with the list below it, which is read again on request alone
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: live && countEveryMs,
    refetchOnMount: "always",
    refetchOnWindowFocus: false,
  });
}
