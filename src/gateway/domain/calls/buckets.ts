import { minuteMs } from "#contract/time.ts";

const dayMinutes = 1_440;
/** Lengths of a bucket, minutes; longer ones are whole days. */
const lengths = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, dayMinutes];

/** Buckets of one length, aligned to UTC, from the one that contains the range's beginning to the one with its end. */
export interface Buckets {
  readonly minutes: number;
  readonly starts: readonly Date[];
}

/**
 * The buckets of a range, which ends before `until`.
 * @param most how many there may be
 * @param shortest minutes: 1, or 60 for sums of hours
 */
export function bucketsOf(since: Date, until: Date, most: number, shortest = 1): Buckets {
  const last = until.getTime() - 1;
  const count = (minutes: number) => indexAt(last, minutes) - indexAt(since.getTime(), minutes) + 1;
  let minutes = lengths.find((length) => length >= shortest && count(length) <= most);
  if (minutes === undefined) {
    minutes = dayMinutes * Math.max(2, Math.floor((last - since.getTime()) / (dayMinutes * minuteMs * most)));
    while (count(minutes) > most) minutes += dayMinutes;
  }
  const first = indexAt(since.getTime(), minutes);
  const step = minutes * minuteMs;
  const starts = Array.from({ length: count(minutes) }, (_, index) => new Date((first + index) * step));
  return { minutes, starts };
}

function indexAt(ms: number, minutes: number): number {
  return Math.floor(ms / (minutes * minuteMs));
}
