import { useId, useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import { barHeight, scaleTicks } from "./bars-scale.ts";
import { BarsDrawing, hatch, hatched } from "./BarsDrawing.tsx";
import type { Bar } from "./bar.ts";
import { barLabel, integers } from "./bar-labels.ts";
import { BarsTable } from "./BarsTable.tsx";
import { ChartOrTable, type ChartView } from "./ChartOrTable.tsx";
import { cx } from "./cx.ts";
import { seriesTones } from "./series-tones.ts";
import { tip } from "./Tooltip.tsx";

export interface BarsProps {
  /** What is drawn, such as "Spend per hour". */
  title: string;
  /** One sentence that says what it shows; always visible. */
  sentence: ReactNode;
  bars: readonly Bar[];
  format: (value: number) => string;
  /** Names of the parts, when there are several. */
  parts?: readonly string[] | undefined;
  /** The classes of each part's stroke, where a part has a meaning of its own; else the series' tones. */
  tones?: readonly string[] | undefined;
  /** The bars count calls, so that refused ones are on the same scale. */
  counts?: boolean | undefined;
  /** What a bar represents: the head of the table's first column. "Hour", or with a number "3 hours". */
  unit: string;
  /** A part's name in the legend, where it leads somewhere. */
  partLink?: ((part: number) => ReactNode) | undefined;
  /** Next to the figures of a bar that was chosen: a link to what it stands for. */
  barLink?: ((bar: number) => ReactNode) | undefined;
  height?: number | undefined;
  /** Before the switch between chart and table, in the same row. */
  aside?: ReactNode;
  /** On the scale, where round values need no cents. */
  formatScale?: ((value: number) => string) | undefined;
}

/**
 * Bars with a scale at the left, a sentence above and a table twin. The pointer reads a bar out; a click or the arrow keys
 * choose one, whose figures stay until Escape, and Enter follows its link.
 */
export function Bars({
  title,
  sentence,
  bars,
  format,
  parts,
  tones = seriesTones(parts?.length ?? 1),
  counts = false,
  unit,
  partLink,
  barLink,
  height = 232,
  aside,
  formatScale = format,
}: BarsProps) {
  const id = useId();
  const [view, setView] = useState<ChartView>("chart");
  const [hovered, setHovered] = useState<number | null>(null);
  // by its name: while the chart is refreshed, bars come and go
  const [chosen, setChosen] = useState<string | null>(null);
  const link = useRef<HTMLSpanElement>(null);
  const heights = bars.map(({ value, more = [], refused = 0 }) =>
    more.reduce((sum, one) => sum + one, value + (counts ? refused : 0)),
  );
  const mostRefused = Math.max(0, ...bars.map(({ refused = 0 }) => refused));
  const ticks = scaleTicks(Math.max(0, ...heights), { whole: heights.every(Number.isInteger) });
  const place = bars.findIndex(({ label }) => label === chosen);
  const cursor = hovered !== null && hovered < bars.length ? hovered : place === -1 ? null : place;
  const at = cursor === null ? undefined : bars[cursor];
  const choose = (index: number | null) => {
    setHovered(null);
    setChosen(index === null ? null : (bars[index]?.label ?? null));
  };

  function move(event: KeyboardEvent) {
    const last = bars.length - 1;
    const from = cursor ?? last;
    if (event.key === "Enter" && place !== -1) link.current?.querySelector("a")?.click();
    if (event.key === "Escape" && chosen !== null) {
      event.stopPropagation();
      return choose(null);
    }
    const to = {
      ArrowRight: from + 1,
      ArrowLeft: from - 1,
      PageUp: from + 24,
      PageDown: from - 24,
      Home: 0,
      End: last,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    choose(cursor === null && event.key.startsWith("Arrow") ? last : Math.min(Math.max(to, 0), last));
  }
  return (
    <figure aria-labelledby={id} className="grid gap-3 min-w-0">
      <figcaption className="flex items-start gap-x-4 gap-y-2 max-md:flex-wrap">
        <span id={id} className="max-w-140 mr-auto max-md:w-full">
          {sentence}
        </span>
        {aside}
        <ChartOrTable title={title} view={view} onChange={setView} />
      </figcaption>
      {view === "table" ? (
        <BarsTable title={title} bars={bars} format={format} parts={parts} unit={unit} refused={mostRefused > 0} />
      ) : (
        <div
          role="slider"
          tabIndex={0}
          aria-label={`${title}, move through the bars`}
          aria-valuemin={1}
          aria-valuemax={Math.max(bars.length, 1)}
          aria-valuenow={(cursor ?? bars.length - 1) + 1}
          aria-valuetext={
            at ? barLabel(at, format, parts) : `${bars.length} ${bars.length === 1 ? "bar" : "bars"}, none chosen`
          }
          onKeyDown={move}
          onPointerLeave={() => setHovered(null)}
          className={cx("rounded-1", barLink && "cursor-pointer")}
        >
          <BarsDrawing
            bars={bars}
            lane={counts ? 0 : mostRefused}
            ticks={ticks}
            format={formatScale}
            height={height}
            tones={tones}
            cursor={cursor}
            onCursor={setHovered}
            onPick={(index) => choose(index === place ? null : index)}
          />
        </div>
      )}
      {view === "chart" && (
        <Legend
          parts={parts ?? []}
          partLink={partLink}
          tones={tones}
          counts={counts}
          mostRefused={mostRefused}
          unit={oneOf(unit)}
        >
          {at && <span>{barLabel(at, format, parts)}</span>}
          {barLink && place !== -1 && cursor === place && (
            <span ref={link} className="pl-3">
              {barLink(place)}
            </span>
          )}
        </Legend>
      )}
    </figure>
  );
}

/** "one hour", "3 hours" */
function oneOf(unit: string): string {
  return /^\d/.test(unit) ? unit : `one ${unit.toLowerCase()}`;
}

interface LegendProps {
  parts: readonly string[];
  partLink: BarsProps["partLink"];
  tones: readonly string[];
  counts: boolean;
  mostRefused: number;
  unit: string;
  /** the bar under the cursor, read out */
  children: ReactNode;
}

function Legend({ parts, partLink, tones, counts, mostRefused, unit, children }: LegendProps) {
  return (
    <div className="flex flex-wrap gap-x-4 gap-y-1 text-12 text-fg-2">
      {parts.map((part, index) => (
        <span key={part} className="inline-flex max-w-60 min-w-0 items-center gap-2">
          <Swatch className={tones[index]} />
          <span className="truncate" {...tip(part)}>
            {partLink?.(index) ?? part}
          </span>
        </span>
      ))}
      {mostRefused > 0 && (
        <span className="inline-flex items-center gap-2">
          <Swatch className={hatched} dashes={hatch} />
          {counts ? "Refused calls" : `Refused calls, at most ${integers.format(mostRefused)} in ${unit}`}
        </span>
      )}
      <span className="ml-auto min-w-0 wrap-anywhere tabular-nums text-fg-3">
        {hasWords(children) ? children : `One bar is ${unit}`}
      </span>
    </div>
  );
}

const hasWords = (children: ReactNode) => [children].flat().some(Boolean);

function Swatch({ className, dashes }: { className: string | undefined; dashes?: string }) {
  return (
    <svg
      width="10"
      height="10"
      viewBox="0 0 10 10"
      strokeWidth="2"
      aria-hidden="true"
      className={cx("shrink-0", className)}
    >
      <path d="M1 10v-10M5 10v-10M9 10v-10" strokeDasharray={dashes} />
    </svg>
  );
}

export interface SparklineProps {
  values: readonly number[];
  /** Parts of the values that are trouble, drawn on top in red. */
  trouble?: readonly number[] | undefined;
  /** What it shows, in words; the figures are next to it. */
  label: string;
  /** The value at full height, where several share one scale. */
  highest?: number | undefined;
  height?: number | undefined;
}

/** Bars without a scale, on a 4 px pitch, for a row of a table. Nothing at all is a dotted line. */
export function Sparkline({ values, trouble, label, highest: shared = 0, height = 28 }: SparklineProps) {
  const own = Math.max(0, ...values.map((value, index) => value + (trouble?.[index] ?? 0)));
  const highest = own === 0 ? 0 : Math.max(own, shared);
  const width = Math.max(values.length * 4 - 2, 2);
  let fine = "";
  let bad = "";
  values.forEach((value, index) => {
    const tall = barHeight(value, highest, height);
    const more = barHeight(trouble?.[index] ?? 0, highest, height);
    if (tall) fine += `M${index * 4 + 1} ${height}v${-tall}`;
    if (more) bad += `M${index * 4 + 1} ${height - tall}v${-more}`;
  });
  return (
    <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} strokeWidth="2" role="img" aria-label={label}>
      {highest === 0 && (
        <path d={`M0 ${height - 1}h${width}`} strokeWidth="1" strokeDasharray="2 2" className="stroke-tick" />
      )}
      <path d={fine} className="stroke-accent-2 forced-colors:stroke-[CanvasText]" />
      <path d={bad} className="stroke-bad-fg forced-colors:stroke-[Highlight]" />
    </svg>
  );
}
