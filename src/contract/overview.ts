import * as z from "zod/mini";
import { Attention } from "./attention.ts";
import { endpoint } from "./endpoint.ts";
import { Usd } from "./money.ts";
import { Instant } from "./time.ts";
import { UsageFigures, UsageQuery } from "./usage-figures.ts";

/** The spend of the current UTC day, week and month, each with the same part of the previous one. */
export const SpendSoFar = z.object({
  today: Usd,
  yesterday_by_now: Usd,
  /** since Monday */
  week: Usd,
  last_week_by_now: Usd,
  month: Usd,
  /** the month's total at this pace; null on its first day */
  month_at_this_pace: z.nullable(Usd),
  /** the month's last day */
  month_ends: Instant,
});
export type SpendSoFar = z.infer<typeof SpendSoFar>;

const OverviewSeries = z.object({
  /** a model's id, a provider's slug, a key's hash or a workspace's id; null: everything without a series of its own */
  group: z.nullable(z.string()),
  name: z.nullable(z.string()),
  total: UsageFigures,
  previous: UsageFigures,
  /** one per hour or day, oldest first, of what `measure` says */
  values: z.array(z.number()),
});

export const Overview = z.object({
  /** whether any call was ever recorded */
  used: z.boolean(),
  /** whether any was a caller's: made with a key that is not the gateway's own */
  called: z.boolean(),
  spend: SpendSoFar,
  usage: z.object({
    /** USD, or where nothing was spent, requests */
    measure: z.enum(["usage", "requests"]),
    /** where each of the series' values begins */
    starts: z.array(Instant),
    series: z.array(OverviewSeries),
    refused: z.object({ total: z.int(), previous: z.int(), points: z.array(z.int()) }),
  }),
  /** of the last 24 hours, as in `getLatency` */
  latency: z.object({ p50_ms: z.nullable(z.int()), p95_ms: z.nullable(z.int()) }),
  attention: Attention,
});
export type Overview = z.infer<typeof Overview>;

export const getOverview = endpoint({
  name: "getOverview",
  method: "GET",
  path: "/overview",
  tag: "Activity",
  summary: "Get how the account or a workspace is doing, in one answer",
  description:
    "What the console's overview draws: the spend so far, usage over time with one number per point and totals for each group, latency, and what needs attention. `getUsage`, `getLatency` and `getAttention` have the details. Beyond the public API.",
  auth: "management",
  query: UsageQuery,
  returns: z.object({ data: Overview }),
  errors: [400, 401, 403, 404, 500],
});
