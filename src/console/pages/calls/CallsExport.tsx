import { Download } from "lucide-react";
import { useState } from "react";
import { listCalls } from "#contract/call-list.ts";
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
import { listQuery } from "./call-pages.ts";
import { callsCsvHeader, callsCsvRow } from "./calls-csv.ts";
import { callsOf, instantOf } from "./live-calls.ts";
import type { CallsSearch } from "./search.ts";

/** A file holds about so many: a spreadsheet and this tab have to carry it. */
const enoughForFile = 10_000;

/**
 * The calls that match, in the order of the list, as files. It says how many are read; after a file that did not hold all of them the
 * next one goes on with the very next call.
 */
export function CallsExport({ search }: { search: CallsSearch }) {
  const { id, path } = useWorkspace();
  const { reason } = useReachable();
  const { read, start, stop } = useExport("calls");
  const [rest, setRest] = useState<{ of: string; cursor: string } | null>(null);
  const filters = listQuery(search, id);
  const of = JSON.stringify(filters);
  // a place in another list leads nowhere in this one
  const older = rest?.of === of ? rest.cursor : null;

  const run = (from: string | null) =>
    start(async (signal, progress) => {
      const page = async (cursor: string | null) =>
        await call(listCalls, { query: { ...filters, limit: "100", ...(cursor !== null && { cursor }) } }, { signal });
      const { rows: entries, next } = await readPages(page, { from, enough: enoughForFile, progress });
      download(
        csvName("calls", path, now()),
        toCsv(callsCsvHeader, entries.map(callsCsvRow)),
        "text/csv;charset=utf-8",
      );
      const last = entries.at(-1);
      setRest(next === null ? null : { of, cursor: next });
      toast({
        message: `Exported ${counted(
          entries.reduce((sum, entry) => sum + callsOf(entry), 0),
          "call",
        )}.`,
        detail:
          next === null || last === undefined
            ? undefined
            : `There are more: this file ends with a call of ${formatDayTime(new Date(instantOf(last)), "UTC", { seconds: true })} UTC. Use Export further calls to continue from there.`,
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
      {older !== null && action("Export further calls", older)}
    </>
  );
}
