import { Link } from "@tanstack/react-router";
import { ChevronRight } from "lucide-react";
import type { AuditRecord } from "#contract/audit.ts";
import { paths } from "../../paths.ts";
import type { Column } from "../../table/column.ts";
import { TimeCell } from "../../table/TimeCell.tsx";
import { tip } from "../../ui/Tooltip.tsx";
import { actionLabel, changeLine } from "./labels.ts";

export interface AuditContext {
  /** as written in the address */
  workspace: string;
  /** the records whose details are shown */
  open: ReadonlySet<string>;
  toggle: (id: string) => void;
}

const technical = "font-mono text-12 text-fg-2";

export const auditColumns: readonly Column<AuditRecord, AuditContext>[] = [
  {
    id: "at",
    head: "When",
    zoned: true,
    width: 192,
    skeleton: { width: 148 },
    cell: (record, { open, toggle }) => (
      <button
        type="button"
        aria-expanded={open.has(record.id)}
        onClick={() => toggle(record.id)}
        className="flex min-h-7 items-center gap-1.5 rounded-1"
      >
        <ChevronRight
          size={14}
          aria-hidden="true"
          className={open.has(record.id) ? "rotate-90 text-fg-3" : "text-fg-3"}
        />
        <span className="sr-only">
          {actionLabel(record.action)} {record.target_name ?? record.target_id}, details:
        </span>
        <TimeCell iso={record.at} show="exact" />
      </button>
    ),
  },
  { id: "actor", head: "Actor", width: 120, skeleton: { width: 96 }, cell: ({ actor }) => actor },
  {
    id: "action",
    head: "Action",
    width: 220,
    skeleton: { width: 104 },
    cell: (record) => {
      const line = changeLine(record);
      return (
        <>
          <div className="leading-4">{actionLabel(record.action)}</div>
          {line !== "" && (
            <div className="truncate text-11 text-fg-3" {...tip(line)}>
              {line}
            </div>
          )}
        </>
      );
    },
  },
  {
    id: "target",
    head: "Target",
    width: 264,
    skeleton: { width: 120, two: true },
    cell: (record) => (
      <>
        <div className="leading-4 font-semibold">{record.target_name ?? "–"}</div>
        <div className="truncate font-mono text-[10.5px]/[14px] text-fg-3">{record.target_id}</div>
      </>
    ),
  },
  {
    id: "source_ip",
    head: "IP address",
    width: 112,
    className: technical,
    skeleton: { width: 84 },
    cell: (record) => record.source_ip ?? "–",
  },
  {
    id: "request_id",
    head: "Request",
    width: 144,
    className: technical,
    skeleton: { width: 92 },
    cell: ({ request_id: id }, { workspace }) =>
      id === null ? (
        "–"
      ) : (
        // its end tells it apart; the whole of it is in the tooltip, and a click shows what else it changed
        <Link
          to={paths.audit(workspace)}
          search={{ request_id: id }}
          className="whitespace-nowrap hover:underline"
          {...tip(id)}
        >
          …{id.slice(-12)}
        </Link>
      ),
  },
];
