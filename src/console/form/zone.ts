/** `UTC+1`, `UTC−10`, `UTC+10:30`, `UTC`: the zone's offset at that instant. */
export function offsetName(at: Date, zone: string): string {
  const part = new Intl.DateTimeFormat("en-GB", { timeZone: zone, timeZoneName: "longOffset" })
    .formatToParts(at)
    .find(({ type }) => type === "timeZoneName")?.value;
  const found = /([+-])(\d\d):(\d\d)/.exec(part ?? "");
  if (!found) return "UTC";
  const [, sign, hours = "0", minutes] = found;
  const size = `${Number(hours)}${minutes === "00" ? "" : `:${minutes}`}`;
  return size === "0" ? "UTC" : `UTC${sign === "-" ? "\u2212" : "+"}${size}`;
}

/** `Fri 19 Feb 2027, 00:59` as clocks in the zone show it. */
export function inZone(at: Date, zone: string): string {
  const parts = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    weekday: "short",
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).formatToParts(at);
  const value = (type: string) => parts.find((part) => part.type === type)?.value ?? "";
  return `${value("weekday")} ${value("day")} ${value("month").slice(0, 3)} ${value("year")}, ${value("hour")}:${value("minute")}`;
}

const longDay = (at: Date, zone: string) =>
  new Intl.DateTimeFormat("en-GB", { timeZone: zone, weekday: "long" }).format(at);
const dateIn = (at: Date, zone: string) => new Intl.DateTimeFormat("en-CA", { timeZone: zone }).format(at);

/** `in 90 days`, `in 7 h`, `in 12 min`: whole units, rounded down, so that it never promises too much. */
export function untilText(at: Date, now: Date): string {
  const minutes = Math.floor((at.getTime() - now.getTime()) / 60_000);
  if (minutes < 0) return "in the past";
  if (minutes < 120) return `in ${minutes} min`;
  if (minutes < 48 * 60) return `in ${Math.floor(minutes / 60)} h`;
  return `in ${Math.floor(minutes / 1_440)} days`;
}

/** The line under a UTC field: `= Fri 19 Feb 2027, 00:59 in Europe/Berlin (UTC+1) · in 90 days`. */
export function localLine(at: Date, now: Date, zone: string): string {
  return `= ${inZone(at, zone)} in ${zone} (${offsetName(at, zone)}) · ${untilText(at, now)}`;
}

/** What may surprise a person in that zone about a UTC instant: another date, or clocks that change before it. */
export function zoneWarnings(at: Date, now: Date, zone: string): string[] {
  const warnings: string[] = [];
  if (dateIn(at, zone) !== dateIn(at, "UTC")) {
    warnings.push(`It ends on a different date where you are: ${longDay(at, zone)}, not ${longDay(at, "UTC")}.`);
  }
  const then = offsetName(at, zone);
  const today = offsetName(now, zone);
  if (then !== today) warnings.push(`Clocks where you are change before then: ${then} instead of ${today}.`);
  return warnings;
}
