import { useInfiniteQuery } from "@tanstack/react-query";
import type { AuditRecord } from "#contract/audit.ts";
import { listAudit } from "#contract/audit.ts";
import { addCredits } from "#contract/credits.ts";
import { useNow } from "../../api/clock.ts";
import { pages } from "../../api/query.ts";
import { usePreference } from "../../preferences.ts";
import { ledger } from "../../shell/ledger.ts";
import { Reading } from "../../shell/Reading.tsx";
import { Button } from "../../ui/Button.tsx";
import { Money } from "../../ui/Money.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { Time } from "../../ui/Time.tsx";

/** What was added and taken away, by whom and why: each entry is a change on the audit log. */
export function CreditEntries() {
  const list = useInfiniteQuery(pages(listAudit, { query: { action: addCredits.name, limit: "50" } }));
  const zone = usePreference("zone");
  return (
    <section aria-labelledby="entries" className="border-t border-line pt-5">
      <h2 id="entries" className="px-8 pb-2 text-15 max-md:px-4">
        Entries
      </h2>
      <Reading query={list} what="the entries" skeleton={<Skeletons />}>
        {({ pages: loaded }) => {
          const entries = loaded.flatMap((page) => page.data);
          if (entries.length === 0) return <p className="px-8 pb-4 text-fg-2 max-md:px-4">There is none yet.</p>;
          return (
            <>
              <div className={ledger.scroll} role="region" aria-label="Entries, scrolls sideways" tabIndex={0}>
                <table className={ledger.table}>
                  <thead>
                    <tr>
                      <th scope="col" className={ledger.head}>
                        When, {zone === "utc" ? "UTC" : "local time"}
                      </th>
                      <th scope="col" className={`${ledger.head} ${ledger.figures}`}>
                        Amount
                      </th>
                      <th scope="col" className={ledger.head}>
                        Note
                      </th>
                      <th scope="col" className={ledger.head}>
                        Made by
                      </th>
                    </tr>
                  </thead>
                  <tbody>
                    {entries.map((entry) => (
                      <Row key={entry.id} entry={entry} />
                    ))}
                  </tbody>
                </table>
              </div>
              {list.hasNextPage && (
                <div className="px-8 py-3 max-md:px-4">
                  <Button size="sm" pending={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
                    {list.isFetchNextPageError ? "Older entries did not load: try again" : "Show older entries"}
                  </Button>
                </div>
              )}
            </>
          );
        }}
      </Reading>
    </section>
  );
}

function Row({ entry }: { entry: AuditRecord }) {
  const zone = usePreference("zone");
  const now = useNow(60_000);
  const amount = entry.after?.["amount_usd"];
  return (
    <tr className="hover:bg-bg-2">
      <td className={`${ledger.cell} whitespace-nowrap`}>
        <Time iso={entry.at} show="full" zone={zone} now={now} focusable />
      </td>
      <td className={`${ledger.cell} ${ledger.figures}`}>
        {typeof amount === "number" ? <Money usd={amount} /> : "–"}
      </td>
      <td className={ledger.cell}>{entry.target_name ?? <span className="text-fg-3">–</span>}</td>
      <td className={ledger.cell}>{entry.actor}</td>
    </tr>
  );
}

function Skeletons() {
  return (
    <div className="grid gap-4 px-8 py-2 max-md:px-4">
      {[360, 320, 340].map((width) => (
        <Skeleton key={width} width={width} />
      ))}
    </div>
  );
}
