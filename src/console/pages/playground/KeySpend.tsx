import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { listKeys } from "#contract/keys.ts";
import { query } from "../../api/query.ts";
import { formatUsd } from "../../format.ts";
import { paths } from "../../paths.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { linkTextClass } from "../../ui/LinkText.tsx";
import { keySearch } from "./refusal-messages.ts";

interface KeySpendProps {
  workspaceId: string;
  /** refetched whenever this changes */
  version: string;
}

/** The key that the playground calls with; undefined as long as there is none, or its workspace is not known. */
export function usePlaygroundKey(workspaceId: string | undefined) {
  const { data, refetch } = useQuery({
    ...query(listKeys, { query: { workspace_id: workspaceId, include_disabled: "true", ...keySearch } }),
    enabled: workspaceId !== undefined,
  });
  return { key: data?.data.find(({ name }) => name === keySearch.q), refetch };
}

/** What the key that the playground calls with has spent of its limit; nothing as long as there is none. */
export function KeySpend({ workspaceId, version }: KeySpendProps) {
  const { path } = useWorkspace();
  const { key, refetch } = usePlaygroundKey(workspaceId);
  const read = useRef(version);
  useEffect(() => {
    if (read.current !== version) void refetch();
    read.current = version;
  }, [version, refetch]);
  if (!key) return null;
  const { limit, limit_remaining: left, limit_reset: reset } = key;
  return (
    <p className="border-t border-line px-8 py-2 text-12 text-fg-3 tabular-nums max-md:px-4">
      {limit === null || left === null
        ? `${formatUsd(key.usage)} spent with `
        : `${formatUsd(Math.max(0, limit - left))} of ${formatUsd(limit)}${reset === null ? "" : `, ${reset},`} spent with `}
      <Link to={paths.key(path, key.hash)} className={`${linkTextClass} underline`}>
        this playground’s key
      </Link>
    </p>
  );
}
