import { useId, useState, type KeyboardEvent, type ReactNode } from "react";
import { barHeight, scaleTicks } from "./bars-scale.ts";
import { BarsDrawing } from "./BarsDrawing.tsx";
import { BarsTable } from "./BarsTable.tsx";
import { Segmented } from "./Segmented.tsx";

export interface Bar {
  /** What the bar stands for, in full: "Wed 18 Nov, 02:00 UTC". */
  label: string;
  value: number;
  /** A second part on top, in the softer tone. */
  more?: number | undefined;
  /** Written under the bar, with a hairline: the start of a day. */
  tick?: string | undefined;
  /** The tick where limits reset, in accent. */
  resets?: boolean | undefined;
}

export interface BarsProps {
  /** What is drawn, such as "Spend per hour". */
  title: string;
  /** One sentence that says what it shows; always visible. */
  sentence: ReactNode;
  bars: readonly Bar[];
  format: (value: number) => string;
  /** Names of the parts, when there are two. */
  parts?: readonly [string, string] | undefined;
  /** The name of what a bar stands for, the head of the table's first column. */
  unit: string;
  height?: number | undefined;
  /** On the scale, where round values need no cents. */
  formatScale?: ((value: number) => string) | undefined;
}

/** Bars with a scale at the left, a sentence above and a table twin. Arrow keys move a cursor that reads each bar out. */
export function Bars({ title, sentence, bars, format, parts, unit, height = 232, formatScale = format }: BarsProps) {
  const id = useId();
  const [view, setView] = useState<"chart" | "table">("chart");
  const [cursor, setCursor] = useState<number | null>(null);
  const ticks = scaleTicks(Math.max(0, ...bars.map((bar) => bar.value + (bar.more ?? 0))));
  const at = cursor === null ? undefined : bars[cursor];

  function move(event: KeyboardEvent) {
    const last = bars.length - 1;
    const from = cursor ?? last;
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
    setCursor(cursor === null && event.key.startsWith("Arrow") ? last : Math.min(Math.max(to, 0), last));
  }
  function words(bar: Bar): string {
    if (!parts || bar.more === undefined) return `${bar.label}: ${format(bar.value)}`;
    return `${bar.label}: ${parts[0]} ${format(bar.value)}, ${parts[1]} ${format(bar.more)}`;
  }
  return (
    <figure aria-labelledby={id} className="grid gap-3 min-w-0">
      <figcaption id={id} className="flex items-start gap-4 max-md:flex-wrap">
        <span className="max-w-140 mr-auto">{sentence}</span>
        <Segmented
          label={`${title} as`}
          size="sm"
          choices={[
            { value: "chart", label: "Chart" },
            { value: "table", label: "Table" },
          ]}
          value={view}
          onChange={setView}
        />
      </figcaption>
      {view === "table" ? (
        <BarsTable title={title} bars={bars} format={format} parts={parts} unit={unit} />
      ) : (
        <div
          role="slider"
          tabIndex={0}
          aria-label={`${title}, move through the bars`}
          aria-orientation="horizontal"
          aria-valuemin={1}
          aria-valuemax={Math.max(bars.length, 1)}
          aria-valuenow={(cursor ?? bars.length - 1) + 1}
          aria-valuetext={at ? words(at) : `${bars.length} bars, none chosen`}
          onKeyDown={move}
          onBlur={() => setCursor(null)}
          onPointerLeave={() => setCursor(null)}
          className="rounded-1"
        >
          <BarsDrawing
            bars={bars}
            ticks={ticks}
            format={formatScale}
            height={height}
            cursor={cursor}
            onCursor={setCursor}
          />
        </div>
      )}
      {view === "chart" && (
        <div className="flex flex-wrap gap-x-4 text-12 text-fg-2">
          {parts?.map((part, index) => (
            <span key={part} className="inline-flex items-center gap-2">
              <svg
                width="10"
                height="10"
                viewBox="0 0 10 10"
                strokeWidth="2"
                aria-hidden="true"
                className={
                  index === 0
                    ? "stroke-accent forced-colors:stroke-[CanvasText]"
                    : "stroke-accent-2 forced-colors:stroke-[GrayText]"
                }
              >
                <path d="M1 0v10M5 0v10M9 0v10" />
              </svg>
              {part}
            </span>
          ))}
          <span className="ml-auto tabular-nums text-fg-3">
            {at ? words(at) : `One bar is one ${unit.toLowerCase()}`}
          </span>
        </div>
      )}
    </figure>
  );
}

export interface SparklineProps {
  values: readonly number[];
  /** Parts of the values that are trouble, drawn on top in red. */
  trouble?: readonly number[] | undefined;
  /** What it shows, in words; the figures stand beside it. */
  label: string;
  height?: number | undefined;
}

/** Bars without a scale, on a 4 px pitch, for a row of a table. Nothing at all is a dotted line. */
export function Sparkline({ values, trouble, label, height = 28 }: SparklineProps) {
  const highest = Math.max(0, ...values.map((value, index) => value + (trouble?.[index] ?? 0)));
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
