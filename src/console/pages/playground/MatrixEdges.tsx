import type { ReactNode } from "react";
import { cx } from "../../ui/cx.ts";

interface EdgeProps {
  /** the first row or column that is shown, and how many are */
  from: number;
  span: number;
  /** of a cell */
  pixels: number;
  /** one in so many has a label */
  step: number;
  /** the one of the chosen cell */
  current: number;
  /** those that answer the question */
  marked: readonly number[];
  labelOf: (at: number) => ReactNode;
}

export function TopEdge({ from, span, pixels, step, current, marked, labelOf }: EdgeProps) {
  return (
    <div aria-hidden="true" className="relative h-5 text-11 text-fg-3 tabular-nums">
      {everyOf(span, step).map((at) => (
        <span
          key={at}
          style={{ left: (at + 0.5) * pixels }}
          className={cx("absolute -translate-x-1/2", from + at === current && "font-semibold text-fg-1")}
        >
          {labelOf(from + at)}
        </span>
      ))}
      {marksOf(marked, from, span).map((at) => (
        <span
          key={at}
          style={{ left: at * pixels, width: Math.max(2, pixels - 1) }}
          className="absolute bottom-0 h-0.75 bg-accent"
        />
      ))}
    </div>
  );
}

export function LeftEdge({ from, span, pixels, step, current, marked, labelOf }: EdgeProps) {
  return (
    <div aria-hidden="true" data-labels="rows" className="relative text-11 text-fg-3 tabular-nums">
      {everyOf(span, step).map((at) => (
        <span
          key={at}
          style={{ top: (at + 0.5) * pixels }}
          className={cx(
            "absolute inset-x-0 -translate-y-1/2 truncate pr-2 text-right",
            from + at === current && "font-semibold text-fg-1",
          )}
        >
          {labelOf(from + at)}
        </span>
      ))}
      {marksOf(marked, from, span).map((at) => (
        <span
          key={at}
          style={{ top: at * pixels, height: Math.max(2, pixels - 1) }}
          className="absolute right-0.5 w-0.75 bg-accent"
        />
      ))}
    </div>
  );
}

function everyOf(span: number, step: number): number[] {
  return Array.from({ length: Math.ceil(span / step) }, (_, index) => index * step);
}

function marksOf(marked: readonly number[], from: number, span: number): number[] {
  return marked.map((at) => at - from).filter((at) => at >= 0 && at < span);
}
