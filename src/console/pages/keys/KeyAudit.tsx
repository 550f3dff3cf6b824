import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type AuditRecord, listAudit } from "#contract/audit.ts";
import { createKey, deleteKey, rotateKey, updateKey } from "#contract/keys.ts";
import { useNow } from "../../api/clock.ts";
import { query } from "../../api/query.ts";
import { paths } from "../../paths.ts";
import { QueryBoundary } from "../../shell/QueryBoundary.tsx";
import { useWorkspace } from "../../shell/workspace.ts";
import { linkTextClass } from "../../ui/LinkText.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { Time } from "../../ui/Time.tsx";

const deeds: Record<string, string> = {
  [createKey.operationId]: "Created",
  // by its name: the contract of OAuth is in a chunk that may be loaded after this one
  exchangeAuthCodeForAPIKey: "Created",
  [updateKey.operationId]: "Changed",
  [rotateKey.operationId]: "Replaced",
  [deleteKey.operationId]: "Deleted",
};

/** The last changes of this key, from the audit log. */
export function KeyAudit({ hash }: { hash: string }) {
  const { path } = useWorkspace();
  const read = useQuery(query(listAudit, { query: { target_id: hash, limit: "10" } }));
  return (
    <section aria-labelledby="changes-title" className="border-t border-line py-6">
      <div className="flex items-baseline gap-3 px-8 pb-2 max-md:px-4">
        <h2 id="changes-title" className="text-15">
          Changes
        </h2>
        <Link to={paths.audit(path)} search={{ target_id: hash }} className={linkTextClass}>
          Show them in the audit log
        </Link>
      </div>
      <QueryBoundary query={read} what="the changes" skeleton={<Skeletons />}>
        {({ data }) => (
          <ul className="px-8 max-md:px-4">
            {data.map((record) => (
              <Change key={record.id} record={record} />
            ))}
            {data.length === 0 && <li className="text-fg-2">No changes recorded.</li>}
          </ul>
        )}
      </QueryBoundary>
    </section>
  );
}

function Change({ record }: { record: AuditRecord }) {
  const now = useNow(30_000);
  const members = Object.keys(record.action === updateKey.operationId ? (record.after ?? {}) : {});
  return (
    <li className="flex flex-wrap items-baseline gap-x-4 border-b border-line py-2 last:border-b-0">
      <Time iso={record.at} now={now} focusable className="w-24 text-fg-2" />
      <span>
        {deeds[record.action] ?? record.action}
        {members.length > 0 && <span className="text-fg-2">: {members.join(", ")}</span>}
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
