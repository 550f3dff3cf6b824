import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { getBatch } from "#contract/batches.ts";
import { query } from "../../api/query.ts";
import { allWorkspaces } from "../../paths.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { watchEveryMs } from "./batch-pages.ts";
import { hasEnded } from "./status.ts";

/** The batch that the address names, with what its calls cost and without its results, and what names it to the gateway. */
export function useBatch() {
  const { id: workspaceId = "" } = useWorkspace();
  const { id = "" } = useParams({ strict: false });
  const input = { params: { id }, query: { workspace_id: workspaceId } };
  const found = useQuery({
    ...query(getBatch, { ...input, query: { ...input.query, include_results: "false" } }),
    enabled: workspaceId !== "" && workspaceId !== allWorkspaces,
    refetchInterval: ({ state: { data } }) => data !== undefined && !hasEnded(data) && watchEveryMs,
  });
  return { input, found };
}
