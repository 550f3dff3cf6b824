import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { KeyRecord } from "#contract/keys.ts";
import { everyDestination } from "../../api/destinations.ts";
import { paths } from "../../paths.ts";
import { QueryBoundary } from "../../shell/QueryBoundary.tsx";
import { useWorkspace } from "../../shell/workspace.ts";
import { linkTextClass } from "../../ui/LinkText.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";

/** Where the key's calls are forwarded: destinations for all keys, and those whose list of keys names it. */
export function KeyDestinations({ of: key }: { of: KeyRecord }) {
  const { path } = useWorkspace();
  const read = useQuery(everyDestination(key.workspace_id));
  return (
    <div className="border-t border-line py-6">
      <h2 className="px-8 pb-2 text-15 max-md:px-4">Forwarded to</h2>
      <QueryBoundary
        query={read}
        what="the destinations"
        skeleton={<Skeleton width={240} className="mx-8 max-md:mx-4" />}
      >
        {(all) => {
          const its = all.filter(({ api_key_hashes: hashes }) => hashes === null || hashes.includes(key.hash));
          if (its.length === 0) {
            return <p className="px-8 text-fg-2 max-md:px-4">No destination receives this key's calls.</p>;
          }
          return (
            <ul className="grid gap-1 px-8 max-md:px-4">
              {its.map((one) => (
                <li key={one.id} className="flex flex-wrap items-baseline gap-x-3">
                  <Link to={paths.destination(path, one.id)} className={`${linkTextClass} wrap-anywhere`}>
                    {one.name}
                  </Link>
                  <span className="text-12 text-fg-3">
                    {one.api_key_hashes === null ? "receives all keys" : "names this key"}
                    {!one.enabled && ", paused"}
                  </span>
                </li>
              ))}
            </ul>
          );
        }}
      </QueryBoundary>
    </div>
  );
}
