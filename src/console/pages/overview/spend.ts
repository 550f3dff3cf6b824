import type { UsageGroup, UsageSeries } from "#contract/activity.ts";
import { formatCount, formatLongDay, formatPercent, formatUsd } from "../../format.ts";
import { sums } from "./usage-reads.ts";

interface SpendBar {
  label: string;
  value: number;
  more?: number;
  tick?: string;
  resets?: boolean;
}

/** Whether there is money to draw; calls of free models are counted instead. */
export function costsAnything(series: readonly UsageSeries[]): boolean {
  return series.some(({ total }) => total.usage > 0);
}

/** The series as bars: the first one below, all others together on top. Days begin at 00:00 UTC, weeks on Monday. */
export function spendBars(series: readonly UsageSeries[], by: "hour" | "day"): SpendBar[] {
  const member = costsAnything(series) ? "usage" : "requests";
  const [first, ...others] = series;
  const points = first?.points ?? [];
  // a name at the very end would stand outside of the drawing
  const lastNamed = points.length * 0.94;
  return points.map((point, index) => {
    const at = new Date(point.at);
    const more = others.reduce((sum, one) => sum + (one.points[index]?.[member] ?? 0), 0);
    const monday = at.getUTCHours() === 0 && at.getUTCDay() === 1;
    const tick = index > lastNamed ? undefined : tickOf(at, by, points.length);
    return {
      label: by === "hour" ? `${formatLongDay(at, "UTC")}, ${point.at.slice(11, 16)}` : formatLongDay(at, "UTC"),
      value: point[member],
      ...(others.length > 0 && { more }),
      ...(tick !== undefined && { tick }),
      ...(monday && { resets: true }),
    };
  });
}

function tickOf(at: Date, by: "hour" | "day", bars: number): string | undefined {
  const [weekday = "", day = "", month = ""] = formatLongDay(at, "UTC").split(" ");
  if (by === "hour") return at.getUTCHours() === 0 ? `${weekday} ${day}` : undefined;
  if (bars > 90) return at.getUTCDate() === 1 ? month : undefined;
  return at.getUTCDay() === 1 ? `${day} ${month}` : undefined;
}

const prepositions: Record<UsageGroup, string> = { key: "by", model: "on", provider: "at", workspace: "in" };

/** The name of a series: what is too small for one of its own comes together as the others. */
export function seriesName({ group, name }: UsageSeries): string {
  return group === null ? "all others" : (name ?? group);
}

/** What the chart shows, computed from what it shows. */
export function spendSentence(series: readonly UsageSeries[], group: UsageGroup, words: string): string {
  const { total, previous } = sums(series);
  if (total.requests === 0) return `No calls in ${words}.`;
  if (total.usage === 0) return `${formatCount(total.requests)} calls in ${words}, at no cost.`;
  const [most] = series;
  if (previous.usage === 0 || most === undefined) {
    const share = most === undefined ? 0 : most.total.usage / total.usage;
    const who = most === undefined ? "" : `, ${share === 1 ? "all" : formatPercent(share)} of it ${named(most, group)}`;
    return `${formatUsd(total.usage)} was spent in ${words}${who}.`;
  }
  const change = total.usage / previous.usage - 1;
  if (Math.abs(change) < 0.005) return `Spend stayed at ${formatUsd(total.usage)} in ${words}.`;
  const rose = change > 0;
  const driver = series
    .filter((one) => one.group !== null)
    .toSorted((a, b) => (rose ? grown(b) - grown(a) : grown(a) - grown(b)))[0];
  const drove = driver !== undefined && (rose ? grown(driver) > 0 : grown(driver) < 0);
  return `Spend ${rose ? "rose" : "fell"} ${formatPercent(Math.abs(change))} to ${formatUsd(total.usage)} in ${words}${
    drove ? `, driven by ${seriesName(driver)}` : ""
  }.`;
}

function named(series: UsageSeries, group: UsageGroup): string {
  return `${prepositions[group]} ${seriesName(series)}`;
}

function grown({ total, previous }: UsageSeries): number {
  return total.usage - previous.usage;
}

/** "+18%", "−3%"; undefined where there is nothing to compare with, or nothing changed. */
export function changeWords(now: number, before: number): string | undefined {
  if (before === 0 || now === before) return undefined;
  const change = now / before - 1;
  // beyond tenfold a percentage says nothing
  if (change > 9) return `${formatCount(Math.round(now / before))} times`;
  return `${change > 0 ? "+" : "−"}${formatPercent(Math.abs(change))}`;
}
