import { dayMs, minuteMs } from "#contract/time.ts";
import { partsToDate } from "./utc-instant.ts";

/** A time range as it appears in the URL: ISO 8601 in UTC, from `since` up to but not including `until`. */
export interface TimeRange {
  since?: string | undefined;
  until?: string | undefined;
}

/** The named ranges, in minutes. */
export const lastMinutes = { hour: 60, day: 1_440, week: 10_080, month: 43_200 } as const;

/** The last so many minutes, starting at a whole minute. */
export function lastRange(minutes: number, now: Date): TimeRange {
  const since = Math.floor(now.getTime() / minuteMs - minutes) * minuteMs;
  return { since: new Date(since).toISOString(), until: undefined };
}

/**
 * Reads "2026-11-22", "2026-11-22 14:00" or a whole instant in UTC; null where the text is none. A day alone is its
 * beginning, or for the end of a range its end.
 */
export function readBound(text: string, end: boolean): string | null {
  const [, date = "", time = ""] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?))?\s*(?:Z|UTC)?$/i.exec(text.trim()) ?? [];
  const at = partsToDate({ date, time: time === "" ? "00:00" : time });
  if (at === null) return null;
  return new Date(at.getTime() + (end && time === "" ? dayMs : 0)).toISOString();
}

/** "2026-11-22 14:00", with seconds where there are any. */
export function writeBound(iso: string | undefined): string {
  if (iso === undefined) return "";
  const text = new Date(iso).toISOString();
  return `${text.slice(0, 10)} ${text.slice(17, 19) === "00" ? text.slice(11, 16) : text.slice(11, 19)}`;
}

/** Whether an address's text is an instant that the gateway takes. */
export function isBound(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/.test(text) && readBound(text, false) !== null;
}
