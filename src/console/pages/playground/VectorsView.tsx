import { useStore } from "../../api/store.ts";
import { formatBytes, formatCount, formatPercent } from "../../format.ts";
import { Button } from "../../ui/Button.tsx";
import { CopyButton } from "../../ui/CopyButton.tsx";
import { encodeFloats } from "./base64.ts";
import { whyMissing } from "./missing.ts";
import { change, drawnAt } from "./playground.ts";
import type { VectorFacts } from "./protocol.ts";
import type { ViewProps } from "./ResultPane.tsx";
import { Tradeoff } from "./Tradeoff.tsx";
import { useAnswer } from "./use-answer.ts";

/** One vector in numbers, and what shorter ones would keep, without a new call. */
export function VectorsView({ playground: { store, worker }, run }: ViewProps) {
  const { used, selected } = useStore(store);
  const row = selected ?? 0;
  const all = run.dimensions ?? 1;
  const facts = useAnswer(worker, "vector", { run: run.id, used, row }, drawnAt(run)).data;
  const values = useAnswer(worker, "values", { run: run.id, used, row }, drawnAt(run)).data;
  const drawn = drawnAt(run);
  const sizes = [8, 16, 32, 64, 128, 256, 512, 1_024, 2_048].filter((size) => size < all && size * 64 > all);
  const asked = [...new Set([...sizes, used ?? all, all])].toSorted((a, b) => a - b);
  const trade = useAnswer(worker, "tradeoff", run.progress.done > 3 ? { run: run.id, sizes: asked } : null, drawn).data;
  if (facts === undefined) return null;
  return (
    <div className="grid max-w-180 gap-6 p-6">
      <section aria-label="One vector">
        <p className="text-12 text-fg-3">Row {run.shown[row]?.number}</p>
        <p className="break-words">{run.shown[row]?.text.slice(0, 300)}</p>
        {facts === null ? (
          <p className="pt-2 text-fg-2">{whyMissing(run, row)}</p>
        ) : (
          <OneVector facts={facts} values={values ?? []} used={used ?? all} />
        )}
      </section>
      <section aria-label="Dimensions">
        <h2 className="text-15">What fewer dimensions keep</h2>
        <label className="flex items-center gap-3 py-2">
          <span className="text-12">Look at the first</span>
          <input
            type="range"
            min={Math.min(8, all)}
            max={all}
            value={used ?? all}
            aria-label="Dimensions in use"
            onChange={(event) =>
              change(store, { used: Number(event.target.value) === all ? null : Number(event.target.value) })
            }
            className="h-7 grow accent-accent"
          />
          <span className="w-28 text-12 tabular-nums">
            {formatCount(used ?? all)} of {formatCount(all)}
          </span>
        </label>
        <p className="pb-2 text-12 text-fg-3">
          All views follow; lengths are made 1 again. Only models trained for it keep their meaning when cut.
        </p>
        {trade && (
          <Tradeoff
            points={trade}
            all={all}
            used={used ?? all}
            onUse={(size) => change(store, { used: size === all ? null : size })}
          />
        )}
        {trade && (
          <table className="mt-3 w-full text-right text-12 tabular-nums">
            <thead className="border-b border-line-2 text-fg-3">
              <tr>
                <th scope="col" className="py-1 text-left font-normal">
                  Dimensions
                </th>
                <th scope="col" className="font-normal">
                  Same neighbours
                </th>
                <th scope="col" className="font-normal">
                  Rank correlation
                </th>
                <th scope="col" className="font-normal">
                  A million vectors
                </th>
                <td />
              </tr>
            </thead>
            <tbody>
              {trade.map((point) => (
                <tr key={point.used} className="border-b border-line">
                  <th scope="row" className="py-1 text-left font-normal">
                    {formatCount(point.used)}
                  </th>
                  <td>{formatPercent(point.overlap)}</td>
                  <td>{point.correlation.toFixed(3)}</td>
                  <td>{formatBytes(point.used * 4e6)}</td>
                  <td>
                    <Button
                      size="sm"
                      variant="quiet"
                      onClick={() => change(store, { used: point.used === all ? null : point.used })}
                    >
                      Use {formatCount(point.used)}
                    </Button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </section>
    </div>
  );
}

function OneVector({ facts, values, used }: { facts: VectorFacts; values: readonly number[]; used: number }) {
  const most = Math.max(...facts.shape.map(Math.abs)) || 1;
  const highest = Math.max(...facts.histogram.counts);
  return (
    <>
      <p className="mono pt-2 text-12">
        {facts.first.map((value) => value.toFixed(4)).join("  ")}
        {used > 8 && " …"}
        <CopyButton label="Copy the vector as JSON" text={() => JSON.stringify(values)} />
        <CopyButton label="Copy the vector as base64 of float32" text={() => encodeFloats([...values])} />
      </p>
      <p className="text-12 text-fg-3">
        {formatCount(used)} numbers, length {facts.norm.toFixed(4)}
      </p>
      <svg
        viewBox={`0 -20 ${facts.shape.length * 4} 40`}
        className="mt-2 h-10 max-w-full text-accent"
        role="img"
        aria-label="The vector's numbers from first to last"
      >
        {facts.shape.map((value, index) => (
          <path key={index} d={`M${index * 4 + 1} 0v${(-value / most) * 19}`} stroke="currentColor" strokeWidth="2" />
        ))}
      </svg>
      <svg
        viewBox="0 0 128 40"
        className="mt-3 h-10 text-fg-3"
        role="img"
        aria-label={`How its numbers are spread, from ${facts.histogram.from.toFixed(2)} to ${facts.histogram.to.toFixed(2)}`}
      >
        {facts.histogram.counts.map((count, index) => (
          <path
            key={index}
            d={`M${index * 4 + 1} 40v${(-count / highest) * 39}`}
            stroke="currentColor"
            strokeWidth="2"
          />
        ))}
      </svg>
    </>
  );
}
