import type { UsageSeries } from "#contract/activity.ts";
import type { UsageGroup } from "#contract/usage-figures.ts";
import { counted, formatCount, formatLongDay, formatPercent, formatUsd } from "../../format.ts";
import { refusedMessage } from "../../shell/refused-messages.ts";
import { sums } from "./usage-reads.ts";

interface SpendBar {
  label: string;
  value: number;
  more?: readonly number[];
  refused: number;
  tick?: string;
  resets?: boolean;
}

/** Whether there is money to draw; calls of free models are counted instead. */
export function costsAnything(series: readonly UsageSeries[]): boolean {
  return series.some(({ total }) => total.usage > 0);
}

/** The series as bars: the first one below, the others on top in their order. Days begin at 00:00 UTC, weeks on Monday. */
export function spendBars(series: readonly UsageSeries[], by: "hour" | "day", refused: readonly number[]): SpendBar[] {
  const member = costsAnything(series) ? "usage" : "requests";
  const [first, ...others] = series;
  const points = first?.points ?? [];
  // a name at the very end would extend beyond the drawing
  const lastNamed = points.length * 0.94;
  return points.map((point, index) => {
    const at = new Date(point.at);
    const more = others.map((one) => one.points[index]?.[member] ?? 0);
    const monday = at.getUTCHours() === 0 && at.getUTCDay() === 1;
    const tick = index > lastNamed ? undefined : tickOf(at, by, points.length);
    return {
      label: by === "hour" ? `${formatLongDay(at, "UTC")}, ${point.at.slice(11, 16)}` : formatLongDay(at, "UTC"),
      value: point[member],
      ...(others.length > 0 && { more }),
      refused: refused[index] ?? 0,
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

/** A smaller change would be said as 0 %. */
const leastChange = 0.005;

const prepositions: Record<UsageGroup, string> = { key: "by", model: "on", provider: "at", workspace: "in" };

/** The name of a series: what is too small for one of its own comes together as the others. */
export function seriesName({ group, name }: Pick<UsageSeries, "group" | "name">): string {
  return group === null ? "all others" : (name ?? group);
}

/** What the chart shows, computed from what it shows. */
export function spendSentence(
  series: readonly UsageSeries[],
  group: UsageGroup,
  words: string,
  refused: number,
): string {
  const { total } = sums(series);
  const all = total.requests + refused;
  if (all === 0) return `No calls in ${words}.`;
  if (total.usage === 0) {
    const own = total.byok_usage === 0 ? "at no cost" : `${formatUsd(total.byok_usage)} on own provider keys alone`;
    const free = total.requests === 0 ? "" : `, ${own}`;
    return `${counted(all, "call")} in ${words}${refusedMessage(refused, all)}${free}.`;
  }
  const turnedAway = refused === 0 ? "" : ` ${counted(refused, "call was", "calls were")} refused.`;
  const whose =
    group === "provider" ? " A call's whole cost is under the provider that answered it, or was tried last." : "";
  return `${spent(series, group, words)}${turnedAway}${whose}`;
}

function spent(series: readonly UsageSeries[], group: UsageGroup, words: string): string {
  const { total, previous } = sums(series);
  const [most] = series;
  if (previous.usage === 0 || most === undefined) {
    const share = most === undefined ? 0 : most.total.usage / total.usage;
    const who = most === undefined ? "" : `, ${share === 1 ? "all" : formatPercent(share)} of it ${named(most, group)}`;
    return `${formatUsd(total.usage)} was spent in ${words}${who}.`;
  }
  const change = total.usage / previous.usage - 1;
  if (Math.abs(change) < leastChange) return `Spend stayed at ${formatUsd(total.usage)} in ${words}.`;
  const driver = driverOf(series);
  const verb = change > 0 ? "rose" : "fell";
  return `Spend ${verb} ${formatPercent(Math.abs(change))} to ${formatUsd(total.usage)} in ${words}${
    driver === undefined ? "" : `, driven by ${marked(driver)}`
  }.`;
}

/** The series that the sentence names as the cause of a change; undefined where spend stayed, or is the first. */
function driverOf(series: readonly UsageSeries[]): UsageSeries | undefined {
  const { total, previous } = sums(series);
  const change = total.usage - previous.usage;
  if (previous.usage === 0 || Math.abs(change / previous.usage) < leastChange) return undefined;
  const sign = Math.sign(change);
  const [driver] = series
    .filter((one) => one.group !== null && sign * grown(one) > 0)
    .toSorted((a, b) => sign * (grown(b) - grown(a)));
  return driver;
}

/** The series as the chart stacks them: the one that the sentence names first, in the strongest tone. */
export function chartOrder(series: readonly UsageSeries[]): UsageSeries[] {
  const driver = driverOf(series);
  if (driver === undefined) return [...series];
  return [driver, ...series.filter((one) => one !== driver)];
}

/** A name may read as a part of the sentence. */
function marked(series: UsageSeries): string {
  return series.group === null ? seriesName(series) : `“${seriesName(series)}”`;
}

function named(series: UsageSeries, group: UsageGroup): string {
  return `${prepositions[group]} ${marked(series)}`;
}

function grown({ total, previous }: UsageSeries): number {
  return total.usage - previous.usage;
}

/** "+18%", "−3%", "×20"; undefined where there is nothing to compare with, or nothing changed. */
export function changeWords(now: number, before: number): string | undefined {
  if (before === 0 || now === before) return undefined;
  const change = now / before - 1;
  // beyond tenfold a percentage says nothing
  if (change > 9) return `×${formatCount(Math.round(now / before))}`;
  return `${change > 0 ? "+" : "−"}${formatPercent(Math.abs(change))}`;
}
