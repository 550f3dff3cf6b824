import { queryOptions } from "@tanstack/react-query";
import { listWorkspaces, type WorkspaceRecord } from "#contract/workspaces.ts";
import { call } from "./call.ts";
import { session } from "./session.ts";

const pageSize = 100;
/** Workspaces are made by hand; a thousand is more than a switcher can be used with. */
const most = 1_000;

const former = new Map<string, WorkspaceRecord>();
session.watch(() => {
  if (session.get().state === "signed-out") former.clear();
});

/** The workspace that had this slug or id when the list was read before: it may have another slug now, or be deleted. */
export function formerWorkspace(reference: string): WorkspaceRecord | undefined {
  return former.get(reference);
}

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
    for (const row of rows) former.set(row.slug, row).set(row.id, row);
    return rows;
  },
});
