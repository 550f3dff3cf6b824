import type { KeyRecord } from "#contract/keys.ts";
import { allWorkspaces } from "../paths.ts";

type Key = Pick<KeyRecord, "name" | "label" | "hash" | "workspace_id">;

/** @param wanted in lower case */
export function matches(key: Key, wanted: string): boolean {
  return (
    key.name.toLowerCase().includes(wanted) || key.label.toLowerCase().includes(wanted) || key.hash.startsWith(wanted)
  );
}

/** The keys whose name is what is wanted first, then those whose name begins with it. */
export function closestFirst<K extends Key>(keys: readonly K[], wanted: string): K[] {
  const distance = ({ name }: Key) => {
    const lower = name.toLowerCase();
    return lower === wanted ? 0 : lower.startsWith(wanted) ? 1 : 2;
  };
  return keys.toSorted((a, b) => distance(a) - distance(b));
}

/** @param workspaceId that of the address; undefined as long as it is not known */
export function isOfWorkspace(key: Key, workspaceId: string | undefined): boolean {
  return workspaceId === undefined || workspaceId === allWorkspaces || key.workspace_id === workspaceId;
}
