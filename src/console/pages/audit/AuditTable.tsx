import { useState } from "react";
import type { AuditRecord } from "#contract/audit.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Table } from "../../table/Table.tsx";
import { auditColumns, type AuditContext } from "./audit-columns.tsx";
import { AuditDetail } from "./AuditDetail.tsx";

/** The log as rows; each opens to what was changed. */
export function AuditTable({ records }: { records: readonly AuditRecord[] }) {
  const { path: workspace } = useWorkspace();
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const toggle = (id: string) => {
    const next = new Set(open);
    if (!next.delete(id)) next.add(id);
    setOpen(next);
  };
  return (
    <Table
      label="Audit log"
      columns={auditColumns}
      context={{ workspace, open, toggle }}
      rows={records}
      rowId={({ id }) => id}
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
