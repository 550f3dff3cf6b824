import { Link } from "@tanstack/react-router";
import { formatUsd } from "../../format.ts";
import { paths } from "../../paths.ts";
import { usePlaygroundKey } from "../../shell/playground-key.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { linkTextClass } from "../../ui/LinkText.tsx";

/** What the key that the playground calls with has spent of its limit; nothing as long as there is none. */
export function KeySpend({ workspaceId }: { workspaceId: string }) {
  const { path } = useWorkspace();
  const key = usePlaygroundKey(workspaceId);
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
