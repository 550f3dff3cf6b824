import { useQuery } from "@tanstack/react-query";
import { getVideoWebhook } from "#contract/video-webhooks.ts";
import { query } from "../../api/query.ts";
import { everyWorkspace, formerWorkspace } from "../../api/workspaces.ts";

/** Where the workspace that an address names is told of its videos, and what it is called. */
export function useVideoWebhook(id: string) {
  const workspaces = useQuery(everyWorkspace);
  const known = workspaces.data?.find((one) => one.id === id || one.slug === id);
  // others may have given it another slug since
  const reference = known?.id ?? (workspaces.data && formerWorkspace(id)?.id) ?? id;
  const name = known?.name ?? workspaces.data?.find((one) => one.id === reference)?.name ?? id;
  const webhook = useQuery(query(getVideoWebhook, { params: { id: reference } }));
  return { reference, name, webhook };
}
