import { useStore } from "../../api/store.ts";
import { counted, formatCount, formatDuration, formatLatency, formatUsd } from "../../format.ts";
import { Button } from "../../ui/Button.tsx";
import { CopyButton } from "../../ui/CopyButton.tsx";
import { cx } from "../../ui/cx.ts";
import { Meter } from "../../ui/Meter.tsx";
import { AnsweredBy } from "./AnsweredBy.tsx";
import { dimensionLabel } from "./dimension-labels.ts";
import { drawnAt, underWay } from "./playground.ts";
import { QuietLine } from "./NoticeLine.tsx";
import { ProgressLog } from "./ProgressLog.tsx";
import { RunWarnings } from "./RunWarnings.tsx";
import type { Action } from "../../vectors/protocol.ts";
import type { Progress } from "../../vectors/run-batch.ts";
import type { ViewProps } from "./view-props.ts";
import { useAnswer } from "./use-answer.ts";
import { WaitNotice } from "./WaitNotice.tsx";

/** How far a run is, what it cost so far and how long it will take; and the buttons that steer it. */
export function RunStatus({ playground, run, set }: Pick<ViewProps, "playground" | "run" | "set">) {
  const { worker, store } = playground;
  const { progress, id, rate } = run;
  const { used } = useStore(store);
  const { state, total, done, failures, waiting } = progress;
  const summary = useAnswer(worker, "summary", done > 0 ? { run: id, used } : null, drawnAt(run)).data;
  const sorted = progress.latencies.toSorted((a, b) => a - b);
  const at = (share: number) =>
    formatLatency(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
  const steer = (action: Action) => playground.steer(run, action);
  const left = total - done - failures.length;
  const under = underWay(progress);
  return (
    <div className="flex shrink-0 flex-wrap *:basis-full @min-[1000px]/results:*:first:basis-auto @min-[1000px]/results:*:data-quiet:grow @min-[1000px]/results:*:data-quiet:basis-0 @min-[1000px]/results:*:data-quiet:min-w-80">
      {/* two lines where they may be needed, so that nothing moves once the run is over; on a phone two of text */}
      <div className="flex min-h-9 shrink-0 flex-wrap content-center items-center gap-x-5 gap-y-1 border-b border-line px-(--pane-x) py-0.5 text-12 text-fg-2 tabular-nums @max-[700px]/results:min-h-18 @max-[460px]/results:min-h-13 @max-[460px]/results:gap-x-3">
        {under && total > 1 && (
          <span className="@max-[460px]/results:hidden">
            <Meter role="progressbar" fraction={done / total} tone="accent" label="Rows that have a vector" />
          </span>
        )}
        <ProgressLog run={run} />
        <span className="text-fg-1">
          {formatCount(done)} / {formatCount(total)}{" "}
          {state === "done" && failures.length === 0 ? (total === 1 ? "row" : "rows") : state}
          {failures.length > 0 && `, ${formatCount(failures.length)} failed`}
          {run.removed !== undefined && run.removed.size > 0 && `, ${formatCount(run.removed.size)} removed`}
        </span>
        {state === "running" && rate !== null && (
          <span className="@max-[460px]/results:hidden">
            {counted(Math.round(rate), "row")}/s, {formatDuration(Math.max(1, Math.ceil(left / rate)) * 1_000)} left
          </span>
        )}
        {state !== "running" && <AnsweredBy generations={progress.generations} />}
        <span className={cx(under && "@max-[460px]/results:hidden")}>{tokensText(progress)}</span>
        {progress.cost !== null && (
          <span className={cx(under && "@max-[460px]/results:hidden")}>
            {formatUsd(progress.cost, { exact: true })}
          </span>
        )}
        <span className="flex gap-2 @max-[460px]/results:ml-auto">
          {state === "running" && (
            <Button size="sm" onClick={() => steer("pause")}>
              Pause
            </Button>
          )}
          {state === "paused" && (
            <Button size="sm" onClick={() => steer("resume")}>
              Resume
            </Button>
          )}
          {under && (
            <Button size="sm" shortcut="esc" onClick={() => steer("cancel")}>
              Cancel
            </Button>
          )}
          {state === "cancelled" && left > 0 && (
            <Button size="sm" onClick={() => steer("retry")}>
              Run the other {formatCount(left)}
            </Button>
          )}
        </span>
      </div>
      {done === 0 && waiting && <WaitNotice run={run} wait={waiting} />}
      {done > 0 && (
        <QuietLine>
          {run.dimensions !== null && <span>{dimensionLabel(run, { used })}</span>}
          {sorted.length > 0 && (
            <span>
              {at(0.5)} p50, {at(0.95)} p95
            </span>
          )}
          {summary && !under && (
            <span>
              {summary.unit ? "all unit length" : `length ${summary.least.toFixed(2)} to ${summary.most.toFixed(2)}`}
              {summary.zero > 0 && `, ${summary.zero} all zeros`}
              {summary.broken > 0 && `, ${summary.broken} not numbers`}
            </span>
          )}
          {progress.spaces.length === 1 && <VectorSpace id={progress.spaces[0] ?? ""} />}
        </QuietLine>
      )}
      <RunWarnings playground={playground} run={run} set={set} />
    </div>
  );
}

function VectorSpace({ id }: { id: string }) {
  return (
    <span className="flex items-center gap-1 @max-[740px]/results:hidden">
      space <span className="mono">{id}</span>
      <CopyButton text={id} label="Copy the id of the vector space" />
    </span>
  );
}

/** For calls that were charged and failed, the token count is unknown. */
function tokensText({ tokens, cost, latencies }: Progress): string {
  return latencies.length === 0 && cost !== null ? "tokens unknown" : counted(tokens, "token");
}
