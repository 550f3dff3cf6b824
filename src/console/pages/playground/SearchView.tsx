import { useState } from "react";
import { useStore } from "../../api/store.ts";
import { formatCount } from "../../format.ts";
import { Button } from "../../ui/Button.tsx";
import { NativeSelect } from "../../ui/NativeSelect.tsx";
import { missingReason } from "./missing-reason.ts";
import { Ranking } from "./Ranking.tsx";
import type { ViewProps } from "./view-props.ts";
import { useAnswer } from "./use-answer.ts";
import { rankedSentence, searchSentence } from "./view-sentences.ts";
import { ViewSentence } from "./ViewSentence.tsx";

const queriesAtOnce = 50;
/** How many rows each query lists, which are those that can be reranked. */
const lengths = [10, 20, 50, 100];

/** The question with the rows that are nearest to it, then each query of the run with its documents. */
export function SearchView({ playground: { store, worker }, run, hits }: ViewProps) {
  const { used, question } = useStore(store);
  const rows = run.shown.map((_, row) => row);
  const [listed, setListed] = useState(10);
  const [most, setMost] = useState(queriesAtOnce);
  const all = rows.filter((row) => run.shown[row]?.role === "query");
  const queries = all.slice(0, most);
  const among = rows.filter((row) => run.shown[row]?.role === "document");
  const found = useAnswer(
    worker,
    "search",
    queries.length > 0 ? { run: run.id, used, queries, among, k: listed } : null,
    run.progress.done,
  ).data;
  if (queries.length === 0 && !hits) {
    return (
      <p className="px-(--pane-x) py-6 text-fg-2">
        Ask a question above to rank all rows by it.
        {run.mode === "batch" &&
          " To rank for many at once, mark batch rows as queries (D next to a row) and run again."}
      </p>
    );
  }
  const sentence = hits
    ? rankedSentence(hits.byRow, { question: true }, run.shown)
    : searchSentence(found ?? [], all.length, run.shown);
  return (
    <>
      <ViewSentence sentence={sentence} run={run} />
      <div className="grid grid-cols-1 gap-5 px-(--pane-x) py-6">
        <label className="inline-flex items-center gap-1.5 justify-self-start text-12 text-fg-2">
          Rows listed
          <NativeSelect size="sm" value={listed} onChange={(event) => setListed(Number(event.target.value))}>
            {lengths.map((length) => (
              <option key={length} value={length}>
                {length}
              </option>
            ))}
          </NativeSelect>
        </label>
        {hits && question && (
          <section aria-label={`Question: ${question.text.slice(0, 100)}`}>
            <h2 className="text-15">{question.text.slice(0, 200)}</h2>
            <Ranking
              store={store}
              run={run}
              query={question.text}
              ranked={{ rows: hits.rows.slice(0, listed), scores: hits.scores }}
            />
          </section>
        )}
        {queries.map((row) => {
          const { text = "", number } = run.shown[row] ?? {};
          // a query without a vector has no list: what is listed says itself whose it is
          const ranked = found?.find(({ query }) => query === row);
          return (
            <section key={row} aria-label={`Query: ${text.slice(0, 100)}`}>
              <h2 className="text-15">{text.slice(0, 200)}</h2>
              {ranked ? (
                <Ranking store={store} run={run} query={text} ranked={ranked} />
              ) : (
                found && (
                  <p className="border-t border-line-2 py-1 text-fg-2">
                    Row {number} cannot be searched for. {missingReason(run, row)}
                  </p>
                )
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
    </>
  );
}
