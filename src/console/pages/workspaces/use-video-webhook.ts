import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { getVideoWebhook } from "#contract/video-webhooks.ts";
import { query } from "../../api/query.ts";
import { everyWorkspace, formerWorkspace } from "../../api/workspaces.ts";

/**
 * Where the workspace that an address names is told of its videos, and what it is called. `reference` is one for as long as
 * the address is: what is keyed by it, such as a new secret, stays when the list of workspaces comes late.
 */
export function useVideoWebhook(id: string) {
  const workspaces = useQuery(everyWorkspace);
  const [first, setFirst] = useState<{ id: string; reference: string }>();
  if (first?.id !== id && !workspaces.isPending) {
    const listed = workspaces.data?.find((one) => one.id === id || one.slug === id);
    // others may have given it another slug since
    setFirst({ id, reference: (listed ?? formerWorkspace(id))?.id ?? id });
  }
  const found = first?.id === id ? first.reference : undefined;
  const reference = found ?? id;
  const name = workspaces.data?.find((one) => one.id === reference)?.name ?? id;
  const webhook = useQuery({ ...query(getVideoWebhook, { params: { id: reference } }), enabled: found !== undefined });
  return { reference, name, webhook };
}
