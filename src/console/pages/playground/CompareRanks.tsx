import { useState } from "react";
import { useStore } from "../../api/store.ts";
import { cx } from "../../ui/cx.ts";
import { NativeSelect } from "../../ui/NativeSelect.tsx";
import { dimensionLabel } from "./dimension-labels.ts";
import { missingReason } from "./missing-reason.ts";
import { change, type Run } from "./playground.ts";
import type { VectorSlice } from "../../vectors/protocol.ts";
import { useAnswer } from "./use-answer.ts";
import type { Playground } from "./use-playground.ts";

const listed = 8;
const mostChoices = 200;

interface CompareRanksProps {
  playground: Playground;
  runs: readonly Run[];
  slices: readonly VectorSlice[];
  version: number;
}

/** One query's ranking in each of the runs, side by side; what the first run does not list stands out. */
export function CompareRanks({ playground: { store, worker }, runs, slices, version }: CompareRanksProps) {
  const { selected, current } = useStore(store);
  const [own, setOwn] = useState<number | null>(null);
  const shown = runs[0]?.shown ?? [];
  const places = [...shown.keys()];
  const queries = places.filter((place) => shown[place]?.role === "query");
  const choices = (queries.length > 0 ? queries : places).slice(0, mostChoices);
  // a place in the current run names a row of these only where that run is one of them
  const linked = runs.some(({ id }) => id === current);
  const wanted = linked ? selected : own;
  const row = wanted !== null && shown[wanted] ? wanted : (choices[0] ?? 0);
  const documents = places.filter((place) => shown[place]?.role === "document" && place !== row);
  const found = useAnswer(worker, "rankings", { slices: [...slices], row, among: documents, k: listed }, version).data;
  const firsts = new Set(found?.[0]?.rows);
  return (
    <section aria-label="Rankings">
      <div className="flex flex-wrap items-center gap-3 pb-2">
        <h2 className="text-15">Rankings</h2>
        <NativeSelect
          size="sm"
          className="max-w-100"
          aria-label="Ranked for"
          value={row}
          onChange={(event) => {
            const chosen = Number(event.target.value);
            if (linked) change(store, { selected: chosen });
            else setOwn(chosen);
          }}
        >
          {[...new Set([...choices, row])].map((place) => (
            <option key={place} value={place}>
              {shown[place]?.number}: {shown[place]?.text.slice(0, 80)}
            </option>
          ))}
        </NativeSelect>
        {runs.length > 1 && (
          <p className="text-12 text-fg-3">
            <span className="font-semibold text-accent">Bold</span>: not among those of run {runs[0]?.id}
          </p>
        )}
      </div>
      <div className="grid gap-5 @min-[560px]/results:grid-cols-2 @min-[1000px]/results:grid-cols-4">
        {runs.map((run, column) => (
          <div key={run.id} className="min-w-0">
            <h3 className="truncate border-b border-line-2 pb-1 text-12 font-normal text-fg-3">
              Run {run.id}, {dimensionLabel(run, slices[column])}
            </h3>
            {found?.[column]?.rows.length === 0 && (
              <p className="py-1 text-12 text-fg-2">
                Row {shown[row]?.number}: {missingReason(run, row)}
              </p>
            )}
            <ol aria-label={`Ranked by run ${run.id}`}>
              {Array.from(found?.[column]?.rows ?? [], (place, rank) => (
                <li key={place} className="flex gap-2 border-b border-line py-1 text-12">
                  <span className="w-5 shrink-0 text-right text-fg-3 tabular-nums">{rank + 1}</span>
                  <span
                    className={cx(
                      "line-clamp-2 min-w-0 wrap-anywhere",
                      !firsts.has(place) && "font-semibold text-accent",
                    )}
                  >
                    {shown[place]?.text.slice(0, 160)}
                    {!firsts.has(place) && <span className="sr-only"> (not listed by the first)</span>}
                  </span>
                </li>
              ))}
            </ol>
          </div>
        ))}
      </div>
    </section>
  );
}
