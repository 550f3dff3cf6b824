import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { listKeys } from "#contract/keys.ts";
import { call } from "../api/call.ts";
import { now } from "../api/clock.ts";
import { everyWorkspace } from "../api/workspaces.ts";
import type { LoadOptions } from "../ui/listbox.ts";
import { keyDetail } from "./key-detail.ts";

const pageSize = "50";

/**
 * Finds the keys of a workspace on the gateway, so that ten thousand of them cost no more than the fifty that are shown.
 * @param workspaceId undefined: the default one
 */
export function useKeyOptions(workspaceId: string | undefined): LoadOptions {
  const client = useQueryClient();
  return useCallback(
    async (text, signal) => {
      const workspaces = await client.ensureQueryData(everyWorkspace);
      const own = workspaces.find(({ id, is_default }) =>
        workspaceId === undefined ? is_default : id === workspaceId,
      );
      const { data, next_cursor } = await call(
        listKeys,
        { query: { q: text, limit: pageSize, include_disabled: "true", ...(own && { workspace_id: own.id }) } },
        { signal },
      );
      const rest = next_cursor === null ? "" : `, ${pageSize} of more: type to find others`;
      return data.map((key) => ({
        value: key.hash,
        label: key.name,
        detail: keyDetail(key, data, undefined, now()),
        group: `Keys of ${own?.name ?? "the workspace"}${rest}`,
      }));
    },
    [workspaceId, client],
  );
}
