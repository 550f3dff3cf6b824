import { Download } from "lucide-react";
import { useState } from "react";
import { listGenerations } from "#contract/calls.ts";
import { call } from "../../api/call.ts";
import { now } from "../../api/clock.ts";
import { useReachable } from "../../api/connectivity.ts";
import { readPages } from "../../api/read-pages.ts";
import { counted, formatCount, formatDayTime } from "../../format.ts";
import { download } from "../../shell/download.ts";
import { useExport } from "../../shell/use-export.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { csvName, toCsv } from "../../csv.ts";
import { Button } from "../../ui/Button.tsx";
import { toast } from "../../ui/toast.ts";
import { callsQuery } from "./call-pages.ts";
import { callsCsvHeader, callsCsvRow } from "./calls-csv.ts";
import type { CallsSearch } from "./search.ts";

/** A file holds about so many: a spreadsheet and this tab have to carry it. */
const enoughForFile = 10_000;

/**
 * The calls that match, newest first, as files. It says how many are read; after a file that did not hold all of them the
 * next one goes on with the very next call.
 */
export function CallsExport({ search }: { search: CallsSearch }) {
  const { id, path } = useWorkspace();
  const { reason } = useReachable();
  const { read, start, stop } = useExport("calls");
  const [rest, setRest] = useState<{ of: string; cursor: string } | null>(null);
  const filters = callsQuery(search, id);
  const of = JSON.stringify(filters);
  // a place in another list leads nowhere in this one
  const older = rest?.of === of ? rest.cursor : null;

  const run = (from: string | null) =>
    start(async (signal, progress) => {
      const page = async (cursor: string | null) =>
        await call(
          listGenerations,
          { query: { ...filters, limit: "100", ...(cursor !== null && { cursor }) } },
          { signal },
        );
      const { rows: calls, next } = await readPages(page, { from, enough: enoughForFile, progress });
      download(csvName("calls", path, now()), toCsv(callsCsvHeader, calls.map(callsCsvRow)), "text/csv;charset=utf-8");
      const last = calls.at(-1);
      setRest(next === null ? null : { of, cursor: next });
      toast({
        message: `Exported ${counted(calls.length, "call")}.`,
        detail:
          next === null || last === undefined
            ? undefined
            : `There are more: this file goes back to ${formatDayTime(new Date(last.created_at), "UTC", { seconds: true })} UTC. Use Export older calls to continue from there.`,
      });
    });

  if (read !== null) {
    return (
      <Button variant="quiet" onClick={stop}>
        Stop the export, {formatCount(read)} read
      </Button>
    );
  }
  const action = (label: string, from: string | null) => (
    <Button
      variant="quiet"
      icon={<Download size={14} aria-hidden="true" />}
      disabledReason={reason ?? (id === undefined && "The workspace is still loading")}
      onClick={() => void run(from)}
    >
      {label}
    </Button>
  );
  return (
    <>
      {action("Export CSV", null)}
      {older !== null && action("Export older calls", older)}
    </>
  );
}
