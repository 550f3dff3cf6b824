import { useQuery } from "@tanstack/react-query";
import { listWorkspaceBudgets } from "#contract/budgets.ts";
import { query } from "../../api/query.ts";
import { everyWorkspace } from "../../api/workspaces.ts";

const refreshEveryMs = 30_000;

/** The budgets of the workspace that an address names, and what it is called. */
export function useBudgets(reference: string) {
  const workspaces = useQuery(everyWorkspace);
  const workspace = workspaces.data?.find((one) => one.id === reference || one.slug === reference);
  const budgets = useQuery({
    ...query(listWorkspaceBudgets, { params: { id: reference } }),
    refetchInterval: refreshEveryMs,
  });
  return { workspace, budgets };
}
