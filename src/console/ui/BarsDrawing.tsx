import type { PointerEvent } from "react";
import type { Bar } from "./Bars.tsx";
import { barHeight } from "./bars-scale.ts";
import { cx } from "./cx.ts";

interface BarsDrawingProps {
  bars: readonly Bar[];
  ticks: readonly number[];
  format: (value: number) => string;
  height: number;
  cursor: number | null;
  onCursor: (index: number) => void;
}

const pitch = 4;

/** The picture itself. The drawing stretches with its place, the strokes do not. */
export function BarsDrawing({ bars, ticks, format, height, cursor, onCursor }: BarsDrawingProps) {
  const top = ticks.at(-1) ?? 0;
  const width = Math.max(bars.length * pitch, 1);
  let first = "";
  let second = "";
  bars.forEach((bar, index) => {
    const x = index * pitch + pitch / 2;
    const tall = barHeight(bar.value, top, height);
    const more = barHeight(bar.more ?? 0, top, height);
    if (tall) first += `M${x} ${height}v${-tall}`;
    if (more) second += `M${x} ${height - tall}v${-more}`;
  });
  function point(event: PointerEvent<HTMLElement>) {
    const box = event.currentTarget.getBoundingClientRect();
    const index = Math.floor(((event.clientX - box.left) / box.width) * bars.length);
    if (index >= 0 && index < bars.length) onCursor(index);
  }
  // 2.5 px, less where so many bars stand in so little room that they would touch.
  const strokeWidth = `min(2.5px, ${62 / bars.length}cqw)`;
  const left = (index: number) => `${(index / bars.length) * 100}%`;
  return (
    <div aria-hidden="true" className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 pt-4.5">
      <div className="relative w-14" style={{ height }}>
        {ticks.map((tick) => (
          <span
            key={tick}
            className="absolute left-0 -translate-y-full pb-0.5 text-11 text-fg-3 tabular-nums"
            style={{ top: height - (top ? (tick / top) * height : 0) }}
          >
            {format(tick)}
          </span>
        ))}
      </div>
      <div className="@container relative" style={{ height: height + 20 }} onPointerMove={point}>
        {ticks.map((tick) => (
          <span
            key={tick}
            className={cx("absolute -left-16 right-0 h-px", tick === 0 ? "bg-line-2" : "bg-line")}
            style={{ top: height - (top ? (tick / top) * height : 0) }}
          />
        ))}
        {bars.map(
          (bar, index) =>
            bar.tick !== undefined && (
              <span
                key={bar.label}
                className={cx(
                  "absolute top-0 -bottom-0 pl-1.5 border-l flex items-end text-11 whitespace-nowrap",
                  bar.resets ? "border-accent-line text-accent" : "border-line text-fg-3",
                )}
                style={{ left: left(index) }}
              >
                {bar.tick}
              </span>
            ),
        )}
        {cursor !== null && (
          <span
            className="absolute top-0 bg-bg-3"
            style={{ height, left: left(cursor), width: `${100 / bars.length}%` }}
          />
        )}
        <svg
          viewBox={`0 0 ${width} ${height}`}
          preserveAspectRatio="none"
          fill="none"
          className="absolute inset-x-0 top-0 w-full"
          style={{ height }}
        >
          <path
            d={first}
            vectorEffect="non-scaling-stroke"
            style={{ strokeWidth }}
            className="stroke-accent forced-colors:stroke-[CanvasText]"
          />
          <path
            d={second}
            vectorEffect="non-scaling-stroke"
            style={{ strokeWidth }}
            className="stroke-accent-2 forced-colors:stroke-[GrayText]"
          />
        </svg>
      </div>
    </div>
  );
}
