import { useInfiniteQuery } from "@tanstack/react-query";
import { listAudit } from "#contract/audit.ts";
import { addCredits } from "#contract/credits.ts";
import { pages } from "../../api/query.ts";
import { QueryBoundary } from "../../shell/QueryBoundary.tsx";
import { Older } from "../../table/Older.tsx";
import { Table, TableSkeleton } from "../../table/Table.tsx";
import { creditColumns } from "./credit-columns.tsx";

/** What was added and removed, by whom and why: each entry is a change in the audit log. */
export function CreditEntries() {
  const list = useInfiniteQuery(pages(listAudit, { query: { action: addCredits.name, limit: "50" } }));
  return (
    <section aria-labelledby="entries" className="border-t border-line pt-5">
      <h2 id="entries" className="px-8 pb-2 text-15 max-md:px-4">
        Entries
      </h2>
      <QueryBoundary query={list} what="the entries" skeleton={<TableSkeleton columns={creditColumns} rows={3} />}>
        {({ pages: loaded }) => {
          const entries = loaded.flatMap((page) => page.data);
          if (entries.length === 0) return <p className="px-8 pb-4 text-fg-2 max-md:px-4">No entries yet.</p>;
          return (
            <>
              <Table
                label="Entries"
                columns={creditColumns}
                context={undefined}
                rows={entries}
                rowId={({ id }) => id}
              />
              <Older list={list} what="entries" />
            </>
          );
        }}
      </QueryBoundary>
    </section>
  );
}
