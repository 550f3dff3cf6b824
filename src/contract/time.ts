import * as z from "zod/mini";

export const LimitReset = z.enum(["daily", "weekly", "monthly"]);
export type LimitReset = z.infer<typeof LimitReset>;

const dayMs = 86_400_000;

/** 00:00 UTC of the day that `at` falls in. */
export function startOfUtcDay(at: Date): Date {
  return new Date(Math.floor(at.getTime() / dayMs) * dayMs);
}

/** Monday 00:00 UTC of the week that `at` falls in (ISO 8601: weeks run Monday to Sunday). */
export function startOfUtcWeek(at: Date): Date {
  const day = startOfUtcDay(at);
  const sinceMonday = (day.getUTCDay() + 6) % 7;
  return new Date(day.getTime() - sinceMonday * dayMs);
}

/** The first of the month, 00:00 UTC, that `at` falls in. */
export function startOfUtcMonth(at: Date): Date {
  const start = new Date(0);
  start.setUTCFullYear(at.getUTCFullYear(), at.getUTCMonth(), 1);
  return start;
}

/** The start of the limit period that `at` falls in. The end is exclusive: midnight belongs to the new period. */
export function startOfPeriod(reset: LimitReset, at: Date): Date {
  return { daily: startOfUtcDay, weekly: startOfUtcWeek, monthly: startOfUtcMonth }[reset](at);
}

/** The instant at which a limit resets next: the first instant that is no longer in the period of `at`. */
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
 * An instant that a caller sets. Only UTC is taken (`Z` or `+00:00`), with or without seconds' fractions;
 * another offset is refused rather than converted, as the public API does.
 */
export const UtcInstant = z.iso
  .datetime({ offset: true, error: "must be an ISO 8601 date and time in UTC, such as 2027-01-31T23:59:59Z" })
  .check(z.refine((text) => /(Z|\+00:00)$/.test(text), "must be in UTC: end it with Z, other time zones are refused"));
