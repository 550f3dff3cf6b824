import { dayMs, hourMs, type LimitReset, nextReset, startOfPeriod } from "#contract/time.ts";
import { inZone } from "../../form/zone.ts";
import { formatOffset } from "../../format.ts";

/** A mark above the line (UTC): `at` is a fraction of the period, 0 to 1. */
export interface Mark {
  at: number;
  label: string | null;
}

/** One limit period on two scales: UTC above, the person's own midnights below. Fractions of the period, 0 to 1. */
export interface PeriodMarks {
  /** days, or hours of a daily limit */
  major: Mark[];
  minor: number[];
  /** midnights where the person is */
  local: number[];
  now: number;
  /** `Mon 00:00 UTC` */
  endUtc: string;
  /** `Mon 01:00 here` */
  endHere: string;
  /** `Europe/Berlin, UTC+1` */
  zone: string;
}

/** The positions of the current period's marks, for a clock at `now` in `zone`. */
export function periodScale(reset: LimitReset, now: Date, zone: string): PeriodMarks {
  const start = startOfPeriod(reset, now).getTime();
  const end = nextReset(reset, now).getTime();
  const fraction = (at: number) => (at - start) / (end - start);
  const majorStep = reset === "daily" ? 6 * hourMs : dayMs;
  const minorStep = reset === "daily" ? hourMs : reset === "weekly" ? 6 * hourMs : dayMs;
  return {
    major: steps(start, end, majorStep).map((at, index) => ({ at: fraction(at), label: label(reset, at, index, now) })),
    minor: steps(start, end, minorStep)
      .filter((at) => (at - start) % majorStep !== 0)
      .map(fraction),
    local: localMidnights(start, end, zone).map(fraction),
    now: fraction(now.getTime()),
    endUtc: shortMoment(new Date(end), "UTC", "UTC", reset),
    endHere: shortMoment(new Date(end), zone, "here", reset),
    zone: `${zone}, ${formatOffset(now, zone)}`,
  };
}

function steps(start: number, end: number, step: number): number[] {
  return Array.from({ length: Math.ceil((end - start) / step) }, (_, index) => start + index * step);
}

/** Named days; the first and today carry their date. Of a month only each seventh day is named, of a day its hours. */
function label(reset: LimitReset, at: number, index: number, now: Date): string | null {
  const mark = new Date(at);
  if (reset === "daily") return `${String(mark.getUTCHours()).padStart(2, "0")}:00`;
  if (reset === "monthly") return index % 7 === 0 && index < 28 ? String(mark.getUTCDate()) : null;
  const name = inZone(mark, "UTC").slice(0, 3);
  const today = at === startOfPeriod("daily", now).getTime();
  return index === 0 || today ? `${name} ${mark.getUTCDate()}` : name;
}

/** The instants in the period at which the zone's date changes: found by its calendar, so that clock changes are right. */
function localMidnights(start: number, end: number, zone: string): number[] {
  const dateOf = new Intl.DateTimeFormat("en-CA", { timeZone: zone });
  const found: number[] = [];
  let before = dateOf.format(start - 1);
  // every zone's offset is a multiple of a quarter of an hour
  for (let at = start; at < end; at += hourMs / 4) {
    const date = dateOf.format(at);
    if (date !== before) found.push(at);
    before = date;
  }
  return found;
}

function shortMoment(at: Date, zone: string, name: string, reset: LimitReset): string {
  const [weekday = "", date = "", month = "", , time = ""] = inZone(at, zone).replace(",", "").split(" ");
  return `${reset === "monthly" ? `${date} ${month}` : weekday} ${time} ${name}`;
}
