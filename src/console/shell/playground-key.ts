import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { listKeys } from "#contract/keys.ts";
import { query } from "../api/query.ts";

/** Finds the playground's key of a workspace by the name that it is made with; it was "Embeddings playground" before. */
export const playgroundKeySearch = { q: "playground" };

/**
 * The key that the playground calls with; undefined as long as there is none, or its workspace is not known.
 *
 * @param version it is read again whenever this changes
 */
export function usePlaygroundKey(workspaceId: string | undefined, version = "") {
  const { data, refetch } = useQuery({
    ...query(listKeys, { query: { workspace_id: workspaceId, include_disabled: "true", ...playgroundKeySearch } }),
    enabled: workspaceId !== undefined,
  });
  const read = useRef(version);
  useEffect(() => {
    if (read.current !== version && workspaceId !== undefined) void refetch();
    read.current = version;
  }, [version, refetch, workspaceId]);
  return data?.data.find(({ purpose }) => purpose === "playground");
}
