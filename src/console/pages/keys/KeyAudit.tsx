import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { type AuditRecord, listAudit } from "#contract/audit.ts";
import { createKey, deleteKey, rotateKey, updateKey } from "#contract/keys.ts";
import { useNow } from "../../api/clock.ts";
import { query } from "../../api/query.ts";
import { everyWorkspace } from "../../api/workspaces.ts";
import { paths } from "../../paths.ts";
import { QueryBoundary } from "../../shell/QueryBoundary.tsx";
import { useWorkspace } from "../../shell/workspace.ts";
import { linkTextClass } from "../../ui/LinkText.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { Time } from "../../ui/Time.tsx";
import { changePhrases } from "./key-changes.ts";

const deeds: Record<string, string> = {
  [createKey.operationId]: "Created",
  // by its name: the contract of OAuth is in a chunk that may be loaded after this one
  exchangeAuthCodeForAPIKey: "Created",
  [updateKey.operationId]: "Changed",
  [rotateKey.operationId]: "Replaced",
  [deleteKey.operationId]: "Deleted",
};

const lastChanges = (hash: string) => query(listAudit, { query: { target_id: hash, limit: "3" } });

/** Whether it is known how much room they take. */
export function useChangesKnown(hash: string): boolean {
  return !useQuery(lastChanges(hash)).isPending;
}

/** The last changes of this key, from the audit log. */
export function KeyAudit({ hash }: { hash: string }) {
  const { path } = useWorkspace();
  const read = useQuery(lastChanges(hash));
  const workspaces = useQuery(everyWorkspace).data;
  const names = useMemo(() => new Map(workspaces?.map(({ id, name }) => [id, name])), [workspaces]);
  return (
    <section aria-labelledby="changes-title" className="border-t border-line py-6">
      <div className="flex items-baseline gap-3 px-8 pb-2 max-md:px-4">
        <h2 id="changes-title" className="text-15">
          Changes
        </h2>
        <Link to={paths.audit(path)} search={{ target_id: hash }} className={linkTextClass}>
          Show all in the audit log
        </Link>
      </div>
      <QueryBoundary query={read} what="the changes" skeleton={<Skeletons />}>
        {({ data }) => (
          <ul className="px-8 max-md:px-4">
            {data.map((record) => (
              <Change key={record.id} record={record} names={names} />
            ))}
            {data.length === 0 && <li className="text-fg-2">No changes recorded.</li>}
          </ul>
        )}
      </QueryBoundary>
    </section>
  );
}

function Change({ record, names }: { record: AuditRecord; names: ReadonlyMap<string, string> }) {
  const now = useNow(30_000);
  const phrases = record.action === updateKey.operationId ? changePhrases(record, names) : [];
  return (
    <li className="flex flex-wrap items-baseline gap-x-4 border-b border-line py-2 last:border-b-0">
      <Time iso={record.at} now={now} focusable className="w-24 text-fg-2" />
      <span>
        {deeds[record.action] ?? record.action}
        {phrases.length > 0 && <span className="text-fg-2">: {phrases.join(", ")}</span>}
      </span>
      <span className="ml-auto text-12 text-fg-3">by {record.actor}</span>
    </li>
  );
}

function Skeletons() {
  return (
    <div className="grid gap-4 px-8 py-2 max-md:px-4">
      <Skeleton width={360} />
      <Skeleton width={300} />
    </div>
  );
}
