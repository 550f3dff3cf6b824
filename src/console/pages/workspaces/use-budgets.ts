import { queryOptions, useQuery } from "@tanstack/react-query";
import { listWorkspaceBudgets } from "#contract/budgets.ts";
import type { Output } from "#contract/endpoint.ts";
import { callPath, callTagged } from "../../api/call.ts";
import { query, queryKey } from "../../api/query.ts";
import { everyWorkspace, formerWorkspace } from "../../api/workspaces.ts";

const refreshEveryMs = 30_000;

/** All budgets of a workspace, and whether its own provider keys count toward them. */
export type Budgets = Output<typeof listWorkspaceBudgets>;

/** The same for a form, with the version of all of them: each bounds the others. */
export function versionedBudgets(id: string) {
  const input = { params: { id } };
  return queryOptions({
    queryKey: [...queryKey(listWorkspaceBudgets, input), "version"],
    queryFn: async ({ signal }) => {
      const { answer, etag } = await callTagged(listWorkspaceBudgets, input, { signal });
      return { record: answer, etag };
    },
    staleTime: 0,
    gcTime: 0,
    refetchInterval: 15_000,
    meta: { path: callPath(listWorkspaceBudgets, input) },
  });
}

/** The budgets of the workspace that an address names, and what it is called. */
export function useBudgets(reference: string) {
  const workspaces = useQuery(everyWorkspace);
  const named = workspaces.data?.find((one) => one.id === reference || one.slug === reference);
  // others may have given it another slug since
  const renamed = workspaces.data && !named ? formerWorkspace(reference)?.id : undefined;
  const workspace = named ?? workspaces.data?.find((one) => one.id === renamed);
  const budgets = useQuery({
    ...query(listWorkspaceBudgets, { params: { id: renamed ?? reference } }),
    refetchInterval: refreshEveryMs,
  });
  return { workspace, budgets };
}
