import { useInfiniteQuery } from "@tanstack/react-query";
import { listAudit, type AuditRecord } from "#contract/audit.ts";
import { addCredits } from "#contract/credits.ts";
import { pages } from "../../api/query.ts";
import { QueryBoundary } from "../../shell/QueryBoundary.tsx";
import type { Column } from "../../table/column.ts";
import { Older } from "../../table/Older.tsx";
import { Table, TableSkeleton } from "../../table/Table.tsx";
import { TimeCell } from "../../table/TimeCell.tsx";
import { Money } from "../../ui/Money.tsx";

/** Of the audit log's records of credits that were added or taken away. */
const columns: readonly Column<AuditRecord>[] = [
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

/** What was added and removed, by whom and why: each entry is a change in the audit log. */
export function CreditEntries() {
  const list = useInfiniteQuery(pages(listAudit, { query: { action: addCredits.name, limit: "50" } }));
  return (
    <section aria-labelledby="entries" className="border-t border-line pt-5">
      <h2 id="entries" className="px-8 pb-2 text-15 max-md:px-4">
        Entries
      </h2>
      <QueryBoundary query={list} what="the entries" skeleton={<TableSkeleton columns={columns} rows={3} />}>
        {({ pages: loaded }) => {
          const entries = loaded.flatMap((page) => page.data);
          if (entries.length === 0) return <p className="px-8 pb-4 text-fg-2 max-md:px-4">No entries yet.</p>;
          return (
            <>
              <Table label="Entries" columns={columns} context={undefined} rows={entries} rowId={({ id }) => id} />
              <Older list={list} what="entries" />
            </>
          );
        }}
      </QueryBoundary>
    </section>
  );
}
