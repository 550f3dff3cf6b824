import { Download } from "lucide-react";
import { getUsageReport, type UsageReport } from "#contract/usage-report.ts";
import { call } from "../../api/call.ts";
import { now } from "../../api/clock.ts";
import { useReachable } from "../../api/connectivity.ts";
import { readPages } from "../../api/read-pages.ts";
import { csvName } from "../../csv.ts";
import { counted, formatCount, formatUsd } from "../../format.ts";
import { download } from "../../shell/download.ts";
import { useExport } from "../../shell/use-export.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Button } from "../../ui/Button.tsx";
import { toast } from "../../ui/toast.ts";
import type { UsagePeriod } from "./periods.ts";
import { inOrder, reportCsv } from "./report-csv.ts";
import type { UsageSearch } from "./search.ts";
import { reportQuery } from "./usage-reads.ts";

/** A spreadsheet and this tab have to carry the file. */
const maxRows = 100_000;
const pageRows = "1000";

interface UsageExportProps {
  search: UsageSearch;
  period: UsagePeriod;
}

/** Every row of the report, in the table's order, however many of them the table shows. */
export function UsageExport({ search, period }: UsageExportProps) {
  const { id, path } = useWorkspace();
  const { reason } = useReachable();
  const { read, start, stop } = useExport("usage");
  const run = () =>
    start(async (signal, progress) => {
      const reports: UsageReport[] = [];
      const page = async (cursor: string | null) => {
        const query = { ...reportQuery({ workspaceId: id, search, period }), sort: "id", limit: pageRows } as const;
        const { data } = await call(
          getUsageReport,
          { query: { ...query, ...(cursor !== null && { cursor }) } },
          { signal },
        );
        reports.push(data);
        return { data: data.rows, next_cursor: data.next_cursor };
      };
      const { rows, next } = await readPages(page, { enough: maxRows, progress });
      const [report] = reports;
      if (report === undefined) return;
      const text = reportCsv({ ...report, rows: inOrder(rows, search) }, search);
      download(csvName("usage", path, now()), text, "text/csv;charset=utf-8");
      const grew = reports.some(({ total }) => total.requests !== report.total.requests);
      toast({
        message: `Exported ${counted(rows.length, "row")}, ${formatUsd(report.total.usage)} in all.`,
        detail:
          next !== null
            ? `There are ${formatCount(report.row_count)} rows: the file has ${formatCount(rows.length)} of them, in the order of their ids. Choose a shorter period or one grouping for a whole file.`
            : grew
              ? "Calls ended while the rows were read: later rows count them."
              : undefined,
      });
    });
  if (read !== null) {
    return (
      <Button variant="quiet" onClick={stop}>
        Stop the export, {formatCount(read)} read
      </Button>
    );
  }
  return (
    <Button
      variant="quiet"
      icon={<Download size={14} aria-hidden="true" />}
      disabledReason={reason ?? (id === undefined && "The workspace is still loading")}
      onClick={() => void run()}
    >
      Export CSV
    </Button>
  );
}
