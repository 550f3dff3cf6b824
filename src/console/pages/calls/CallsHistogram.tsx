import type { UseQueryResult } from "@tanstack/react-query";
import { useId, useState, type KeyboardEvent } from "react";
import type { CallCounts } from "#contract/call-counts.ts";
import { formatCount } from "../../format.ts";
import { QueryBoundary } from "../../shell/QueryBoundary.tsx";
import { barLabel } from "../../ui/bar-labels.ts";
import { scaleTicks } from "../../ui/bars-scale.ts";
import type { Bar } from "../../ui/bar.ts";
import { BarsDrawing, hatch, hatched } from "../../ui/BarsDrawing.tsx";
import { BarsTable } from "../../ui/BarsTable.tsx";
import { ChartOrTable, type ChartView } from "../../ui/ChartOrTable.tsx";
import { cx } from "../../ui/cx.ts";
import {
  barOfStretch,
  histogramBars,
  histogramSentence,
  type Outcome,
  outcomeNames,
  outcomesOf,
  rangeOfBars,
} from "./histogram.ts";
import { histogramBox, HistogramSkeleton, plotHeight } from "./HistogramSkeleton.tsx";
import type { CallsSearch } from "./search.ts";

const title = "Calls over time";
const tones: Readonly<Record<Outcome, string>> = {
  answered: "stroke-accent forced-colors:stroke-[CanvasText]",
  cached: "stroke-accent-2 forced-colors:stroke-[GrayText]",
  failed: "stroke-bad-fg forced-colors:stroke-[LinkText]",
};

interface CallsHistogramProps {
  counts: UseQueryResult<CallCounts>;
  search: CallsSearch;
  onRange: (range: Pick<CallsSearch, "since" | "until">) => void;
}

/** All calls of the range by outcome, over time. A stretch of it, selected, becomes the range. */
export function CallsHistogram({ counts, search, onRange }: CallsHistogramProps) {
  return (
    <QueryBoundary query={counts} what="the calls over time" skeleton={<HistogramSkeleton />}>
      {(data) => <Histogram counts={data} onSelect={(bars) => onRange(rangeOfBars(data, bars, search))} />}
    </QueryBoundary>
  );
}

interface HistogramProps {
  counts: CallCounts;
  onSelect: (bars: readonly [number, number]) => void;
}

function Histogram({ counts, onSelect }: HistogramProps) {
  const [view, setView] = useState<ChartView>("chart");
  const bars = histogramBars(counts);
  return (
    <section aria-label={title} className={histogramBox}>
      <div className="flex items-start gap-3">
        <p className="mr-auto min-h-8 min-w-0 text-12 text-fg-2 max-md:min-h-12">{histogramSentence(counts)}</p>
        <ChartOrTable title={title} view={view} onChange={setView} />
      </div>
      {view === "table" ? (
        <BarsTable
          title={title}
          bars={bars}
          format={formatCount}
          parts={outcomesOf(counts).map((outcome) => outcomeNames[outcome])}
          unit="From, until"
          refused={counts.total.refused !== null}
        />
      ) : (
        <Chart
          key={`${counts.data[0]?.at ?? ""} ${counts.data.length}`}
          counts={counts}
          bars={bars}
          onSelect={onSelect}
        />
      )}
    </section>
  );
}

/** From the bar at which a selection began to the one at which it is now. */
interface Selection {
  anchor: number;
  head: number;
}

function Chart({ counts, bars, onSelect }: HistogramProps & { bars: readonly Bar[] }) {
  const help = useId();
  const [cursor, setCursor] = useState<number | null>(null);
  const [selection, setSelection] = useState<Selection | null>(null);
  const heights = bars.map(({ value, more = [], refused = 0 }) =>
    more.reduce((sum, one) => sum + one, value + refused),
  );
  const last = bars.length - 1;
  const selected = selection && ordered(selection);
  const clear = () => {
    setSelection(null);
    setCursor(null);
  };
  const take = (stretch: readonly [number, number] | null) => {
    clear();
    if (stretch !== null && (stretch[0] > 0 || stretch[1] < last)) onSelect(stretch);
  };
  function press(event: KeyboardEvent) {
    const at = selection?.head ?? cursor;
    if (event.key === "Enter" && at !== null) {
      event.preventDefault();
      return take(selected ?? [at, at]);
    }
    if (event.key === "Escape" && at !== null) {
      event.preventDefault();
      return clear();
    }
    const to = destination(event.key, at, last);
    if (to === null) return;
    event.preventDefault();
    setCursor(to);
    setSelection(event.shiftKey ? { anchor: selection?.anchor ?? at ?? to, head: to } : null);
  }
  const outcomes = outcomesOf(counts);
  const names = outcomes.map((outcome) => outcomeNames[outcome]);
  const read = selected ? barOfStretch(counts, bars, selected) : cursor === null ? undefined : bars[cursor];
  const said = read && barLabel(read, formatCount, names);
  return (
    <>
      <p id={help} hidden>
        Arrow keys move through the bars, with Shift they select. Enter shows the calls of the selected bars alone.
      </p>
      <div
        role="slider"
        tabIndex={0}
        aria-label={`${title}, choose a stretch of it`}
        aria-describedby={help}
        aria-orientation="horizontal"
        aria-valuemin={1}
        aria-valuemax={bars.length}
        aria-valuenow={(selection?.head ?? cursor ?? last) + 1}
        aria-valuetext={said ?? `${bars.length} bars, none chosen`}
        onKeyDown={press}
        onBlur={clear}
        onPointerLeave={() => setCursor(null)}
        className="rounded-1"
      >
        <BarsDrawing
          bars={bars}
          lane={0}
          ticks={scaleTicks(Math.max(0, ...heights), { whole: true })}
          format={formatCount}
          height={plotHeight}
          tones={outcomes.map((outcome) => tones[outcome])}
          cursor={cursor}
          onCursor={setCursor}
          brush={{
            selected,
            onStart: (index) => setSelection({ anchor: index, head: index }),
            onMove: (head) => setSelection((before) => before && { ...before, head }),
            onEnd: () => take(selected),
            onCancel: clear,
          }}
        />
      </div>
      <Legend total={counts.total} outcomes={outcomes}>
        {said ?? (heights.some((height) => height > 0) ? "Drag over the bars to see their calls alone" : "")}
      </Legend>
    </>
  );
}

const ordered = ({ anchor, head }: Selection): readonly [number, number] => [
  Math.min(anchor, head),
  Math.max(anchor, head),
];

/** The bar that a key leads to; null: it is none of the keys. The first press begins at the newest bar. */
function destination(key: string, at: number | null, last: number): number | null {
  const from = at ?? last + 1;
  const to = { ArrowRight: from + 1, ArrowLeft: from - 1, PageUp: from + 10, PageDown: from - 10, Home: 0, End: last }[
    key
  ];
  return to === undefined ? null : Math.min(Math.max(to, 0), last);
}

interface LegendProps {
  total: CallCounts["total"];
  outcomes: readonly Outcome[];
  children: string;
}

function Legend({ total, outcomes, children }: LegendProps) {
  return (
    <div className="flex min-h-4 flex-wrap content-start gap-x-4 gap-y-1 text-12 text-fg-2 max-md:min-h-14">
      {outcomes.map((outcome) => (
        <Entry key={outcome} name={outcomeNames[outcome]} count={total[outcome] ?? 0} tone={tones[outcome]} />
      ))}
      {total.refused !== null && <Entry name="Refused" count={total.refused} tone={hatched} dashes={hatch} />}
      <span className="ml-auto text-fg-3 tabular-nums max-md:ml-0 max-md:w-full">{children}</span>
    </div>
  );
}

interface EntryProps {
  name: string;
  count: number;
  tone: string | undefined;
  dashes?: string;
}

function Entry({ name, count, tone, dashes }: EntryProps) {
  return (
    <span className="inline-flex items-center gap-2 whitespace-nowrap tabular-nums">
      <svg
        width="10"
        height="10"
        viewBox="0 0 10 10"
        strokeWidth="2"
        aria-hidden="true"
        className={cx("shrink-0", tone)}
      >
        <path d="M1 10v-10M5 10v-10M9 10v-10" strokeDasharray={dashes} />
      </svg>
      {name} {formatCount(count)}
    </span>
  );
}
