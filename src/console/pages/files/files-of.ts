import { infiniteQueryOptions } from "@tanstack/react-query";
import { type KeptFiles, listFiles } from "#contract/files.ts";
import { call } from "../../api/call.ts";

/** The files that the gateway keeps of a workspace, the oldest first, a hundred at a time. */
export const filesOf = (workspaceId: string) =>
  infiniteQueryOptions({
    queryKey: ["listFiles", workspaceId, "pages"] as const,
    queryFn: async ({ signal, pageParam: cursor }) => {
      const query = { workspace_id: workspaceId, ...(cursor !== null && { cursor }) };
      return (await call(listFiles, { query }, { signal })) as KeptFiles;
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ cursor }) => cursor,
    meta: { path: `/files?workspace_id=${workspaceId}` },
  });
