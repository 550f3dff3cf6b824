import type { UsageSeries } from "#contract/activity.ts";
import type { UsageGroup } from "#contract/usage-figures.ts";
import { counted, formatPercent, formatUsd } from "../../format.ts";
import { refusedMessage } from "../../shell/refused-messages.ts";
import { seriesName } from "../../shell/usage-words.ts";
import { sums } from "./usage-reads.ts";

/** A group, or all others together, with what it used. */
export type SpendSeries = Pick<UsageSeries, "group" | "name" | "total" | "previous">;

/** A smaller change would be said as 0 %. */
const leastChange = 0.005;

const prepositions: Record<UsageGroup, string> = { key: "by", model: "on", provider: "at", workspace: "in" };

/** What the chart shows, computed from what it shows. */
export function spendSentence(
  series: readonly SpendSeries[],
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

function spent(series: readonly SpendSeries[], group: UsageGroup, words: string): string {
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
function driverOf(series: readonly SpendSeries[]): SpendSeries | undefined {
  const { total, previous } = sums(series);
  const change = total.usage - previous.usage;
  if (previous.usage === 0 || Math.abs(change / previous.usage) < leastChange) return undefined;
  const sign = Math.sign(change);
  const [driver] = series
    .filter((one) => one.group !== null && sign * grown(one) > 0)
    .toSorted((a, b) => sign * (grown(b) - grown(a)));
  return driver;
}

/** The series as the chart stacks them: the one that the sentence names at the bottom, where its height can be compared. */
export function chartOrder<Series extends SpendSeries>(series: readonly Series[]): Series[] {
  const driver = driverOf(series);
  return series.toSorted((a, b) => Number(b === driver) - Number(a === driver));
}

/** A name may read as a part of the sentence. */
function marked(series: SpendSeries): string {
  return series.group === null ? seriesName(series) : `“${seriesName(series)}”`;
}

function named(series: SpendSeries, group: UsageGroup): string {
  return `${prepositions[group]} ${marked(series)}`;
}

function grown({ total, previous }: SpendSeries): number {
  return total.usage - previous.usage;
}
