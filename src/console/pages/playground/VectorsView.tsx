import { useStore } from "../../api/store.ts";
import { formatCount, formatPercent } from "../../format.ts";
import { CopyButton } from "../../ui/CopyButton.tsx";
import { LinkButton } from "../../ui/LinkText.tsx";
import { encodeFloats } from "../../vectors/base64.ts";
import { missingReason } from "./missing-reason.ts";
import { change, chooseMode, drawnAt } from "./playground.ts";
import type { Calls, VectorFacts } from "../../vectors/protocol.ts";
import type { ViewProps } from "./view-props.ts";
import { RowFace } from "./RowFace.tsx";
import { Tradeoff, TradeoffTable } from "./Tradeoff.tsx";
import { useAnswer, type Answered } from "./use-answer.ts";
import { tradeoffSentence, vectorSentence } from "./view-sentences.ts";
import { ViewSentence } from "./ViewSentence.tsx";
import { WorkProgress } from "./WorkProgress.tsx";

/** One vector in numbers, and what shorter ones would keep, without a new call. */
export function VectorsView({ playground: { store, worker }, run }: ViewProps) {
  const { used, selected } = useStore(store);
  const row = selected ?? 0;
  const all = run.dimensions ?? 1;
  const facts = useAnswer(worker, "vector", { run: run.id, used, row }, drawnAt(run)).data;
  const values = useAnswer(worker, "values", { run: run.id, used, row }, drawnAt(run));
  const drawn = drawnAt(run);
  const sizes = [8, 16, 32, 64, 128, 256, 512, 1_024, 2_048].filter((size) => size < all && size * 64 > all);
  const asked = [...new Set([...sizes, used ?? all, all])].toSorted((a, b) => a - b);
  const trading = useAnswer(worker, "tradeoff", run.progress.done > 3 ? { run: run.id, sizes: asked } : null, drawn);
  const trade = trading.data;
  const use = (size: number) => change(store, { used: size === all ? null : size });
  if (facts === undefined) return null;
  const sentence =
    run.items.length === 1
      ? facts && vectorSentence(facts, used ?? all)
      : trade
        ? tradeoffSentence(trade, all, used ?? all)
        : null;
  return (
    <>
      <ViewSentence
        sentence={sentence}
        run={run}
        work={<WorkProgress work={trading} what="Comparing fewer dimensions with all of them" />}
      />
      <div className="grid max-w-180 gap-6 px-(--pane-x) py-6">
        <section aria-label="One vector">
          <p className="text-12 text-fg-3">Row {run.shown[row]?.number}</p>
          <p className={run.shown[row]?.image === undefined ? "wrap-anywhere" : "flex items-center gap-2.5 pt-1"}>
            <RowFace shown={run.shown[row]} most={300} side="size-16" className="min-w-0 wrap-anywhere" />
          </p>
          {facts === null ? (
            <p className="pt-2 text-fg-2">{missingReason(run, row)}</p>
          ) : (
            <OneVector facts={facts} values={values} used={used ?? all} />
          )}
        </section>
        {run.items.length === 1 ? (
          <p className="max-w-120 border-t border-line pt-4 text-fg-2">
            One vector says little by itself. Compare it with others.{" "}
            {run.mode === "text" && (
              <>
                <LinkButton onClick={() => chooseMode(store, "batch")}>Add texts to compare</LinkButton> in the batch.
              </>
            )}
          </p>
        ) : (
          <section aria-label="Dimensions">
            <h2 className="text-15">What fewer dimensions keep</h2>
            <label className="flex items-center gap-3 py-2">
              <span className="text-12">Use the first</span>
              <input
                type="range"
                min={Math.min(8, all)}
                max={all}
                value={used ?? all}
                aria-label="Dimensions in use"
                onChange={(event) => use(Number(event.target.value))}
                className="h-7 grow accent-accent"
              />
              <span className="w-28 text-12 tabular-nums">
                {formatCount(used ?? all)} of {formatCount(all)}
              </span>
            </label>
            <p className="pb-2 text-12 text-fg-3">
              All views follow; lengths are normalized to 1. Only vectors from models trained for it keep their meaning
              when cut.
            </p>
            {trade && <Tradeoff points={trade} all={all} used={used ?? all} onUse={use} />}
            {trade && <TradeoffTable points={trade} onUse={use} />}
          </section>
        )}
      </div>
    </>
  );
}

/** "21 of them (5.5%) are not zero": of a model of words, that is most of what there is to know. */
function filledWords(filled: number, used: number): string {
  if (filled === 0) return "all of them are zero";
  if (filled === used) return "none of them is zero";
  return `${formatCount(filled)} of them (${formatPercent(filled / used)}) are not zero`;
}

interface OneVectorProps {
  facts: VectorFacts;
  values: Answered<Calls["values"][1]>;
  used: number;
}

function OneVector({ facts, values, used }: OneVectorProps) {
  const most = Math.max(...facts.shape.map(Math.abs)) || 1;
  const numbers = values.data ?? [];
  // until then they are those of the row, or of the cut, before
  const unread = values.pending && "Its numbers are being read";
  const highest = Math.max(...facts.histogram.counts);
  // of one that is nearly all zeros, the first numbers and their spread say nothing
  const sparse = facts.filled < used / 2;
  return (
    <>
      <p className="pt-2 text-fg-2">
        {formatCount(used)} numbers, length {facts.norm.toFixed(4)}; {filledWords(facts.filled, used)}
      </p>
      <h2 className="pt-3 text-12 font-normal text-fg-3">Largest numbers, each with its place in the vector</h2>
      <ul aria-label="Largest numbers" className="mono grid grid-cols-[repeat(auto-fill,minmax(140px,1fr))] text-12">
        {facts.largest.map(({ place, value }) => (
          <li key={place} className="flex items-baseline gap-2 py-0.5">
            <span className="w-11 shrink-0 text-right text-fg-3">{formatCount(place)}</span>
            <span className="tabular-nums">{value.toFixed(4)}</span>
          </li>
        ))}
      </ul>
      {!sparse && (
        <p className="mono pt-2 text-12">
          <span className="font-sans text-fg-3">From the first on: </span>
          {facts.first.map((value) => value.toFixed(4)).join("  ")}
          {used > 8 && " …"}
        </p>
      )}
      <p className="flex flex-wrap gap-2 py-2">
        <CopyButton
          words="Copy as JSON"
          label="Copy as JSON: the vector"
          disabledReason={unread}
          text={() => JSON.stringify(numbers)}
        />
        <CopyButton
          words="Copy as base64"
          label="Copy as base64: the vector’s float32"
          disabledReason={unread}
          text={() => encodeFloats(numbers)}
        />
      </p>
      <div className="flex flex-wrap gap-x-8 gap-y-3 pt-2 text-12 text-fg-3 tabular-nums">
        <figure>
          <figcaption aria-hidden="true">From the first number to the last</figcaption>
          <svg
            viewBox={`0 -20 ${facts.shape.length * 4} 40`}
            role="img"
            aria-label="The vector's numbers from first to last"
            className="mt-1 h-10 max-w-full text-accent"
          >
            {facts.shape.map((value, index) => (
              <path
                key={index}
                d={`M${index * 4 + 1} 0v${(-value / most) * 19}`}
                stroke="currentColor"
                strokeWidth="2"
              />
            ))}
          </svg>
        </figure>
        {!sparse && (
          <figure>
            <figcaption>
              How they are spread, {facts.histogram.from.toFixed(2)} to {facts.histogram.to.toFixed(2)}
            </figcaption>
            <svg viewBox="0 0 128 40" aria-hidden="true" className="mt-1 h-10">
              {facts.histogram.counts.map((count, index) => (
                <path
                  key={index}
                  d={`M${index * 4 + 1} 40v${(-count / highest) * 39}`}
                  stroke="currentColor"
                  strokeWidth="2"
                />
              ))}
            </svg>
          </figure>
        )}
      </div>
    </>
  );
}
