import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { everyWorkspace, formerWorkspace } from "../../api/workspaces.ts";

/**
 * The id of the workspace that the address named when it was opened, once the list of workspaces is read or has failed.
 * A slug is only where it begins: somebody else may give it to another workspace, and what was begun must not follow it
 * there. Nor does it begin anew when the list comes late.
 * @param reference the id or the slug in the address
 */
export function useFirstWorkspaceId(reference: string): string | undefined {
  const workspaces = useQuery(everyWorkspace);
  const [first, setFirst] = useState<{ reference: string; id: string }>();
  if (first?.reference !== reference && !workspaces.isPending) {
    const listed = workspaces.data?.find(({ slug }) => slug === reference) ?? formerWorkspace(reference);
    setFirst({ reference, id: listed?.id ?? reference });
  }
  return first?.reference === reference ? first.id : undefined;
}
