import { queryOptions } from "@tanstack/react-query";
import { getAttention } from "#contract/attention.ts";
import { query } from "../../api/query.ts";
import { allWorkspaces } from "../../paths.ts";

/** What needs attention, renewed by itself. The list and the figures above it share one read. */
export function attentionIn(workspaceId: string | undefined, every: number | false) {
  return queryOptions({
    ...query(getAttention, { query: { workspace_id: workspaceId ?? allWorkspaces } }),
    enabled: workspaceId !== undefined,
    refetchInterval: every,
  });
}
