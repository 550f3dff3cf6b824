import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { listByokKeys } from "#contract/byok.ts";
import type { ByokRecord } from "#contract/byok.ts";
import type { ProviderRecord } from "#contract/providers.ts";
import { query } from "../../api/query.ts";
import { useReachable } from "../../api/reachable.ts";
import { everyWorkspace } from "../../api/workspaces.ts";
import { allWorkspaces, paths } from "../../paths.ts";
import { ledger } from "../../shell/ledger.ts";
import { Reading } from "../../shell/Reading.tsx";
import { useWorkspace } from "../../shell/workspace.ts";
import { buttonClass } from "../../ui/Button.tsx";
import { cx } from "../../ui/cx.ts";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { ByokRow } from "./ByokRow.tsx";
import { DeleteByokDialog } from "./DeleteByokDialog.tsx";
import { useByokOrder } from "./use-byok-order.ts";

const heads = ["Key", "Workspace", "Used", "Models", "In use", "Order"];

/** The keys that workspaces bring for this provider, of the workspace in the address or of all of them. */
export function ByokKeys({ provider }: { provider: ProviderRecord }) {
  const { path, id, name } = useWorkspace();
  const { reachable } = useReachable();
  const list = useQuery({
    ...query(listByokKeys, {
      query: { provider: provider.slug, limit: "100", ...(id === allWorkspaces ? {} : { workspace_id: id }) },
    }),
    enabled: id !== undefined,
  });
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
        key, or only when that fails. What it spends is counted apart, and toward a limit only where the calling
        key&apos;s settings say so.
      </p>
      <Reading query={list} what="the workspaces' own keys" skeleton={<Waiting />}>
        {({ data, total_count: total }) =>
          data.length === 0 ? (
            <p className="px-8 pt-1 pb-5 text-fg-3 max-md:px-4">
              {id === allWorkspaces ? "No workspace brings a key." : `${name} brings no key.`}
            </p>
          ) : (
            <>
              <Table provider={provider} keys={data} />
              {total > data.length && (
                <p className="px-8 pt-2 text-12 text-fg-3 max-md:px-4">
                  The first {data.length} of {total}. Choose a workspace at the top to see its own.
                </p>
              )}
              <div className="h-5" />
            </>
          )
        }
      </Reading>
    </section>
  );
}

function Table({ provider, keys }: { provider: ProviderRecord; keys: readonly ByokRecord[] }) {
  const workspaces = useQuery(everyWorkspace).data;
  const names = new Map(workspaces?.map(({ id, name }) => [id, name]));
  const [deleting, setDeleting] = useState<ByokRecord | null>(null);
  const { move, said } = useByokOrder();
  // the order is one among the keys of a workspace
  const groups = [...Map.groupBy(keys, (key) => key.workspace_id).values()];
  return (
    <>
      <p role="status" className="sr-only">
        {said}
      </p>
      <div className={ledger.scroll} role="region" aria-label="Workspaces' own keys, scrolls sideways" tabIndex={0}>
        <table className={ledger.table} aria-label={`Workspaces' own keys for ${provider.name}`}>
          <thead>
            <tr>
              {heads.map((head, index) => (
                <th key={head} scope="col" className={cx(ledger.head, index === 0 && ledger.fixed)}>
                  {head}
                </th>
              ))}
              <th scope="col" className={ledger.head}>
                <span className="sr-only">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {groups.flatMap((group) =>
              group.map((key, place) => (
                <ByokRow
                  key={key.id}
                  byok={key}
                  workspaceName={names.get(key.workspace_id ?? "") ?? "–"}
                  place={place}
                  count={group.length}
                  onMove={(by) => void move(group, key, by)}
                  onDelete={setDeleting}
                />
              )),
            )}
          </tbody>
        </table>
      </div>
      {deleting && <DeleteByokDialog byok={deleting} onClose={() => setDeleting(null)} />}
    </>
  );
}

function Waiting() {
  return (
    <div className="grid gap-4 px-8 py-3 max-md:px-4">
      {[320, 280].map((width) => (
        <Skeleton key={width} width={width} height={12} />
      ))}
    </div>
  );
}
