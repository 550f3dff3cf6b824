import type { CallBucket, CallCounts } from "#contract/call-counts.ts";
import { minuteMs } from "#contract/time.ts";
import { counted, formatClock, formatDay, formatDayTime } from "../../format.ts";
import type { Bar } from "../../ui/bar.ts";
import type { CallsSearch } from "./search.ts";

export type Outcome = "answered" | "cached" | "failed";
const all: readonly Outcome[] = ["answered", "cached", "failed"];

export const outcomeNames: Readonly<Record<Outcome, string>> = {
  answered: "Answered",
  cached: "From the cache",
  failed: "Failed",
};

/** The parts of a bar, from below to above; refused calls are on top. */
export function outcomesOf({ total }: Pick<CallCounts, "total">): readonly Outcome[] {
  return all.filter((outcome) => total[outcome] !== null);
}

const dayMinutes = 1_440;
/** Distances between the times under the bars, minutes. */
const tickSteps = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, dayMinutes];
const mostTicks = 5;

/** One bar for each bucket. */
export function histogramBars(counts: CallCounts): Bar[] {
  const { data, bucket_minutes: minutes } = counts;
  const [, ...more] = outcomesOf(counts);
  const ticks = ticksOf(data, minutes);
  return data.map((bucket, index) => ({
    label: bucketName(bucket, minutes),
    value: bucket.answered,
    more: more.map((outcome) => bucket[outcome] ?? 0),
    refused: bucket.refused ?? 0,
    tick: ticks.get(index),
  }));
}

/** "22 Nov 2026 10:30 to 11:00 UTC", or for whole days "22 Nov 2026 to 24 Nov 2026, UTC". */
function bucketName({ at }: CallBucket, minutes: number): string {
  const from = new Date(at);
  const to = new Date(from.getTime() + minutes * minuteMs);
  return stretch(from, to);
}

/** A stretch of time in words; the day is not repeated, and midnights are not said of whole days. */
export function stretch(from: Date, to: Date): string {
  const isMidnight = (at: Date) => at.getTime() % (dayMinutes * minuteMs) === 0;
  if (isMidnight(from) && isMidnight(to)) {
    const last = new Date(to.getTime() - 1);
    const [first, end] = [dayOf(from), dayOf(last)];
    return first === end ? `${first}, UTC` : `${first} to ${end}, UTC`;
  }
  const seconds = [from, to].some((at) => at.getTime() % minuteMs !== 0);
  const end = dayOf(from) === dayOf(to) ? formatClock(to, "UTC", { seconds }) : formatDayTime(to, "UTC", { seconds });
  return `${formatDayTime(from, "UTC", { seconds })} to ${end} UTC`;
}

const dayOf = (at: Date) => formatDayTime(at, "UTC").slice(0, -6);

/** At most five, at round times; none at the very end, where the text would extend beyond the drawing. */
function ticksOf(data: readonly CallBucket[], minutes: number): Map<number, string> {
  const all = data.length * minutes;
  const step =
    tickSteps.find((length) => length >= minutes && length % minutes === 0 && all / length <= mostTicks) ??
    Math.ceil(all / mostTicks / Math.max(dayMinutes, minutes)) * Math.max(dayMinutes, minutes);
  const ticks = new Map<number, string>();
  for (const [index, { at }] of data.entries()) {
    const time = new Date(at);
    if ((time.getTime() / minuteMs) % step !== 0 || index > data.length * 0.86) continue;
    const isDay = time.getTime() % (dayMinutes * minuteMs) === 0;
    ticks.set(index, isDay ? formatDay(time, "UTC", time) : formatClock(time, "UTC"));
  }
  return ticks;
}

/** What is drawn, in one sentence, with what is not counted. */
export function histogramSentence({ total, since, until, bucket_minutes: minutes, ...how }: CallCounts): string {
  const calls = total.answered + (total.cached ?? 0) + total.failed + (total.refused ?? 0);
  // a range from the first call and up to now is said in whole minutes
  const range = stretch(toMinute(since, Math.floor), toMinute(until, Math.ceil));
  const first = `${calls === 0 ? "No calls" : counted(calls, "call")}, ${range}.`;
  const bar = `One bar is ${barWords(minutes)}.`;
  if (how.source === "hourly_sums") {
    return `${first} ${bar} There are too many to count one by one: these are sums of whole hours, by the hour in which a call ended.`;
  }
  if (how.counted_since === null) return `${first} ${bar}`;
  const from = formatDayTime(new Date(how.counted_since), "UTC", { seconds: true });
  return `${first} ${bar} Only calls since ${from} UTC are counted: there are too many.`;
}

/** As the other charts have it: "one hour", "30 minutes". */
function barWords(minutes: number): string {
  const [count, unit] =
    minutes % dayMinutes === 0
      ? [minutes / dayMinutes, "day"]
      : minutes % 60 === 0
        ? [minutes / 60, "hour"]
        : [minutes, "minute"];
  return count === 1 ? `one ${unit}` : counted(count, unit);
}

const toMinute = (iso: string, round: (minutes: number) => number) =>
  new Date(round(Date.parse(iso) / minuteMs) * minuteMs);

/**
 * The range of the selected bars, as the address has it. A selection that reaches to an end of the drawing leaves that
 * end of the range as it is: it may be open.
 */
export function rangeOfBars(
  { data, bucket_minutes: minutes }: Pick<CallCounts, "data" | "bucket_minutes">,
  [first, last]: readonly [number, number],
  { since, until }: CallsSearch,
): Pick<CallsSearch, "since" | "until"> {
  const end = Date.parse(data[last]?.at ?? "") + minutes * minuteMs;
  return {
    since: first <= 0 ? since : data[first]?.at,
    until: last >= data.length - 1 ? until : new Date(end).toISOString(),
  };
}

/** The bars of a selection, as one. */
export function barOfStretch(
  { data, bucket_minutes: minutes }: Pick<CallCounts, "data" | "bucket_minutes">,
  bars: readonly Bar[],
  [first, last]: readonly [number, number],
): Bar | undefined {
  const [from, to] = [data[first], data[last]];
  if (from === undefined || to === undefined) return undefined;
  const within = bars.slice(first, last + 1);
  const sum = (of: (bar: Bar) => number | undefined) => within.reduce((found, bar) => found + (of(bar) ?? 0), 0);
  return {
    label: stretch(new Date(from.at), new Date(Date.parse(to.at) + minutes * minuteMs)),
    value: sum(({ value }) => value),
    more: bars[first]?.more?.map((_, part) => sum(({ more }) => more?.[part])),
    refused: sum(({ refused }) => refused),
  };
}
