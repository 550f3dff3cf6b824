import type { MouseEvent, PointerEvent } from "react";
import { tickEm, tickRooms } from "./bar-labels.ts";
import type { Bar } from "./bar.ts";
import { barHeight } from "./bars-scale.ts";
import { cx } from "./cx.ts";

interface BarsDrawingProps {
  bars: readonly Bar[];
  /** the most refused calls of a bar, where they are above the chart on a scale of their own; 0: they are on top */
  lane: number;
  ticks: readonly number[];
  format: (value: number) => string;
  height: number;
  /** the classes of each part's stroke */
  tones: readonly string[];
  cursor: number | null;
  onCursor: (index: number) => void;
  /** a bar was clicked */
  onPick?: ((index: number) => void) | undefined;
  /** absent: bars cannot be selected */
  brush?: Brush | undefined;
}

/** A stretch of bars that is selected with the pointer. */
export interface Brush {
  /** the first and the last bar; null: none is selected */
  selected: readonly [number, number] | null;
  onStart: (index: number) => void;
  onMove: (index: number) => void;
  onEnd: () => void;
  onCancel: () => void;
}

const pitch = 4;
const laneHeight = 32;

/** Strokes that are cut across read as hatched at any width of the chart. */
export const hatch = "1.5";
export const hatched = "stroke-bad-fg forced-colors:stroke-[Highlight]";

/** The picture itself. The drawing stretches with its place, the strokes do not. */
export function BarsDrawing(props: BarsDrawingProps) {
  const { bars, lane, ticks, format, height, tones, cursor, brush } = props;
  const top = ticks.at(-1) ?? 0;
  const width = Math.max(bars.length * pitch, 1);
  const strokes = tones.map(() => "");
  let refusals = "";
  bars.forEach(({ value, more = [], refused = 0 }, index) => {
    const x = index * pitch + pitch / 2;
    let below = 0;
    for (const [part, one] of [value, ...more].entries()) {
      const tall = barHeight(one, top, height);
      if (tall > 0) strokes[part] = `${strokes[part] ?? ""}M${x} ${height - below}v${-tall}`;
      below += tall;
    }
    const cut = lane > 0 ? barHeight(refused, lane, laneHeight) : barHeight(refused, top, height);
    if (cut > 0) refusals += `M${x} ${lane > 0 ? laneHeight : height - below}v${-cut}`;
  });
  const { point, pick, dragging } = pointing({ ...props, bars: bars.length });
  // three fifths of a bar's room, up to a width beyond which they would be blocks
  const strokeWidth = `min(${62 / bars.length}cqw,14px)`;
  const rooms = tickRooms(bars);
  // as wide as the widest text can be, or nothing at all where its room is smaller
  const longest = `${Math.max(0, ...bars.map(({ tick = "" }) => tickEm(tick)))}em`;
  const tickWidth = (index: number) => `clamp(0px, (${(rooms[index] ?? 0) * 100}cqw - ${longest}) * 999, ${longest})`;
  const left = (index: number) => `${(index / bars.length) * 100}%`;
  const hatchedBars = (
    <path
      d={refusals}
      vectorEffect="non-scaling-stroke"
      strokeDasharray={hatch}
      style={{ strokeWidth }}
      className={hatched}
    />
  );
  return (
    <div aria-hidden="true" className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 pt-4.5">
      {lane > 0 && (
        <div
          className="@container col-start-2 mb-5 border-b border-line"
          style={{ height: laneHeight }}
          onPointerMove={point}
          {...pick}
        >
          <svg
            viewBox={`0 0 ${width} ${laneHeight}`}
            preserveAspectRatio="none"
            className="w-full"
            style={{ height: laneHeight }}
          >
            {hatchedBars}
          </svg>
        </div>
      )}
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
      <div
        className={cx("@container relative", brush && "cursor-crosshair touch-pan-y select-none")}
        style={{ height: height + 20 }}
        onPointerMove={point}
        {...pick}
        {...dragging}
      >
        {/* the scale hears the pointer as well: there a drag begins at the first bar */}
        {brush && <span className="absolute inset-y-0 -left-16 w-16" />}
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
                  "absolute inset-y-0 pl-1.5 border-l flex items-end text-11 whitespace-nowrap",
                  bar.resets ? "border-accent-line text-accent" : "border-line text-fg-3",
                )}
                style={{ left: left(index) }}
              >
                <span className="overflow-hidden" style={{ maxWidth: tickWidth(index) }}>
                  {bar.tick}
                </span>
              </span>
            ),
        )}
        <Highlights height={height} bars={bars.length} selected={brush?.selected ?? null} cursor={cursor} />
        <svg
          viewBox={`0 0 ${width} ${height}`}
          preserveAspectRatio="none"
          className="absolute inset-x-0 top-0 w-full"
          style={{ height }}
        >
          {tones.map((tone, part) => (
            <path
              key={tone}
              d={strokes[part]}
              vectorEffect="non-scaling-stroke"
              style={{ strokeWidth }}
              className={tone}
            />
          ))}
          {lane === 0 && hatchedBars}
        </svg>
      </div>
    </div>
  );
}

/** What the pointer does: it reads a bar out, and where there is a brush it selects a stretch. */
function pointing({
  bars,
  onCursor,
  onPick,
  brush,
}: Pick<BarsDrawingProps, "onCursor" | "onPick" | "brush"> & { bars: number }) {
  const indexAt = (event: MouseEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    return Math.floor(((event.clientX - box.left) / box.width) * bars);
  };
  const isDragged = (event: PointerEvent<HTMLElement>) => event.currentTarget.hasPointerCapture(event.pointerId);
  const within = (index: number) => Math.min(Math.max(index, 0), bars - 1);
  const point = (event: PointerEvent<HTMLElement>) => {
    const index = indexAt(event);
    if (brush && isDragged(event)) brush.onMove(within(index));
    else if (index >= 0 && index < bars) onCursor(index);
  };
  // the keyboard chooses by the slider around the drawing
  const pick = onPick && {
    onClick: (event: MouseEvent<HTMLElement>) => {
      const index = indexAt(event);
      if (index >= 0 && index < bars) onPick(index);
    },
  };
  const dragging = brush && {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0 || bars === 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      brush.onStart(within(indexAt(event)));
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      if (!isDragged(event)) return;
      // a click on the scale is not a click on the first bar
      if (indexAt(event) < 0 && brush.selected?.[1] === 0) brush.onCancel();
      else brush.onEnd();
    },
    // the page is scrolled instead
    onPointerCancel: () => brush.onCancel(),
  };
  return { point, pick, dragging };
}

interface HighlightsProps {
  height: number;
  bars: number;
  selected: readonly [number, number] | null;
  cursor: number | null;
}

/** Behind the bars: the selected stretch, and the bar under the cursor. */
function Highlights({ height, bars, selected, cursor }: HighlightsProps) {
  const box = (first: number, last: number) => ({
    height,
    left: `${(first / bars) * 100}%`,
    width: `${((last - first + 1) / bars) * 100}%`,
  });
  return (
    <>
      {selected && (
        <span
          className="absolute top-0 border-x border-accent bg-accent-bg forced-colors:border-[Highlight]"
          style={box(...selected)}
        />
      )}
      {cursor !== null && (
        <span
          className={cx("absolute top-0", selected ? "bg-accent-line/40" : "bg-bg-3")}
          style={box(cursor, cursor)}
        />
      )}
    </>
  );
}
