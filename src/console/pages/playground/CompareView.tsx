import { useEffect, useState } from "react";
import { useStore } from "../../api/store.ts";
import {
  counted,
  formatBytes,
  formatCompact,
  formatCount,
  formatLatency,
  formatPercent,
  formatUsd,
} from "../../format.ts";
import { moreShadow } from "../../ui/more-shadow.ts";
import { useWholeColumns } from "../../table/whole-columns.ts";
import { Checkbox } from "../../ui/Checkbox.tsx";
import { cx } from "../../ui/cx.ts";
import { LinkButton } from "../../ui/LinkText.tsx";
import { NativeSelect } from "../../ui/NativeSelect.tsx";
import { comparableRuns, sameTexts } from "./comparable-runs.ts";
import { CompareMaps } from "./CompareMaps.tsx";
import { CompareQuality } from "./CompareQuality.tsx";
import { CompareRanks } from "./CompareRanks.tsx";
import { change, drawnAt, type Run } from "./playground.ts";
import type { Comparison, VectorSlice } from "../../vectors/protocol.ts";
import { routingLabel } from "./routing-labels.ts";
import { sampleMessage } from "./sample-messages.ts";
import { useAnswer } from "./use-answer.ts";
import { compareSentence } from "./view-sentences.ts";
import { ViewSentence } from "./ViewSentence.tsx";
import type { Playground } from "./use-playground.ts";

const most = 4;
const corpora = [100_000, 1_000_000, 10_000_000, 100_000_000];

/** Up to four runs of the same texts. Scores of different models cannot be compared; who is near whom can. */
export function CompareView({ playground }: { playground: Playground }) {
  const { store, worker } = playground;
  const { runs: all, compared, current, used } = useStore(store);
  const runs = all.filter(({ example }) => !example);
  const [corpus, setCorpus] = useState(1_000_000);
  const chosen = compared.flatMap((id) => runs.filter((run) => run.id === id && run.progress.done > 0));
  const [first] = chosen;
  const fitting = first ? chosen.filter((run) => sameTexts(first, run)) : [];
  const done = fitting.reduce((sum, run) => sum + drawnAt(run), 0);
  // the cut belongs to the run that it was made on: one run's first numbers can so be held against another's whole
  const sliceOf = ({ id }: Run): VectorSlice => ({ run: id, used: id === current ? used : null });
  const slices = fitting.map(sliceOf);
  const found = useAnswer(worker, "compare", slices.length > 1 ? { slices, seed: 7 } : null, done).data;
  const [region, setRegion] = useState<HTMLDivElement | null>(null);
  useWholeColumns(region, found ?? runs);
  useEffect(() => {
    const state = store.get();
    change(store, {
      compared: comparableRuns(
        state.runs.filter(({ example }) => !example),
        state.compared,
      ),
    });
  }, [store]);
  const isChosen = (run: Run) => chosen.includes(run);
  // what the others are compared with comes first
  const listed = [...chosen, ...runs.filter((run) => !isChosen(run))];
  const unfit = (run: Run) =>
    run.progress.done === 0 ||
    (!isChosen(run) && (chosen.length >= most || (first !== undefined && !sameTexts(first, run))));
  const sizeOf = (run: Run) => Math.min(sliceOf(run).used ?? Number.POSITIVE_INFINITY, run.dimensions ?? 0);
  const sizes = new Map(fitting.map((run) => [run.id, sizeOf(run)]));
  return (
    <>
      {fitting.length > 1 && (
        <ViewSentence sentence={found ? compareSentence(found, (run) => sizes.get(run) ?? 0) : null} />
      )}
      <div className="grid gap-5 px-(--pane-x) py-6">
        <Intro />
        {runs.length === 0 && <p>No runs yet. Write or paste texts, then run them.</p>}
        <div ref={setRegion} className={cx("relative overflow-x-auto", moreShadow, runs.length === 0 && "hidden")}>
          <table className="w-full text-right text-12 tabular-nums">
            <thead className="border-b border-line-2 text-fg-3">
              <tr>
                {["Run", "Dimensions", "Same neighbors", "Rank correlation", "Per 1M tokens", "Median call"].map(
                  (head, at) => (
                    <th
                      key={head}
                      scope="col"
                      className={at === 0 ? "py-1 text-left font-normal" : "py-1 pl-3 font-normal whitespace-nowrap"}
                    >
                      {head}
                    </th>
                  ),
                )}
                <th scope="col" className="pl-3 font-normal">
                  <NativeSelect
                    size="sm"
                    className="min-w-30"
                    aria-label="Memory of so many vectors"
                    value={corpus}
                    onChange={(event) => setCorpus(Number(event.target.value))}
                  >
                    {corpora.map((count) => (
                      <option key={count} value={count}>
                        {formatCompact(count)} vectors
                      </option>
                    ))}
                  </NativeSelect>
                </th>
              </tr>
            </thead>
            <tbody>
              {listed.map((run) => (
                <RunRow
                  key={run.id}
                  run={run}
                  own={found?.find((one) => one.run === run.id)}
                  reference={fitting.length > 1 ? first : undefined}
                  size={sizeOf(run)}
                  corpus={corpus}
                  checked={isChosen(run)}
                  disabled={unfit(run)}
                  onCheck={(checked) => {
                    const others = chosen.filter((one) => one !== run).map(({ id }) => id);
                    change(store, { compared: checked ? [...others, run.id] : others });
                  }}
                  onReference={() => change(store, { compared: [run.id, ...compared.filter((id) => id !== run.id)] })}
                />
              ))}
            </tbody>
          </table>
        </div>
        {fitting.length > 1 && <CompareQuality playground={playground} runs={fitting} slices={slices} version={done} />}
        {found && fitting.length > 1 && (
          <>
            <CompareRanks playground={playground} runs={fitting} slices={slices} version={done} />
            <CompareMaps worker={worker} found={found} runs={fitting} slices={slices} />
          </>
        )}
      </div>
    </>
  );
}

interface RunRowProps {
  run: Run;
  own: Comparison | undefined;
  /** the run that the others are compared with */
  reference: Run | undefined;
  /** numbers of each vector as it is looked at */
  size: number;
  corpus: number;
  checked: boolean;
  disabled: boolean;
  onCheck: (checked: boolean) => void;
  onReference: () => void;
}

function RunRow({ run, own, reference, size, corpus, onReference, ...props }: RunRowProps) {
  const { tokens, cost, latencies } = run.progress;
  const median = latencies.toSorted((a, b) => a - b)[Math.floor(latencies.length / 2)];
  const isReference = run === reference;
  const compared = isReference ? undefined : own;
  return (
    <tr className="border-b border-line">
      <th scope="row" className="py-1 text-left font-normal">
        <Checkbox
          label={`Run ${run.id}: ${run.model}, ${counted(run.items.length, "row")}`}
          hint={hintOf(run, isReference, isSame(compared) ? (reference?.id ?? null) : null)}
          checked={props.checked}
          disabled={props.disabled}
          onChange={({ target }) => props.onCheck(target.checked)}
        />
      </th>
      <td className="pl-3">
        {size === 0 ? "–" : formatCount(size)}
        {size < (run.dimensions ?? 0) && ` of ${formatCount(run.dimensions ?? 0)}`}
      </td>
      <td>
        {compared ? formatPercent(compared.overlap) : isReference ? "reference" : "–"} {sampled(compared)}
        {compared && (
          <LinkButton
            className="block w-full text-right text-11"
            aria-label={`Compare with run ${run.id}`}
            onClick={onReference}
          >
            Compare with this
          </LinkButton>
        )}
      </td>
      <td>
        {compared ? compared.correlation.toFixed(3) : "–"} {sampled(compared)}
      </td>
      <td>{cost === null || tokens === 0 ? "–" : perMillion(cost, tokens)}</td>
      <td>{median === undefined ? "–" : formatLatency(median)}</td>
      <td>{size === 0 ? "–" : formatBytes(size * 4 * corpus)}</td>
    </tr>
  );
}

/** What a run cost was rounded for each of its calls: three digits of it count. */
const perMillion = (cost: number, tokens: number) => formatUsd(Number(((cost / tokens) * 1e6).toPrecision(3)));

/** How it was routed, and what it is to the others. */
function hintOf({ progress, search }: Run, isFirst: boolean, sameAs: number | null): string {
  if (progress.done === 0) return "No vectors";
  const what = isFirst ? "; the others are compared with this run" : "";
  return `Routing ${routingLabel(search)}${sameAs === null ? what : `; finds the same as run ${sameAs}`}`;
}

/** Nothing tells the two apart. */
const isSame = (found: Comparison | undefined) =>
  found !== undefined && found.overlap > 0.9999 && found.correlation > 0.9999;

const Intro = () => (
  <p className="max-w-140 text-fg-2">
    Choose up to four runs of the same texts: change the model, its dimensions, the roles or the provider, and run
    again. Cosines of different models mean different things, so neighbors and ranks are compared, each with those of
    the reference.
  </p>
);

function sampled(found: Comparison | undefined) {
  const words = found ? sampleMessage(found) : "";
  return words !== "" && <span className="block text-11 text-fg-3">{words}</span>;
}
