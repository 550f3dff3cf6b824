import { useQuery } from "@tanstack/react-query";
import { listWorkspaceBudgets } from "#contract/budgets.ts";
import { query } from "../../api/query.ts";
import { everyWorkspace, formerWorkspace } from "../../api/workspaces.ts";

const refreshEveryMs = 30_000;

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
