import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { PageHeader } from "../../shell/PageHeader.tsx";
import { Reading } from "../../shell/Reading.tsx";
import { useWorkspace } from "../../shell/workspace.ts";
import { EmptyState, FilteredState } from "../../ui/Region.tsx";
import { AuditExport } from "./AuditExport.tsx";
import { AuditFilters } from "./AuditFilters.tsx";
import { AuditTable, AuditTableSkeleton } from "./AuditTable.tsx";
import { auditPages, auditQuery } from "./filters.ts";
import type { AuditSearch } from "./filters.ts";
import { NewEntries } from "./NewEntries.tsx";
import { OlderEntries } from "./OlderEntries.tsx";

/** Who changed what and when, newest first. */
export function AuditPage() {
  const search: AuditSearch = useSearch({ from: "/signed-in/w/$workspace/audit" });
  const navigate = useNavigate({ from: "/w/$workspace/audit" });
  const { id } = useWorkspace();
  const filters = auditQuery(search, id);
  const list = useInfiniteQuery({
    ...auditPages(search, id),
    enabled: id !== undefined,
    // rows do not push each other about under the eye: new ones are announced, and shown on request
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
  const clear = () => void navigate({ search: {} });
  const filtered = Object.values(search).some((value) => value !== undefined);
  return (
    <>
      <PageHeader title="Audit log" actions={<AuditExport filters={filters} />} />
      <AuditFilters search={search} onChange={(next) => void navigate({ search: next, replace: true })} />
      <Reading query={list} what="the audit log" skeleton={<AuditTableSkeleton />}>
        {({ pages: loaded }) => {
          const records = loaded.flatMap((page) => page.data);
          if (records.length === 0) return <Nothing filtered={filtered} onClear={clear} />;
          return (
            <>
              <NewEntries filters={filters} newest={records[0]?.id} onShow={() => void list.refetch()} />
              <AuditTable records={records} />
              <OlderEntries list={list} count={records.length} />
            </>
          );
        }}
      </Reading>
    </>
  );
}

function Nothing({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  return (
    <div className="px-8 py-6 max-md:px-4">
      {filtered ? (
        <FilteredState title="No change matches these filters" onClear={onClear}>
          Who made it, what was done and to what all have to match exactly.
        </FilteredState>
      ) : (
        <EmptyState title="Nothing has changed yet">
          Every change of a key, a workspace or a setting is written here in the same transaction as the change itself.
        </EmptyState>
      )}
    </div>
  );
}
