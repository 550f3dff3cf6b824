import * as z from "zod/mini";
import { dayMs } from "#contract/time.ts";
import type { UsageGroup } from "#contract/usage-figures.ts";
import { customDaysOf } from "../../form/day-range.ts";
import type { TimeRange } from "../../form/time-range.ts";
import { formatDay } from "../../format.ts";

export const RangeName = z.enum(["24h", "7d", "30d", "custom"]);
export type RangeName = z.infer<typeof RangeName>;

const day = z.catch(z.optional(z.iso.date()), undefined);

/** The page's state, as it appears in the URL; seven days by key by default. */
export const OverviewSearch = z.object({
  range: z.catch(z.optional(RangeName), undefined),
  /** UTC days of a custom range, both of them in it */
  from: day,
  to: day,
  group: z.catch(z.optional(z.enum(["key", "model", "provider", "workspace"])), undefined),
});
export type OverviewSearch = z.infer<typeof OverviewSearch>;

/** A stretch of time as the usage endpoint takes it. */
export interface Range {
  by: "hour" | "day";
  last: number;
  until?: string;
  /** "the last 7 days", "3 Nov to 9 Nov" */
  words: string;
}

export const rangeLabels: Record<RangeName, string> = { "24h": "24 h", "7d": "7 d", "30d": "30 d", custom: "Custom" };

/** More bars than the hours of a week cannot be told apart. */
const daysByHour = 7;

export function rangeOf(search: OverviewSearch, now: Date): Range {
  const name = search.range ?? "7d";
  if (name === "24h") return { by: "hour", last: 24, words: "the last 24 hours" };
  if (name === "7d") return { by: "hour", last: 168, words: "the last 7 days" };
  if (name === "30d") return { by: "day", last: 30, words: "the last 30 days" };
  const { from, to } = customDaysOf(search, now);
  const days = Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1;
  const said = (text: string) => formatDay(new Date(text), "UTC", now);
  return {
    ...(days <= daysByHour ? { by: "hour", last: days * 24 } : { by: "day", last: days }),
    until: `${to}T23:59:59Z`,
    words: from === to ? said(from) : `${said(from)} to ${said(to)}`,
  };
}

/** The same period on the page of usage, by the same grouping. */
export function usageSearchOf({ range = "7d", from, to }: OverviewSearch, by: UsageGroup) {
  return {
    period: range,
    ...(by !== "key" && { by }),
    ...(range === "custom" && from !== undefined && { from }),
    ...(range === "custom" && to !== undefined && { to }),
  };
}

/** The calls of a range, as their list takes it: `first` is where its usage begins. */
export function callsOf({ until }: Range, first: string | undefined): TimeRange {
  return {
    ...(first !== undefined && { since: first }),
    // the last second of a range is in it
    ...(until !== undefined && { until: new Date(Date.parse(until) + 1_000).toISOString() }),
  };
}
