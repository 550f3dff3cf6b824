import type { Output } from "#contract/endpoint.ts";
import type { getKeyUsage } from "#contract/keys.ts";
import { startOfPeriod, type LimitReset } from "#contract/time.ts";
import { refusedMessage } from "../../shell/refused-messages.ts";
import { formatClock, formatCount, formatLongDay, formatUsd } from "../../format.ts";
import type { Bar } from "../../ui/bar.ts";

export type UsagePoint = Output<typeof getKeyUsage>["data"][number];

/** What the chart can show: how much of which unit. */
export const ranges = {
  "48h": { label: "48 h", by: "hour", last: "48", unit: "Hour", words: "the last 48 hours" },
  "7d": { label: "7 d", by: "hour", last: "168", unit: "Hour", words: "the last 7 days" },
  "30d": { label: "30 d", by: "day", last: "30", unit: "Day", words: "the last 30 days" },
  "90d": { label: "90 d", by: "day", last: "90", unit: "Day", words: "the last 90 days" },
} as const;
export type Range = keyof typeof ranges;

/** Whether there is money to draw; a free model's calls are counted instead. */
export function costsAnything(points: readonly UsagePoint[]): boolean {
  return points.some((point) => point.usage + point.byok_usage > 0);
}

/** One bar for each hour or day, of money or else of calls, with the instants at which the limit was whole again. */
export function usageBars(points: readonly UsagePoint[], range: Range, reset: LimitReset | null): Bar[] {
  const hourly = ranges[range].by === "hour";
  const money = costsAnything(points);
  // a name at the very end would extend beyond the drawing
  const lastNamed = points.length * 0.94;
  return points.map(({ at, usage, byok_usage, requests, refused }, index) => {
    const start = new Date(at);
    const day = formatLongDay(start, "UTC");
    const midnight = start.getTime() === startOfPeriod("daily", start).getTime();
    const resets = reset !== null && start.getTime() === startOfPeriod(reset, start).getTime();
    return {
      label: hourly ? `${day}, ${formatClock(start, "UTC")} UTC` : `${day}, UTC`,
      value: money ? usage : requests,
      ...(money && { more: [byok_usage] }),
      refused,
      tick: index > lastNamed ? undefined : tick(start, day, range, midnight),
      resets,
    };
  });
}

function tick(start: Date, day: string, range: Range, midnight: boolean): string | undefined {
  if (!midnight) return undefined;
  const [weekday = "", date = "", month = ""] = day.split(" ");
  if (range === "48h") return `${weekday} ${date}`;
  if (range === "7d") return weekday;
  return start.getUTCDay() === 1 && (range === "30d" || start.getUTCDate() <= 7) ? `${date} ${month}` : undefined;
}

/** What the chart shows, in one sentence. */
export function usageSentence(points: readonly UsagePoint[], range: Range): string {
  const total = points.reduce((sum, point) => sum + point.usage + point.byok_usage, 0);
  const calls = points.reduce((sum, point) => sum + point.requests, 0);
  const refused = points.reduce((sum, point) => sum + point.refused, 0);
  const { words } = ranges[range];
  const all = calls + refused;
  if (all === 0) return `No calls in ${words}.`;
  const made = `${formatCount(all)} ${all === 1 ? "call" : "calls"} in ${words}${refusedMessage(refused, all)}`;
  if (calls === 0) return `${made}.`;
  if (total === 0) return `${made}, at no cost.`;
  const most = points.reduce((best, point) =>
    point.usage + point.byok_usage > best.usage + best.byok_usage ? point : best,
  );
  return `${formatUsd(total)} for ${made}; the most on ${formatLongDay(new Date(most.at), "UTC")} UTC.`;
}
