import { queryOptions } from "@tanstack/react-query";
import { listWorkspaces, type WorkspaceRecord } from "#contract/workspaces.ts";
import { call } from "./call.ts";
import { readByOffset } from "./read-pages.ts";
import { session } from "./session.ts";

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
    const { rows } = await readByOffset((at) => call(listWorkspaces, { query: at }, { signal }), most);
    for (const row of rows) former.set(row.slug, row).set(row.id, row);
    return rows;
  },
});
