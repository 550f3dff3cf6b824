import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import type { WorkspaceRecord } from "#contract/workspaces.ts";
import { everyWorkspace } from "../api/workspaces.ts";
import { allWorkspaces } from "../paths.ts";

export interface CurrentWorkspace {
  /** as written in the address, for making other addresses */
  path: string;
  /** what endpoints take as `workspace_id`; undefined until the workspaces are known, and where none has this slug */
  id: string | undefined;
  /** undefined for all workspaces together */
  record: WorkspaceRecord | undefined;
  name: string;
  /** true once it is certain that no workspace has this slug or id */
  unknown: boolean;
}

/** The workspace that the address names. */
export function useWorkspace(): CurrentWorkspace {
  const { workspace: path = allWorkspaces } = useParams({ strict: false });
  const list = useQuery(everyWorkspace);
  if (path === allWorkspaces)
    return { path, id: allWorkspaces, record: undefined, name: "All workspaces", unknown: false };
  const record = list.data?.find((workspace) => workspace.slug === path || workspace.id === path);
  return { path, id: record?.id, record, name: record?.name ?? path, unknown: list.isSuccess && record === undefined };
}
