import type { BatchRecord } from "#contract/batches.ts";
import { progressSentence } from "./labels.ts";
import { barsOf, hasEnded } from "./status.ts";

interface BatchBarsProps {
  of: BatchRecord;
  bars?: number;
  height?: number;
  className?: string;
}

function strokes(from: number, to: number, height: number): string {
  let path = "";
  for (let bar = from; bar < to; bar += 1) path += `M${bar * 4 + 1} 0v${height}`;
  return path;
}

/** How far a batch has come: answered requests from the left, then those that failed, then what is left. */
export function BatchBars({ of, bars = 20, height = 8, className }: BatchBarsProps) {
  const { answered, failed } = barsOf(of.request_counts, bars);
  const { total, completed, failed: failures } = of.request_counts;
  const width = bars * 4 - 2;
  const dashed = "forced-colors:stroke-[CanvasText]";
  return (
    <svg
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      fill="none"
      strokeWidth="2"
      className={className}
      role={hasEnded(of) ? "meter" : "progressbar"}
      aria-label="Requests with a result"
      aria-valuemin={0}
      aria-valuemax={total}
      aria-valuenow={completed + failures}
      aria-valuetext={progressSentence(of)}
    >
      <path className={`stroke-accent ${dashed}`} d={strokes(0, answered, height)} />
      <path className={`stroke-bad-fg ${dashed}`} d={strokes(answered, answered + failed, height)} />
      <path
        className="stroke-tick forced-colors:stroke-[GrayText] forced-colors:opacity-50"
        d={strokes(answered + failed, bars, height)}
      />
    </svg>
  );
}
