import { useQuery } from "@tanstack/react-query";
import { getVideoWebhook } from "#contract/video-webhooks.ts";
import { query } from "../../api/query.ts";
import { everyWorkspace } from "../../api/workspaces.ts";
import { useFirstWorkspaceId } from "./use-first-workspace-id.ts";

/**
 * Where the workspace that an address names is told of its videos, and what it is called. `reference` is one for as long as
 * the address is, so what is keyed by it, such as a new secret, stays.
 */
export function useVideoWebhook(id: string) {
  const workspaces = useQuery(everyWorkspace);
  const found = useFirstWorkspaceId(id);
  const reference = found ?? id;
  const name = workspaces.data?.find((one) => one.id === reference)?.name ?? id;
  const webhook = useQuery({ ...query(getVideoWebhook, { params: { id: reference } }), enabled: found !== undefined });
  return { reference, name, webhook };
}
