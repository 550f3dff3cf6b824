import { formatLongDay, formatUsd, formatPercent } from "../../format.ts";

export interface Series {
  name: string;
  points: readonly { at: string; usage: number }[];
}

interface SpendBar {
  label: string;
  value: number;
  more?: number;
  tick?: string;
  resets?: boolean;
}

/** The series as bars: the first one below, all others together on top. Days begin at 00:00 UTC, weeks on Monday. */
export function spendBars(series: readonly Series[], by: "hour" | "day"): SpendBar[] {
  const [first, ...others] = series;
  return (first?.points ?? []).map((point, index) => {
    const at = new Date(point.at);
    const more = others.reduce((sum, one) => sum + (one.points[index]?.usage ?? 0), 0);
    const monday = at.getUTCHours() === 0 && at.getUTCDay() === 1;
    const tick = tickOf(at, by);
    return {
      label: by === "hour" ? `${formatLongDay(at, "UTC")}, ${point.at.slice(11, 16)}` : formatLongDay(at, "UTC"),
      value: point.usage,
      ...(others.length > 0 && { more }),
      ...(tick !== undefined && { tick }),
      ...(monday && { resets: true }),
    };
  });
}

function tickOf(at: Date, by: "hour" | "day"): string | undefined {
  const [weekday = "", day = ""] = formatLongDay(at, "UTC").split(" ");
  if (by === "hour") return at.getUTCHours() === 0 ? `${weekday} ${day}` : undefined;
  return at.getUTCDay() === 1 ? `${weekday} ${day}` : undefined;
}

/** What the chart shows, computed from what it shows. */
export function spendSentence(series: readonly Series[], words: string): string {
  const sums = series
    .map(({ name, points }) => ({ name, usd: points.reduce((sum, point) => sum + point.usage, 0) }))
    .toSorted((a, b) => b.usd - a.usd);
  const total = sums.reduce((sum, { usd }) => sum + usd, 0);
  const [most] = sums;
  const who = series.length === 1 ? (most?.name ?? "") : `The ${series.length} keys with the highest total`;
  if (!most || total === 0) return `${who} spent nothing in ${words}.`;
  const spent = `${who} spent ${formatUsd(total)} in ${words}`;
  return series.length === 1 ? `${spent}.` : `${spent}, ${formatPercent(most.usd / total)} of it by ${most.name}.`;
}
