import { formatClock, formatLongDay, formatOffset, formatRelative } from "../format.ts";

/** `Fri 19 Feb 2027, 00:59` as clocks in the zone show it. */
export function inZone(at: Date, zone: string): string {
  return `${formatLongDay(at, zone)}, ${formatClock(at, zone)}`;
}

/** The line under a UTC field: `= Fri 19 Feb 2027, 00:59 in Europe/Berlin (UTC+1) · in 90 days`. */
export function localLine(at: Date, now: Date, zone: string): string {
  const here = zone === "UTC" ? "UTC" : `${zone} (${formatOffset(at, zone)})`;
  return `= ${inZone(at, zone)} in ${here} · ${formatRelative(at, now)}`;
}

/** What may surprise a person in that zone about a UTC instant: another date, or clocks that change before it. */
export function zoneWarnings(at: Date, now: Date, zone: string): string[] {
  const warnings: string[] = [];
  if (formatLongDay(at, zone) !== formatLongDay(at, "UTC")) {
    warnings.push(`It ends on a different date where you are: ${weekday(at, zone)}, not ${weekday(at, "UTC")}.`);
  }
  const then = formatOffset(at, zone);
  const today = formatOffset(now, zone);
  if (then !== today) warnings.push(`Clocks where you are change before then: ${then} instead of ${today}.`);
  return warnings;
}

function weekday(at: Date, zone: string): string {
  return new Intl.DateTimeFormat("en-GB", { timeZone: zone, weekday: "long" }).format(at);
}
