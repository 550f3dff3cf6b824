import { Link } from "@tanstack/react-router";
import { useMemo, type ReactNode } from "react";
import { formatCount, formatUsd } from "../format.ts";
import { paths } from "../paths.ts";
import { Bars } from "../ui/Bars.tsx";
import { linkTextClass } from "../ui/LinkText.tsx";
import { seriesTones, tonesOfGroups } from "../ui/series-tones.ts";
import { usageBars, type UsageBar, type UsagePoints } from "./usage-bars.ts";
import { seriesName } from "./usage-words.ts";
import { useWorkspace } from "./workspace.ts";

interface Series {
  group: string | null;
  name: string | null;
  values: readonly number[];
}

interface UsageChartProps {
  /** the first series below, the others on top in their order */
  series: readonly Series[];
  points: Omit<UsagePoints, "series">;
  /** the values are USD; else calls */
  money: boolean;
  sentence: ReactNode;
  aside?: ReactNode;
  /** a series' name as a link */
  renderSeries?: (series: Series) => ReactNode;
}

/** Without series that only the period before has anything of. */
function withBars(series: readonly Series[]): readonly Series[] {
  const drawn = series.filter(({ values }) => values.some((value) => value > 0));
  return drawn.length === 0 ? series.slice(0, 1) : drawn;
}

/** Spend or calls over time. A bar that is chosen leads to its calls. */
export function UsageChart({ series: given, points, money, sentence, aside, renderSeries }: UsageChartProps) {
  const { path } = useWorkspace();
  const series = useMemo(() => withBars(given), [given]);
  const { unit, bars } = useMemo(() => usageBars({ ...points, series }), [points, series]);
  const isGrouped = series.length > 1 || series[0]?.group != null;
  return (
    <Bars
      title={`${money ? "Spend" : "Calls"} per ${unit.toLowerCase()}`}
      sentence={sentence}
      bars={bars}
      format={money ? (usd) => formatUsd(usd) : formatCount}
      counts={!money}
      unit={unit}
      aside={aside}
      tones={isGrouped ? tonesOfGroups(series.map(({ group }) => group)) : seriesTones(1)}
      {...(isGrouped && {
        parts: series.map(seriesName),
        partLink: (index: number) => {
          const one = series[index];
          return one && renderSeries?.(one);
        },
      })}
      barLink={(index) => callsOf(bars[index], path)}
    />
  );
}

function callsOf(bar: UsageBar | undefined, path: string): ReactNode {
  if (bar === undefined) return null;
  return (
    <Link to={paths.calls(path)} search={{ since: bar.since, until: bar.until }} className={linkTextClass}>
      Show its calls
    </Link>
  );
}
