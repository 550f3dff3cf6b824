import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import type { WorkspaceRecord } from "#contract/workspaces.ts";
import { everyWorkspace, formerWorkspace } from "../api/workspaces.ts";
import { allWorkspaces, workspaceInPath } from "../paths.ts";

export interface CurrentWorkspace {
  /** for making other addresses: as written in this one, or the slug that it has by now */
  path: string;
  /** what endpoints take as `workspace_id`; undefined until the workspaces are known, and where none had this slug */
  id: string | undefined;
  /** as it was last read; undefined for all workspaces together */
  record: WorkspaceRecord | undefined;
  name: string;
  /** it was there when this page began, and is no more */
  deleted: boolean;
  /** true once it is certain that no workspace has this slug or id */
  unknown: boolean;
}

/** A workspace by its id, for an object that may be of another workspace than the address. One that was deleted has no path. */
export function useWorkspaceOf(id: string): { name: string; path: string | undefined } {
  const { data } = useQuery(everyWorkspace);
  const record = data?.find((workspace) => workspace.id === id);
  if (record) return { name: record.name, path: workspaceInPath(record) };
  return { name: `${data === undefined ? "workspace" : "a deleted workspace,"} ${id.slice(0, 8)}…`, path: undefined };
}

/** The workspace that the address names. */
export function useWorkspace(): CurrentWorkspace {
  const { workspace: path = allWorkspaces } = useParams({ strict: false });
  const list = useQuery(everyWorkspace);
  if (path === allWorkspaces)
    return { path, id: allWorkspaces, record: undefined, name: "All workspaces", deleted: false, unknown: false };
  const named = namedBy(path, list.data);
  const record = named ?? formerWorkspace(path);
  const current = named ?? namedBy(record?.id, list.data);
  return {
    path: named || !current ? path : workspaceInPath(current),
    id: record?.id,
    record: current ?? record,
    name: (current ?? record)?.name ?? path,
    deleted: record !== undefined && list.data !== undefined && !current,
    unknown: list.isSuccess && !record,
  };
}

/**
 * For what is made in the workspace that the address names: its id, waited for while the workspaces are still being
 * read, since without one the gateway takes the default workspace; undefined for all workspaces together. Rejects with
 * what kept the workspaces from being read.
 */
export function useWorkspaceId(): () => Promise<string | undefined> {
  const client = useQueryClient();
  const { workspace: path = allWorkspaces } = useParams({ strict: false });
  return async () =>
    path === allWorkspaces
      ? undefined
      : (namedBy(path, await client.ensureQueryData(everyWorkspace)) ?? formerWorkspace(path))?.id;
}

function namedBy(path: string | undefined, list: readonly WorkspaceRecord[] | undefined): WorkspaceRecord | undefined {
  return list?.find(({ slug, id }) => slug === path || id === path);
}
