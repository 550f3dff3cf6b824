import { dayMs, hourMs, startOfUtcDay, startOfUtcHour, startOfUtcMonth, startOfUtcWeek } from "#contract/time.ts";
import { customDaysOf } from "../../form/day-range.ts";
import { formatClock, formatDay } from "../../format.ts";
import type { Period, UsageSearch } from "./search.ts";

export const periodLabels: Readonly<Record<Period, string>> = {
  today: "Today",
  week: "This week",
  month: "This month",
  "last-month": "Last month",
  "24h": "Last 24 hours",
  "7d": "Last 7 days",
  "30d": "Last 30 days",
  custom: "Custom",
};

/** A stretch of whole UTC hours. */
export interface Stretch {
  readonly since: Date;
  readonly until: Date;
}

export interface UsagePeriod extends Stretch {
  /** it ends with the hour that is under way, so that its figures still grow */
  readonly live: boolean;
  readonly compared: Stretch;
  /** how the chart has it, as the usage endpoint takes it */
  readonly by: "hour" | "day";
  readonly last: number;
}

/** More days than these are shown by the day. */
const maxDaysByHour = 7;

/**
 * A period and what it is compared with: a month with the one before, and what is under way with the same part of the
 * one before. The last hours and days are those of the overview.
 */
export function periodOf(search: Pick<UsageSearch, "period" | "from" | "to">, now: Date): UsagePeriod {
  const hour = startOfUtcHour(now).getTime();
  const next = new Date(hour + hourMs);
  const ago = (start: number, ms: number) => new Date(start - ms);
  const underWay = (since: Date, before: Date) => {
    const until = new Date(Math.min(before.getTime() + next.getTime() - since.getTime(), since.getTime()));
    return made({ since, until: next }, { since: before, until }, true);
  };
  const day = startOfUtcDay(now);
  const month = startOfUtcMonth(now);
  const monthBefore = startOfUtcMonth(ago(month.getTime(), 1));
  const rolling = (since: Date, lengthMs: number) =>
    made({ since, until: next }, { since: ago(since.getTime(), lengthMs), until: since }, true);
  switch (search.period ?? "month") {
    case "today":
      return underWay(day, ago(day.getTime(), dayMs));
    case "week":
      return underWay(startOfUtcWeek(now), ago(startOfUtcWeek(now).getTime(), 7 * dayMs));
    case "month":
      return underWay(month, monthBefore);
    case "last-month": {
      const before = startOfUtcMonth(ago(monthBefore.getTime(), 1));
      return made({ since: monthBefore, until: month }, { since: before, until: monthBefore }, false);
    }
    case "24h":
      return rolling(ago(hour, 23 * hourMs), dayMs);
    case "7d":
      return rolling(ago(hour, 167 * hourMs), 7 * dayMs);
    case "30d":
      return rolling(ago(day.getTime(), 29 * dayMs), 30 * dayMs);
    case "custom": {
      const { from, to } = customDaysOf(search, now);
      const since = new Date(from);
      const end = Date.parse(to) + dayMs;
      const compared = { since: ago(since.getTime(), end - since.getTime()), until: since };
      return made({ since, until: new Date(Math.min(end, next.getTime())) }, compared, end > now.getTime());
    }
  }
}

function made({ since, until }: Stretch, compared: Stretch, live: boolean): UsagePeriod {
  const length = until.getTime() - since.getTime();
  const by = length <= maxDaysByHour * dayMs ? "hour" : "day";
  return { since, until, compared, live, by, last: Math.ceil(length / (by === "hour" ? hourMs : dayMs)) };
}

/** "1 Oct to 31 Oct 2025", with the hours where it is not of whole days; the hour that is under way reads "now". */
export function stretchWords({ since, until, live = false }: Stretch & { live?: boolean }, now: Date): string {
  const isWhole = (at: Date) => at.getTime() === startOfUtcDay(at).getTime();
  const day = (at: Date) => formatDay(at, "UTC", now);
  const time = (at: Date) => `${day(at)}, ${formatClock(at, "UTC")}`;
  if (!isWhole(since)) return `${time(since)} to ${live ? "now" : time(until)}`;
  if (live) return `${day(since)} to now`;
  if (!isWhole(until)) return `${day(since)} to ${time(until)}`;
  const last = new Date(until.getTime() - dayMs);
  return last.getTime() === since.getTime() ? day(since) : `${day(since)} to ${day(last)}`;
}
