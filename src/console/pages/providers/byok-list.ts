import { listByokKeys, type ByokRecord } from "#contract/byok.ts";
import { query } from "../../api/query.ts";
import { allWorkspaces } from "../../paths.ts";

export type ByokList = ReturnType<typeof byokList>;

/** The keys that a workspace, or all of them, bring for a provider. */
export function byokList(provider: string, workspaceId: string | undefined) {
  return query(listByokKeys, {
    query: { provider, limit: "100", ...(workspaceId === allWorkspaces ? {} : { workspace_id: workspaceId }) },
  });
}

/** A workspace's keys in the order in which they are tried. */
export const inOrder = (keys: readonly ByokRecord[]) => keys.toSorted((a, b) => a.sort_order - b.sort_order);
