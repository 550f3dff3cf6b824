import { Link } from "@tanstack/react-router";
import { ChevronRight } from "lucide-react";
import type { AuditRecord } from "#contract/audit.ts";
import { paths } from "../../paths.ts";
import type { Column } from "../../table/column.ts";
import { TimeCell } from "../../table/TimeCell.tsx";
import { cx } from "../../ui/cx.ts";
import { tip } from "../../ui/Tooltip.tsx";
import { actionLabel, changeLine } from "./labels.ts";
import { TargetName } from "./TargetName.tsx";

export interface AuditContext {
  /** as written in the address */
  workspace: string;
  /** the records whose details are shown */
  open: ReadonlySet<string>;
  toggle: (id: string) => void;
}

const technical = "font-mono text-12 text-fg-2";
/** On a phone who and when are under what and which. */
const notOnPhone = "max-md:hidden";
/** What a row's details have too. */
const onlyWide = "max-xl:hidden";

export const auditColumns: readonly Column<AuditRecord, AuditContext>[] = [
  {
    id: "action",
    head: "Action",
    width: 264,
    fixed: true,
    skeleton: { width: 104, two: true },
    cell: (record, { open, toggle }) => {
      const line = changeLine(record);
      return (
        <div className="flex items-center gap-1.5">
          <button
            type="button"
            aria-expanded={open.has(record.id)}
            aria-label={`${actionLabel(record.action)} ${record.target_name ?? record.target_id}, details`}
            onClick={() => toggle(record.id)}
            className="-my-1 grid min-h-7 w-6 shrink-0 place-items-center rounded-1"
          >
            <ChevronRight
              size={14}
              aria-hidden="true"
              className={open.has(record.id) ? "rotate-90 text-fg-3" : "text-fg-3"}
            />
          </button>
          <div className="min-w-0">
            <div className="leading-4">{actionLabel(record.action)}</div>
            {line !== "" && (
              <div className="truncate text-11 text-fg-3 tabular-nums" {...tip(line)}>
                {line}
              </div>
            )}
          </div>
        </div>
      );
    },
  },
  {
    id: "target",
    head: "Target",
    skeleton: { width: 120, two: true },
    cell: (record, { workspace }) => (
      <>
        <div className="truncate leading-4 font-semibold">
          <TargetName record={record} workspace={workspace} />
        </div>
        <div className="truncate text-11 text-fg-3">
          {record.target_type.replaceAll("_", " ")}
          <span className="md:hidden">
            {" "}
            by {record.actor}, <TimeCell iso={record.at} show="exact" />
          </span>
        </div>
      </>
    ),
  },
  {
    id: "actor",
    head: "Who",
    width: 136,
    className: notOnPhone,
    skeleton: { width: 96 },
    cell: ({ actor }) => (
      <bdi className="block truncate" {...tip(actor)}>
        {actor}
      </bdi>
    ),
  },
  {
    id: "at",
    head: "When",
    zoned: true,
    width: 176,
    className: notOnPhone,
    skeleton: { width: 148 },
    cell: (record) => <TimeCell iso={record.at} show="exact" />,
  },
  {
    id: "source_ip",
    head: "IP address",
    width: 128,
    className: onlyWide,
    skeleton: { width: 84 },
    cell: (record) => <span className={technical}>{record.source_ip ?? "–"}</span>,
  },
  {
    id: "request_id",
    head: "Request",
    width: 152,
    className: onlyWide,
    skeleton: { width: 92 },
    cell: ({ request_id: id }, { workspace }) =>
      id === null ? (
        "–"
      ) : (
        // its end tells it apart; the whole of it is in the tooltip, and a click shows what else it changed
        <Link
          to={paths.audit(workspace)}
          search={{ request_id: id }}
          className={cx(technical, "whitespace-nowrap hover:underline")}
          {...tip(id)}
        >
          …{id.slice(-12)}
        </Link>
      ),
  },
];
