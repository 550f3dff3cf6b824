import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ByokRecord } from "#contract/byok.ts";
import type { ProviderRecord } from "#contract/providers.ts";
import { useReachable } from "../../api/connectivity.ts";
import { allWorkspaces, paths } from "../../paths.ts";
import { QueryBoundary } from "../../shell/QueryBoundary.tsx";
import { useWorkspace } from "../../shell/workspace.ts";
import { buttonClass } from "../../ui/Button.tsx";
import { cx } from "../../ui/cx.ts";
import { TableSkeleton } from "../../table/Table.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { byokList } from "./byok-list.ts";
import { byokColumns } from "./byok-columns.tsx";
import { ByokTable } from "./ByokTable.tsx";

/** The keys that workspaces bring for this provider, of the workspace in the address or of all of them. */
export function ByokKeys({ provider }: { provider: ProviderRecord }) {
  const { path, id, name } = useWorkspace();
  const { reachable } = useReachable();
  const asked = byokList(provider.slug, id);
  const list = useQuery({ ...asked, enabled: id !== undefined });
  return (
    <section aria-labelledby="byok" className="border-t border-line pt-5">
      <div className="flex flex-wrap items-center gap-3 px-8 pb-1 max-md:px-4">
        <h2 id="byok" className="text-16 text-[15px]">
          Workspaces&apos; own keys
        </h2>
        {list.data && <span className="text-fg-3">{list.data.total_count}</span>}
        {reachable && (
          <Link to={paths.newByokKey(path, provider.slug)} className={cx(buttonClass({ size: "sm" }), "ml-auto")}>
            Add a key
          </Link>
        )}
      </div>
      <p className="max-w-180 px-8 pb-2 text-fg-2 max-md:px-4">
        A workspace may bring its own key at {provider.name} (BYOK). Its calls use that one before the gateway&apos;s
        key, or only when that fails. Its spend is counted separately, and toward a limit only if the calling key&apos;s
        settings say so.
      </p>
      <QueryBoundary
        query={list}
        what="the workspaces' own keys"
        skeleton={<TableSkeleton columns={byokColumns} rows={2} actions />}
      >
        {({ data, total_count: total }) =>
          data.length === 0 ? (
            <p className="px-8 pt-1 pb-5 text-fg-3 max-md:px-4">
              {id === allWorkspaces ? "No workspace has its own key." : `${name} has no key of its own.`}
            </p>
          ) : (
            <>
              <Strayed provider={provider} keys={data} />
              <ByokTable provider={provider} list={asked} keys={data} />
              {total > data.length && (
                <p className="px-8 pt-2 text-12 text-fg-3 max-md:px-4">
                  The first {data.length} of {total}. Choose a workspace at the top to see its own.
                </p>
              )}
              <div className="h-5" />
            </>
          )
        }
      </QueryBoundary>
    </section>
  );
}

/** A key is sent to the address that it was given for and to no other. */
function Strayed({ provider, keys }: { provider: ProviderRecord; keys: readonly ByokRecord[] }) {
  const origin = URL.parse(provider.base_url ?? "")?.origin;
  const strayed = keys.filter((key) => key.origin !== origin).length;
  if (strayed === 0) return null;
  return (
    <Notice tone="warn" className="mx-8 mb-2 max-w-180 max-md:mx-4">
      {strayed === 1
        ? `One key was entered for an address other than ${origin} and is off. Edit it and enter the key again to use it here.`
        : `${strayed} keys were entered for an address other than ${origin} and are off. Edit them and enter the keys again to use them here.`}
    </Notice>
  );
}
