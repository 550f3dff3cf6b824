import { useQuery } from "@tanstack/react-query";
import { everyWorkspace, formerWorkspace } from "../../api/workspaces.ts";

/** A workspace's name by its id: an ellipsis while the list is read, the beginning of the id where it did not load. */
export function useWorkspaceName(id: string): string {
  const { data, isPending } = useQuery(everyWorkspace);
  if (isPending) return "…";
  return data?.find((workspace) => workspace.id === id)?.name ?? formerWorkspace(id)?.name ?? `${id.slice(0, 8)}…`;
}
