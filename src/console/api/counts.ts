import { getCounts } from "#contract/counts.ts";
import { query } from "./query.ts";
import { queryOptions } from "@tanstack/react-query";

/** What the sidebar counts, as often as the lists next to it. The overview's figures share the read. */
export const countsIn = (workspaceId: string | undefined) =>
  queryOptions({
    ...query(getCounts, { query: { workspace_id: workspaceId ?? "all" } }),
    enabled: workspaceId !== undefined,
    refetchInterval: 30_000,
  });
