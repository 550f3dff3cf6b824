import * as z from "zod/mini";

export const LimitReset = z.enum(["daily", "weekly", "monthly"]);
export type LimitReset = z.infer<typeof LimitReset>;

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** The full hour, UTC, that `at` is in. */
export function startOfUtcHour(at: Date): Date {
  return new Date(Math.floor(at.getTime() / hourMs) * hourMs);
}

/** 00:00 UTC on the day that contains `at`. */
export function startOfUtcDay(at: Date): Date {
  return new Date(Math.floor(at.getTime() / dayMs) * dayMs);
}

/** Monday 00:00 UTC of the week that contains `at` (ISO 8601: weeks run Monday to Sunday). */
export function startOfUtcWeek(at: Date): Date {
  const day = startOfUtcDay(at);
  const sinceMonday = (day.getUTCDay() + 6) % 7;
  return new Date(day.getTime() - sinceMonday * dayMs);
}

/** 00:00 UTC on the first day of the month that contains `at`. */
export function startOfUtcMonth(at: Date): Date {
  const start = new Date(0);
  start.setUTCFullYear(at.getUTCFullYear(), at.getUTCMonth(), 1);
  return start;
}

/** The start of the limit period that contains `at`. The end is exclusive: midnight belongs to the new period. */
export function startOfPeriod(reset: LimitReset, at: Date): Date {
  return { daily: startOfUtcDay, weekly: startOfUtcWeek, monthly: startOfUtcMonth }[reset](at);
}

/** When a limit next resets: the first instant after `at`'s period. */
export function nextReset(reset: LimitReset, at: Date): Date {
  const start = startOfPeriod(reset, at);
  if (reset === "daily") return new Date(start.getTime() + dayMs);
  if (reset === "weekly") return new Date(start.getTime() + 7 * dayMs);
  const next = new Date(start);
  next.setUTCMonth(start.getUTCMonth() + 1);
  return next;
}

/** An instant in an answer: ISO 8601, UTC, milliseconds. */
export const Instant = z.string();

/**
 * An instant that a caller sets. Only UTC is accepted (`Z` or `+00:00`), with or without fractional seconds; any other
 * offset is refused rather than converted, as in the public API.
 */
export const UtcInstant = z.iso
  .datetime({ offset: true, error: "must be an ISO 8601 date and time in UTC, such as 2027-01-31T23:59:59Z" })
  .check(z.refine((text) => /(Z|\+00:00)$/.test(text), "must be in UTC: end it with Z, other time zones are refused"));
