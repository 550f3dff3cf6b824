import { dayMs, hourMs, minuteMs } from "#contract/time.ts";

const usd2 = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });
const usdSmall = new Intl.NumberFormat("en-US", {
  style: "currency",
  currency: "USD",
  maximumSignificantDigits: 6,
  maximumFractionDigits: 9,
  roundingPriority: "lessPrecision",
});
const usdExact = new Intl.NumberFormat("en-US", {
  style: "currency",
  currency: "USD",
  minimumFractionDigits: 2,
  maximumFractionDigits: 9,
});
const usdCents = new Intl.NumberFormat("en-US", {
  style: "currency",
  currency: "USD",
  minimumFractionDigits: 2,
  maximumFractionDigits: 4,
});
const usdWhole = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD", maximumFractionDigits: 0 });
const usdBillions = new Intl.NumberFormat("en-US", {
  style: "currency",
  currency: "USD",
  notation: "compact",
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});
/** No amount under it is shortened. */
const billion = 1_000_000_000;
const integers = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const compact = new Intl.NumberFormat("en-US", { notation: "compact", maximumSignificantDigits: 3 });

export interface MoneyParts {
  /** With the sign and the currency: "$1,234". */
  dollars: string;
  /** With the point: ".50"; empty for billions. */
  cents: string;
  /** The cents step back behind the dollars; those of an amount under a cent are all there is. */
  muted: boolean;
}

/**
 * An amount of USD for reading: two decimals, or for amounts under a cent up to six significant digits, so that
 * something spent never reads "$0.00". `exact` keeps every digit down to a nano-dollar.
 */
export function formatUsd(usd: number, { exact = false } = {}): string {
  if (exact) return usdExact.format(usd);
  const size = Math.abs(usd);
  return size > 0 && size < 0.01 ? usdSmall.format(usd) : usd2.format(usd);
}

/** An amount of USD that is estimated, for a place after "≈": two digits that count, "$0.0029", "$1.40", "$120". */
export function formatUsdRough(usd: number): string {
  const rough = Number(usd.toPrecision(2));
  return Math.abs(rough) < 10 ? formatUsd(rough) : usdWhole.format(rough);
}

/**
 * An amount of USD for a list: two decimals, four under a dollar, and from a billion on "$1.23B", so that it is at most 15
 * characters wide. Something spent never reads "$0.00". Who shows it offers the exact figure too.
 */
export function formatUsdShort(usd: number): string {
  const size = Math.abs(usd);
  if (size > 0 && size < 0.0001) return usd < 0 ? ">-$0.0001" : "<$0.0001";
  const format = size < 1 ? usdCents : size < billion ? usd2 : usdBillions;
  return format.format(usd);
}

/** The amount for a list, or exactly, cut at the point: there the amounts of a column align. */
export function moneyParts(usd: number, { exact = false } = {}): MoneyParts {
  const text = exact ? formatUsd(usd, { exact }) : formatUsdShort(usd);
  const size = Math.abs(usd);
  const point = !exact && size >= billion ? -1 : text.indexOf(".");
  if (point < 0) return { dollars: text, cents: "", muted: false };
  return { dollars: text.slice(0, point), cents: text.slice(point), muted: size === 0 || size >= 0.01 };
}

/** 41200 → "41,200". */
export function formatCount(count: number): string {
  return integers.format(count);
}

/** The same, or a dash where it is not known. */
export function formatCountOrDash(count: number | null | undefined): string {
  return count == null ? "–" : formatCount(count);
}

/** "1 call", "41,200 calls"; the plural is given where an s does not make it: "1 try", "3 tries". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${integers.format(count)} ${count === 1 ? one : many}`;
}

/** 412000000 → "412M"; under ten thousand all digits. */
export function formatCompact(count: number): string {
  return Math.abs(count) < 10_000 ? integers.format(count) : compact.format(count);
}

/**
 * A fraction as a percentage of at most two digits after the point: 0.0042 → "0.42%". Only nothing reads "0%", and only a
 * whole "100%".
 */
export function formatPercent(fraction: number): string {
  const percent = fraction * 100;
  if (percent > 0 && percent < 0.005) return "<0.01%";
  if (percent >= 99.5 && percent < 100 - 1e-9) return percent < 99.95 ? `${percent.toFixed(1)}%` : ">99.9%";
  return `${Number(percent.toFixed(Math.abs(percent) < 1 ? 2 : Math.abs(percent) < 10 ? 1 : 0))}%`;
}

/** Decimal units, as networks and disks are sold: 4100 → "4.1 kB". */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${integers.format(bytes)} B`;
  const units = ["kB", "MB", "GB", "TB"];
  let size = bytes / 1000;
  let unit = 0;
  while (size >= 999.5 && unit < units.length - 1) {
    size /= 1000;
    unit += 1;
  }
  return `${Number(size.toFixed(size < 10 ? 1 : 0))} ${units[unit]}`;
}

const secondMs = 1000;

/** A length of time in at most two units: "2 d 6 h", "6 h", "26 min", "41 s". Negative lengths read as "0 s". */
export function formatDuration(ms: number): string {
  if (ms >= dayMs) {
    const hours = Math.floor((ms % dayMs) / hourMs);
    return `${Math.floor(ms / dayMs)} d${hours ? ` ${hours} h` : ""}`;
  }
  if (ms >= hourMs) return `${Math.floor(ms / hourMs)} h`;
  if (ms >= minuteMs) return `${Math.floor(ms / minuteMs)} min`;
  return `${Math.max(0, Math.floor(ms / secondMs))} s`;
}

/** A latency: "212 ms", "1.91 s", "2 min 3 s". */
export function formatLatency(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < minuteMs) return `${Number((ms / 1000).toFixed(2))} s`;
  return `${Math.floor(ms / minuteMs)} min ${Math.floor((ms % minuteMs) / 1000)} s`;
}

function coarse(ms: number): string {
  const days = Math.floor(ms / dayMs);
  if (days < 1) return formatDuration(ms);
  if (days < 366) return counted(days, "day");
  return counted(Math.floor(days / 365.25), "year");
}

/** "38 s ago", "8 days ago", "in 6 h", "in 90 days". Under one second either way it is "just now". */
export function formatRelative(at: Date, now: Date): string {
  const ms = at.getTime() - now.getTime();
  if (Math.abs(ms) < secondMs) return "just now";
  return ms > 0 ? `in ${coarse(ms)}` : `${coarse(-ms)} ago`;
}

/** The zone of a clock: an IANA name such as "Europe/Berlin". "UTC" is one of them. */
export type Zone = string;

let local: Zone | undefined;

/** The zone of the person at this screen. Asked once: a table asks for it in every cell, and the answer costs 0.1 ms. */
export function localZone(): Zone {
  local ??= zoneName(Intl.DateTimeFormat().resolvedOptions().timeZone);
  return local;
}

/** Browsers still answer some zones by a name that their people gave up. */
const renamedZones: Record<string, Zone> = {
  "Asia/Calcutta": "Asia/Kolkata",
  "Asia/Katmandu": "Asia/Kathmandu",
  "Asia/Rangoon": "Asia/Yangon",
  "Asia/Saigon": "Asia/Ho_Chi_Minh",
  "Europe/Kiev": "Europe/Kyiv",
};

/** A zone by the name it has today. */
export function zoneName(zone: Zone): Zone {
  return renamedZones[zone] ?? zone;
}

interface Clock {
  year: string;
  month: string;
  day: string;
  hour: string;
  minute: string;
  second: string;
  weekday: string;
  monthName: string;
}

const clocks = new Map<Zone, Intl.DateTimeFormat>();

function clockOf(at: Date, zone: Zone): Clock {
  let format = clocks.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat("en-GB", {
      timeZone: zone,
      hourCycle: "h23",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
      weekday: "short",
    });
    clocks.set(zone, format);
  }
  const parts = Object.fromEntries(format.formatToParts(at).map((part) => [part.type, part.value])) as unknown as Omit<
    Clock,
    "monthName"
  >;
  return { ...parts, monthName: months[Number(parts.month) - 1] ?? "" };
}

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

const offsets = new Map<Zone, Intl.DateTimeFormat>();

/** The offset of a zone at an instant: "UTC+1", "UTC+5:30", "UTC+0". */
export function formatOffset(at: Date, zone: Zone): string {
  let format = offsets.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "shortOffset" });
    offsets.set(zone, format);
  }
  const offset = format
    .formatToParts(at)
    .find((part) => part.type === "timeZoneName")
    ?.value.replace("GMT", "UTC");
  return !offset || offset === "UTC" ? "UTC+0" : offset;
}

/** "19 Nov", or "18 Feb 2027" in another year than `now`. */
export function formatDay(at: Date, zone: Zone, now: Date): string {
  const clock = clockOf(at, zone);
  const day = `${Number(clock.day)} ${clock.monthName}`;
  return clock.year === clockOf(now, zone).year ? day : `${day} ${clock.year}`;
}

/** "Fri 19 Feb 2027". */
export function formatLongDay(at: Date, zone: Zone): string {
  const clock = clockOf(at, zone);
  return `${clock.weekday} ${Number(clock.day)} ${clock.monthName} ${clock.year}`;
}

/** "17:42", or with seconds "17:42:09". */
export function formatClock(at: Date, zone: Zone, { seconds = false } = {}): string {
  const clock = clockOf(at, zone);
  return seconds ? `${clock.hour}:${clock.minute}:${clock.second}` : `${clock.hour}:${clock.minute}`;
}

/** "18 Feb 2027 23:59", the zone is said by the column's head or by who calls. */
export function formatDayTime(at: Date, zone: Zone, { seconds = false } = {}): string {
  const clock = clockOf(at, zone);
  return `${Number(clock.day)} ${clock.monthName} ${clock.year} ${formatClock(at, zone, { seconds })}`;
}

/** "2026-11-20 23:18:04 UTC", or for another zone "2026-11-21 00:18:04 Europe/Berlin (UTC+1)". */
export function formatFull(at: Date, zone: Zone): string {
  const clock = clockOf(at, zone);
  const text = `${clock.year}-${clock.month}-${clock.day} ${formatClock(at, zone, { seconds: true })}`;
  return zone === "UTC" ? `${text} UTC` : `${text} ${zone} (${formatOffset(at, zone)})`;
}

/** A whole instant, relative to now for the first week, then the day: "3 d ago" is not finer than anyone needs. */
export function formatAgo(at: Date, zone: Zone, now: Date): string {
  const ms = now.getTime() - at.getTime();
  if (ms < 7 * dayMs && ms >= dayMs) return `${Math.floor(ms / dayMs)} d ago`;
  return ms < 7 * dayMs ? formatRelative(at, now) : formatDay(at, zone, now);
}

/** The text with a capital letter at its beginning. */
export function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
