import { queryOptions } from "@tanstack/react-query";
import { listWorkspaces, type WorkspaceRecord } from "#contract/workspaces.ts";
import { call } from "./call.ts";

const pageSize = 100;
/** Workspaces are made by hand; a thousand is more than a switcher can be used with. */
const most = 1_000;

/** Every workspace, read page by page. */
export const everyWorkspace = queryOptions({
  queryKey: [listWorkspaces.name, "every"],
  queryFn: async ({ signal }): Promise<readonly WorkspaceRecord[]> => {
    const rows: WorkspaceRecord[] = [];
    for (let total = 1; rows.length < Math.min(total, most);) {
      const page = await call(
        listWorkspaces,
        { query: { limit: String(pageSize), offset: String(rows.length) } },
        { signal },
      );
      if (page.data.length === 0) break;
      rows.push(...page.data);
      total = page.total_count;
    }
    return rows;
  },
});
