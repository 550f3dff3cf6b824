import { useStore } from "../../api/store.ts";
import { formatCount, formatDuration, formatLatency, formatUsd } from "../../format.ts";
import { Button } from "../../ui/Button.tsx";
import { Meter } from "../../ui/Meter.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { AnsweredBy } from "./AnsweredBy.tsx";
import { dimensionWords } from "./dimension-words.ts";
import { FailedRows } from "./FailedRows.tsx";
import { drawnAt } from "./playground.ts";
import type { Run } from "./playground.ts";
import { useAnswer } from "./use-answer.ts";
import type { Playground } from "./use-playground.ts";

/** How far a run is, what it cost so far and how long it will take; and the buttons that steer it. */
export function RunStatus({ playground: { worker, store }, run }: { playground: Playground; run: Run }) {
  const { progress, id, rate } = run;
  const { used } = useStore(store);
  const { state, total, done, failures, waiting } = progress;
  const summary = useAnswer(worker, "summary", done > 0 ? { run: id, used } : null, drawnAt(run)).data;
  const sorted = progress.latencies.toSorted((a, b) => a - b);
  const at = (share: number) =>
    formatLatency(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
  const steer = (action: "pause" | "resume" | "cancel" | "retry") => void worker.ask("steer", { run: id, action });
  const left = total - done - failures.length;
  const under = state === "running" || state === "paused";
  return (
    <>
      <div className="flex min-h-11 flex-wrap items-center gap-x-5 gap-y-1 border-b border-line px-6 py-1 text-12 text-fg-2 tabular-nums max-md:px-4">
        {under && total > 1 && <Meter fraction={done / total} tone="accent" label="Rows that have a vector" />}
        <span role="status" className="text-fg-1">
          {formatCount(done)} / {formatCount(total)} {state === "done" && failures.length === 0 ? "rows" : state}
          {failures.length > 0 && `, ${formatCount(failures.length)} failed`}
        </span>
        {state === "running" && rate !== null && (
          <span>
            {formatCount(Math.round(rate))} rows/s, {formatDuration(Math.max(1, Math.ceil(left / rate)) * 1_000)} left
          </span>
        )}
        {state !== "running" && <AnsweredBy generations={progress.generations} />}
        {run.dimensions !== null && <span>{dimensionWords(run, { used })}</span>}
        <span>{formatCount(progress.tokens)} tokens</span>
        {progress.cost !== null && <span>{formatUsd(progress.cost)}</span>}
        {sorted.length > 0 && (
          <span>
            {at(0.5)} p50, {at(0.95)} p95
          </span>
        )}
        {summary && !under && (
          <span className="text-fg-3">
            {summary.unit ? "all unit length" : `length ${summary.least.toFixed(2)} to ${summary.most.toFixed(2)}`}
            {summary.zero > 0 && `, ${summary.zero} all zeros`}
            {summary.broken > 0 && `, ${summary.broken} not numbers`}
          </span>
        )}
        <span className="flex gap-2">
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
            <Button size="sm" onClick={() => steer("cancel")}>
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
      {waiting && (
        <Notice tone="warn" role="status">
          “{waiting.refused.message}” Trying again in {Math.ceil(waiting.ms / 1_000)} s.
        </Notice>
      )}
      {failures.length > 0 && <FailedRows run={run} onRetry={under ? null : () => steer("retry")} />}
    </>
  );
}
