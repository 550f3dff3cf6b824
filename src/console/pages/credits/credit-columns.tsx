import type { AuditRecord } from "#contract/audit.ts";
import type { Column } from "../../table/column.ts";
import { TimeCell } from "../../table/TimeCell.tsx";
import { Money } from "../../ui/Money.tsx";

/** Of the audit log's records of credits that were added or taken away. */
export const creditColumns: readonly Column<AuditRecord>[] = [
  {
    id: "at",
    head: "When",
    zoned: true,
    width: 172,
    skeleton: { width: 136 },
    cell: (entry) => <TimeCell iso={entry.at} show="full" focusable />,
  },
  {
    id: "amount",
    head: "Amount",
    width: 124,
    figures: true,
    cell: (entry) => {
      const amount = entry.after?.["amount_usd"];
      return typeof amount === "number" ? <Money usd={amount} focusable /> : "–";
    },
  },
  {
    id: "note",
    head: "Note",
    width: 200,
    skeleton: { width: 160 },
    cell: (entry) => entry.target_name ?? <span className="text-fg-3">–</span>,
  },
  { id: "actor", head: "By", width: 110, skeleton: { width: 84 }, cell: (entry) => entry.actor },
];
