import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import type { AuditRecord } from "#contract/audit.ts";
import { formatCount } from "../../format.ts";
import { ListTable } from "../../shell/ListTable.tsx";
import { PageHeader } from "../../shell/PageHeader.tsx";
import { QueryBoundary } from "../../shell/QueryBoundary.tsx";
import { useWorkspace } from "../../shell/workspace.ts";
import { Older } from "../../table/Older.tsx";
import { TableSkeleton } from "../../table/Table.tsx";
import { EmptyState, FilteredState } from "../../ui/Region.tsx";
import { auditColumns, type AuditContext } from "./audit-columns.tsx";
import { AuditDetail } from "./AuditDetail.tsx";
import { AuditExport } from "./AuditExport.tsx";
import { AuditFilters } from "./AuditFilters.tsx";
import { auditPages, auditQuery, type AuditSearch } from "./filters.ts";
import { NewEntries } from "./NewEntries.tsx";

/** Who changed what and when, newest first. */
export function AuditPage() {
  const search: AuditSearch = useSearch({ from: "/signed-in/w/$workspace/audit" });
  const navigate = useNavigate({ from: "/w/$workspace/audit" });
  const { id } = useWorkspace();
  const filters = auditQuery(search, id);
  const list = useInfiniteQuery({
    ...auditPages(search, id),
    enabled: id !== undefined,
    // rows must not move while they are being read: new ones are announced, and shown on request
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
  const clear = () => void navigate({ search: {} });
  const filtered = Object.values(search).some((value) => value !== undefined);
  return (
    <>
      <PageHeader title="Audit log" actions={<AuditExport filters={filters} />} />
      <AuditFilters
        search={search}
        onChange={(some) => void navigate({ search: (before) => ({ ...before, ...some }), replace: true })}
        onClear={() => void navigate({ search: {}, replace: true })}
      />
      <QueryBoundary query={list} what="the audit log" skeleton={<TableSkeleton columns={auditColumns} rows={8} />}>
        {({ pages: loaded }) => {
          const records = loaded.flatMap((page) => page.data);
          return (
            <>
              <NewEntries filters={filters} newest={records[0]?.id} onShow={() => void list.refetch()} />
              {records.length === 0 ? (
                <Nothing filtered={filtered} onClear={clear} />
              ) : (
                <>
                  <AuditTable records={records} />
                  <Older
                    list={list}
                    what="changes"
                    shown={`${formatCount(records.length)} shown`}
                    end={`${formatCount(records.length)} ${filtered ? "match the filters" : "in total"}. The log is kept as long as the store.`}
                  />
                </>
              )}
            </>
          );
        }}
      </QueryBoundary>
    </>
  );
}

function Nothing({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  return (
    <div className="px-8 py-6 max-md:px-4">
      {filtered ? (
        <FilteredState title="No change matches these filters" onClear={onClear}>
          Who, target and request id must match exactly. This log holds changes that were made, and calls that the
          playground made as a key; the gateway’s own log has refused changes.
        </FilteredState>
      ) : (
        <EmptyState title="Nothing has changed yet">
          Every change to a key, a workspace or a setting is recorded here, in the same transaction as the change
          itself.
        </EmptyState>
      )}
    </div>
  );
}

/** The log as rows; each opens to what was changed. */
function AuditTable({ records }: { records: readonly AuditRecord[] }) {
  const { path: workspace } = useWorkspace();
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const toggle = (id: string) => {
    const next = new Set(open);
    if (!next.delete(id)) next.add(id);
    setOpen(next);
  };
  return (
    <ListTable
      label="Audit log"
      columns={auditColumns}
      context={{ workspace, open, toggle }}
      rows={records}
      rowId={({ id }) => id}
      onRow={({ id }) => toggle(id)}
      below={detail}
    />
  );
}

function detail(record: AuditRecord, { open }: AuditContext, span: number) {
  if (!open.has(record.id)) return null;
  return (
    <tr>
      <td colSpan={span} className="border-b border-line bg-bg-2 px-8 py-4 max-md:px-4">
        <AuditDetail record={record} />
      </td>
    </tr>
  );
}
