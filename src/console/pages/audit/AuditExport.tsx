import { Download } from "lucide-react";
import { useState } from "react";
import { listAudit, type AuditRecord } from "#contract/audit.ts";
import { call } from "../../api/call.ts";
import { now } from "../../api/clock.ts";
import { explain } from "../../api/error-messages.ts";
import { useReachable } from "../../api/connectivity.ts";
import { readPages } from "../../api/read-pages.ts";
import { counted } from "../../format.ts";
import { download } from "../../shell/download.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { columnsToCsv, csvName, type CsvColumn } from "../../csv.ts";
import { Button } from "../../ui/Button.tsx";
import { Menu } from "../../ui/Menu.tsx";
import { toast } from "../../ui/toast.ts";
import type { AuditQuery } from "./filters.ts";

/** Every change that matches the filters as a file, not only those on screen. */
export function AuditExport({ filters }: { filters: AuditQuery }) {
  const [pending, setPending] = useState(false);
  const { reason } = useReachable();
  const { path } = useWorkspace();

  async function save(format: "csv" | "jsonl") {
    setPending(true);
    try {
      const records = await everyRecord(filters);
      const name = csvName("audit", path, now());
      if (format === "csv") download(name, columnsToCsv(columns, records), "text/csv");
      else
        download(
          name.replace(/csv$/, "jsonl"),
          records.map((record) => `${JSON.stringify(record)}\n`).join(""),
          "application/jsonl",
        );
      toast({ message: `Exported ${counted(records.length, "change")}.` });
    } catch (error) {
      toast({ message: "The export stopped.", detail: explain(error).title, tone: "trouble" });
    } finally {
      setPending(false);
    }
  }

  const button = (
    <Button icon={<Download size={14} aria-hidden="true" />} pending={pending} disabledReason={reason} variant="quiet">
      Export
    </Button>
  );
  if (pending || reason !== undefined) return button;
  return (
    <Menu
      trigger={button}
      items={[
        { label: "As CSV", onSelect: () => void save("csv") },
        { label: "As JSON Lines", onSelect: () => void save("jsonl") },
      ]}
    />
  );
}

async function everyRecord(filters: AuditQuery): Promise<AuditRecord[]> {
  const page = (cursor: string | null) =>
    call(listAudit, { query: { ...filters, limit: "100", ...(cursor !== null && { cursor }) } });
  return (await readPages(page)).rows;
}

const columns: readonly CsvColumn<AuditRecord>[] = [
  ["at", ({ at }) => new Date(at)],
  ["actor", ({ actor }) => actor],
  ["action", ({ action }) => action],
  ["target_type", (record) => record.target_type],
  ["target_id", (record) => record.target_id],
  ["target_name", (record) => record.target_name],
  ["workspace_id", (record) => record.workspace_id],
  ["before", ({ before }) => before && JSON.stringify(before)],
  ["after", ({ after }) => after && JSON.stringify(after)],
  ["source_ip", (record) => record.source_ip],
  ["request_id", (record) => record.request_id],
  ["id", ({ id }) => id],
];
