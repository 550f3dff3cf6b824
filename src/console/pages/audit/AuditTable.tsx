import { ChevronRight } from "lucide-react";
import { useState } from "react";
import type { AuditRecord } from "#contract/audit.ts";
import { useNow } from "../../api/clock.ts";
import { usePreference } from "../../preferences.ts";
import { ledger } from "../../shell/ledger.ts";
import { Skeleton, SkeletonTwo } from "../../ui/Skeleton.tsx";
import { Time } from "../../ui/Time.tsx";
import { AuditDetail } from "./AuditDetail.tsx";
import { actionWords } from "./words.ts";

function Head() {
  const zone = usePreference("zone");
  return (
    <thead>
      <tr>
        {[`When, ${zone === "utc" ? "UTC" : "local time"}`, "Made by", "What", "To what", "From address"].map(
          (title) => (
            <th key={title} scope="col" className={ledger.head}>
              {title}
            </th>
          ),
        )}
      </tr>
    </thead>
  );
}

/** The log as rows; each opens to what was changed. */
export function AuditTable({ records }: { records: readonly AuditRecord[] }) {
  return (
    <div className={ledger.scroll} role="region" aria-label="Audit log, scrolls sideways" tabIndex={0}>
      <table className={ledger.table}>
        <Head />
        <tbody>
          {records.map((record) => (
            <Row key={record.id} record={record} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ record }: { record: AuditRecord }) {
  const [open, setOpen] = useState(false);
  const zone = usePreference("zone");
  const now = useNow(60_000);
  const name = record.target_name ?? record.target_id;
  return (
    <>
      <tr className="hover:bg-bg-2">
        <td className={ledger.cell}>
          <button
            type="button"
            aria-expanded={open}
            onClick={() => setOpen(!open)}
            className="flex min-h-7 items-center gap-1.5 rounded-1"
          >
            <ChevronRight size={14} aria-hidden="true" className={open ? "rotate-90 text-fg-3" : "text-fg-3"} />
            <span className="sr-only">
              {actionWords(record.action)} {name}, details:
            </span>
            <Time iso={record.at} show="full" zone={zone} now={now} />
          </button>
        </td>
        <td className={ledger.cell}>{record.actor}</td>
        <td className={`${ledger.cell} whitespace-nowrap`}>{actionWords(record.action)}</td>
        <td className={ledger.cell}>
          <div className="leading-4 font-semibold">{record.target_name ?? "–"}</div>
          <div className="max-w-60 truncate font-mono text-[10.5px]/[14px] text-fg-3">{record.target_id}</div>
        </td>
        <td className={`${ledger.cell} font-mono text-12 text-fg-2`}>{record.source_ip ?? "–"}</td>
      </tr>
      {open && (
        <tr>
          <td colSpan={5} className="border-b border-line bg-bg-2 px-8 py-4 max-md:px-4">
            <AuditDetail record={record} />
          </td>
        </tr>
      )}
    </>
  );
}

export function AuditTableSkeleton() {
  return (
    <table className={ledger.table}>
      <Head />
      <tbody>
        {[0, 1, 2, 3, 4, 5, 6, 7].map((row) => (
          <tr key={row}>
            {[148, 96, 104].map((width) => (
              <td key={width} className={ledger.cell}>
                <Skeleton width={width - (row % 3) * 12} />
              </td>
            ))}
            <td className={ledger.cell}>
              <SkeletonTwo width={120} />
            </td>
            <td className={ledger.cell}>
              <Skeleton width={84} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
