import { useQuery } from "@tanstack/react-query";
import { everyWorkspace } from "../../api/workspaces.ts";

/** A workspace's name by its id; the beginning of the id where the list did not load. */
export function useWorkspaceName(id: string): string {
  const { data } = useQuery(everyWorkspace);
  return data?.find((workspace) => workspace.id === id)?.name ?? `${id.slice(0, 8)}…`;
}
