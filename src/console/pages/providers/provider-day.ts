import type { CallCounts } from "#contract/call-counts.ts";
import { counted, formatClock, formatDay, formatLongDay, formatPercent } from "../../format.ts";
import type { Bar } from "../../ui/bar.ts";
import { minuteMs } from "#contract/time.ts";

const halfHourMs = 30 * minuteMs;
export const halfHours = 48;

/** The beginning of the 48 half hours, of which the last one is under way. */
export function beginningOfDay(now: Date): string {
  const last = Math.floor(now.getTime() / halfHourMs) * halfHourMs;
  return new Date(last - (halfHours - 1) * halfHourMs).toISOString();
}

export const dayParts = ["Answered", "Caller errors", "Provider errors"] as const;
export const dayTones = [
  "stroke-accent forced-colors:stroke-[CanvasText]",
  "stroke-accent-2 forced-colors:stroke-[GrayText]",
  "stroke-bad-fg forced-colors:stroke-[LinkText]",
];

/** One bar for each half hour: as high as there were calls, and red as far as they failed. */
export function dayBars({ data, bucket_minutes: minutes }: CallCounts): Bar[] {
  return data.map(({ at, answered, failed, provider_faults: faults }, index) => {
    const start = new Date(at);
    const end = new Date(start.getTime() + minutes * minuteMs);
    const clock = formatClock(start, "UTC");
    const isNamed = /^(00|06|12|18):00$/.test(clock) && index < data.length * 0.88;
    return {
      label: `${formatLongDay(start, "UTC")}, ${clock} to ${formatClock(end, "UTC")} UTC`,
      value: answered,
      more: [failed - faults, faults],
      tick: isNamed ? (clock === "00:00" ? formatDay(start, "UTC", start) : clock) : undefined,
    };
  });
}

/** What the day was like, in one sentence, and what it leaves out. */
export function daySentence({ total, source }: CallCounts): string {
  const calls = total.answered + total.failed;
  const apart =
    source === "hourly_sums"
      ? " There are too many to count one by one: these are whole hours, by the hour in which a call ended, with calls answered from the cache."
      : total.cached
        ? ` ${counted(total.cached, "more was", "more were")} answered from the cache.`
        : "";
  if (calls === 0) return `No call reached it in the last 24 hours.${apart}`;
  const { provider_faults: faults } = total;
  if (calls === 1) return `1 call in the last 24 hours; ${faults === 1 ? "it failed" : "it did not fail"}.${apart}`;
  const failed =
    faults === 0
      ? "it failed none of them"
      : `it failed ${faults === calls ? "all" : formatPercent(faults / calls)} of them`;
  return `${counted(calls, "call")} in the last 24 hours; ${failed}.${apart}`;
}
