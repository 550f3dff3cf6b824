import { dayMs } from "#contract/time.ts";

const maxDays = 366;
const customDays = 14;

/** Two UTC days of an address, both in the range. */
export interface DayRange {
  from?: string | undefined;
  to?: string | undefined;
}

/** The days that a custom range means: in order, none of them ahead, at most a year. */
export function customDaysOf({ from, to }: DayRange, now: Date): { from: string; to: string } {
  const today = isoDay(now.getTime());
  const [end, start] = [to ?? today, from ?? isoDay(Date.parse(to ?? today) - (customDays - 1) * dayMs)].toSorted(
    (a, b) => b.localeCompare(a),
  ) as [string, string];
  const last = end > today ? today : end;
  const earliest = isoDay(Date.parse(last) - (maxDays - 1) * dayMs);
  const first = start > last ? last : start;
  return { from: first < earliest ? earliest : first, to: last };
}

function isoDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
