import { queryOptions } from "@tanstack/react-query";
import { listKeys } from "#contract/keys.ts";
import type { KeySort, KeyStatus } from "#contract/keys.ts";
import { query } from "../../api/query.ts";
import { allWorkspaces } from "../../paths.ts";

interface Wanted {
  workspaceId: string | undefined;
  sort: KeySort;
  order: "asc" | "desc";
  status?: KeyStatus;
  every: number | false;
}

/** The most that one page of the list endpoint holds. */
export const keysRead = 100;

/** The first page of the keys in some order, renewed by itself. */
export function keysBy({ workspaceId, sort, order, status, every }: Wanted) {
  return queryOptions({
    ...query(listKeys, {
      query: {
        workspace_id: workspaceId ?? allWorkspaces,
        sort,
        order,
        limit: String(keysRead),
        include_disabled: "true",
        ...(status !== undefined && { status }),
      },
    }),
    enabled: workspaceId !== undefined,
    refetchInterval: every,
  });
}

/** The keys that spent most, as the chart and the table under it show them. */
export const biggestSpenders = (workspaceId: string | undefined, every: number | false) =>
  keysBy({ workspaceId, sort: "usage", order: "desc", every });
