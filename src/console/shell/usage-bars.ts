import { dayMs, hourMs, startOfUtcWeek } from "#contract/time.ts";
import { formatClock, formatLongDay } from "../format.ts";
import type { Bar } from "../ui/bar.ts";

/** One number for each hour or day, of each group. */
export interface UsagePoints {
  readonly by: "hour" | "day";
  /** the hours or days, oldest first */
  readonly starts: readonly string[];
  readonly series: readonly { readonly values: readonly number[] }[];
  readonly refused: readonly number[];
}

/** A bar with the stretch of time whose calls it stands for. */
export interface UsageBar extends Bar {
  readonly since: string;
  readonly until: string;
}

/** What a bar stands for, as the chart names it. */
export type BarUnit = "Hour" | "3 hours" | "Day" | "Week";

const maxHours = 48;
const maxDays = 92;

/** As the points say themselves: while another period is read, the last one's stay. */
function stepOf({ by, starts: [first, second] }: UsagePoints): "hour" | "day" {
  if (first === undefined || second === undefined) return by;
  return Date.parse(second) - Date.parse(first) === hourMs ? "hour" : "day";
}

/** More bars than about sixty hours or ninety days are hairlines: hours come together by three, days by weeks. */
function unitOf(points: UsagePoints): BarUnit {
  const { starts } = points;
  if (stepOf(points) === "hour") return starts.length > maxHours ? "3 hours" : "Hour";
  return starts.length > maxDays ? "Week" : "Day";
}

/** Where the bar of an instant begins: at 00:00, 03:00 … UTC, on a Monday. */
const beginningOf: Readonly<Record<BarUnit, (at: Date) => number>> = {
  Hour: (at) => at.getTime(),
  "3 hours": (at) => Math.floor(at.getTime() / (3 * hourMs)) * 3 * hourMs,
  Day: (at) => at.getTime(),
  Week: (at) => startOfUtcWeek(at).getTime(),
};

/** The series as bars, the first one below: the first and the last bar are as long as the period lets them be. */
export function usageBars(points: UsagePoints): { unit: BarUnit; bars: UsageBar[] } {
  const unit = unitOf(points);
  const stepMs = stepOf(points) === "hour" ? hourMs : dayMs;
  const spans = new Map<number, number[]>();
  points.starts.forEach((start, index) => {
    const at = beginningOf[unit](new Date(start));
    spans.set(at, [...(spans.get(at) ?? []), index]);
  });
  const sum = (values: readonly number[], indices: readonly number[]) =>
    indices.reduce((all, index) => all + (values[index] ?? 0), 0);
  let before: Date | undefined;
  const bars = [...spans.values()].map((indices, place): UsageBar => {
    const since = new Date(points.starts[indices[0] ?? 0] ?? 0);
    const until = new Date(Date.parse(points.starts[indices.at(-1) ?? 0] ?? "") + stepMs);
    const [value = 0, ...more] = points.series.map(({ values }) => sum(values, indices));
    // a name at the very end would extend beyond the drawing
    const tick = place > spans.size * 0.94 ? undefined : tickOf(since, before, unit, spans.size);
    before = since;
    return {
      label: labelOf(since, until, unit),
      value,
      ...(more.length > 0 && { more }),
      refused: sum(points.refused, indices),
      ...(tick !== undefined && { tick }),
      ...(unit !== "Week" && since.getUTCHours() === 0 && since.getUTCDay() === 1 && { resets: true }),
      since: since.toISOString(),
      until: until.toISOString(),
    };
  });
  return { unit, bars };
}

function labelOf(since: Date, until: Date, unit: BarUnit): string {
  const day = formatLongDay(since, "UTC");
  const clock = (at: Date) => formatClock(at, "UTC");
  if (unit === "Hour") return `${day}, ${clock(since)}`;
  if (unit === "3 hours") return `${day}, ${clock(since)} to ${clock(until)}`;
  const last = new Date(until.getTime() - 1);
  return unit === "Day" || until.getTime() - since.getTime() <= dayMs ? day : `${day} to ${formatLongDay(last, "UTC")}`;
}

function tickOf(at: Date, before: Date | undefined, unit: BarUnit, bars: number): string | undefined {
  const [weekday = "", day = "", month = ""] = formatLongDay(at, "UTC").split(" ");
  if (unit === "Week") return before !== undefined && before.getUTCMonth() !== at.getUTCMonth() ? month : undefined;
  if (unit === "Day") return at.getUTCDay() === 1 || bars <= 7 ? `${day} ${month}` : undefined;
  return at.getUTCHours() === 0 ? `${weekday} ${day}` : undefined;
}
