import { useState } from "react";
import { useStore } from "../../api/store.ts";
import { formatCount } from "../../format.ts";
import { Button } from "../../ui/Button.tsx";
import { whyMissing } from "./missing.ts";
import { change } from "./playground.ts";
import type { ViewProps } from "./ResultPane.tsx";
import { useAnswer } from "./use-answer.ts";

const queriesAtOnce = 50;

/** Each query with the documents that are nearest to it. */
export function SearchView({ playground: { store, worker }, run }: ViewProps) {
  const { used } = useStore(store);
  const places = run.shown.map((_, place) => place);
  const [most, setMost] = useState(queriesAtOnce);
  const all = places.filter((place) => run.shown[place]?.role === "query");
  const queries = all.slice(0, most);
  const among = places.filter((place) => run.shown[place]?.role === "document");
  const found = useAnswer(
    worker,
    "search",
    queries.length > 0 ? { run: run.id, used, queries, among, k: 10 } : null,
    run.progress.done,
  ).data;
  if (queries.length === 0) {
    return (
      <p className="p-6 text-fg-2">
        No row of this run is a query. Press D beside a row of the batch to make it one, then run again.
      </p>
    );
  }
  if (!found) return null;
  return (
    <div className="grid gap-5 p-6">
      {queries.map((place) => {
        const { text = "", number } = run.shown[place] ?? {};
        // a query without a vector has no list: what is listed says itself whose it is
        const ranked = found.find(({ query }) => query === place);
        return (
          <section key={place} aria-label={`Query: ${text.slice(0, 100)}`}>
            <h2 className="text-15">{text.slice(0, 200)}</h2>
            {ranked ? (
              <ol className="border-t border-line-2">
                {Array.from(ranked.rows, (row, rank) => (
                  <li key={row} className="border-b border-line">
                    <button
                      type="button"
                      onClick={() => change(store, { selected: row })}
                      className="flex w-full gap-3 py-1 text-left hover:bg-bg-3"
                    >
                      <span className="w-6 text-right text-fg-3 tabular-nums">{rank + 1}</span>
                      <span className="w-10 tabular-nums">{ranked.scores[rank]?.toFixed(2)}</span>
                      <span className="min-w-0 grow truncate">{run.shown[row]?.text.slice(0, 200)}</span>
                    </button>
                  </li>
                ))}
              </ol>
            ) : (
              <p className="border-t border-line-2 py-1 text-fg-2">
                Row {number} cannot be searched for. {whyMissing(run, place)}
              </p>
            )}
          </section>
        );
      })}
      {all.length > most && (
        <p className="flex items-center gap-3 text-fg-2">
          These are the first {formatCount(most)} of {formatCount(all.length)} queries.
          <Button size="sm" onClick={() => setMost(most + queriesAtOnce)}>
            Show {formatCount(Math.min(queriesAtOnce, all.length - most))} more
          </Button>
        </p>
      )}
    </div>
  );
}
