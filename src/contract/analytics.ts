import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";
import { list } from "./list.ts";
import { UtcInstant } from "./time.ts";

export const Granularity = z.enum(["minute", "hour", "day", "week", "month"]);
export type Granularity = z.infer<typeof Granularity>;

const DisplayFormat = z.enum(["number", "currency", "percent", "latency", "throughput"]);
const Operator = z.enum(["eq", "neq", "in", "not_in", "gt", "gte", "lt", "lte"]);
export type Operator = z.infer<typeof Operator>;

const labeled = { name: z.string(), display_label: z.string() };

export const AnalyticsMeta = z.object({
  metrics: z.array(z.object({ ...labeled, display_format: DisplayFormat, is_rate: z.boolean() })),
  dimensions: z.array(z.object(labeled)),
  granularities: z.array(z.object({ name: Granularity, display_label: z.string() })),
  operators: z.array(z.object({ name: Operator, value_type: z.enum(["scalar", "array"]) })),
});
export type AnalyticsMeta = z.infer<typeof AnalyticsMeta>;

export const getAnalyticsMeta = endpoint({
  name: "getAnalyticsMeta",
  method: "GET",
  path: "/analytics/meta",
  tag: "Analytics",
  summary: "List the metrics, dimensions, granularities and operators of analytics queries",
  auth: "management",
  returns: z.object({ data: AnalyticsMeta }),
  errors: [401, 403, 500],
});

const name = z.string().check(z.minLength(1), z.maxLength(100));
const Scalar = z.union([z.string().check(z.maxLength(1_000)), z.number()], "must be a text or a number");

export const AnalyticsFilter = z.strictObject({
  /** a dimension, by its id (a key's hash, a workspace's id), or a metric */
  field: name,
  operator: Operator,
  /** a list for `in` and `not_in`, else one value */
  value: z.union([Scalar, list(Scalar, { least: 1, most: 1_000 })], "must be a text, a number, or a list of them"),
  /** with `neq` and `not_in`: calls without a value, too */
  include_unset: z.optional(z.boolean()),
});
export type AnalyticsFilter = z.infer<typeof AnalyticsFilter>;

/** The most rows of one answer. */
export const mostAnalyticsRows = 10_000;

export const AnalyticsQuery = z.strictObject({
  metrics: list(name, { least: 1, most: 50 }),
  dimensions: z.optional(list(name, { least: 0, most: 2 })),
  /** joined by AND */
  filters: z.optional(list(AnalyticsFilter, { least: 0, most: 20 })),
  granularity: z.optional(Granularity),
  /** default: the last 7 days */
  time_range: z.optional(z.strictObject({ start: UtcInstant, end: UtcInstant })),
  /** a metric, a dimension, or `date` */
  order_by: z.optional(z.strictObject({ field: name, direction: z.enum(["asc", "desc"]) })),
  limit: z.optional(
    z
      .int()
      .check(z.minimum(1, "must be 1 or more"), z.maximum(mostAnalyticsRows, `must be at most ${mostAnalyticsRows}`)),
  ),
  /** with a granularity and a dimension: the most periods of one group, the latest first */
  group_limit: z.optional(
    z
      .int()
      .check(z.minimum(1, "must be 1 or more"), z.maximum(mostAnalyticsRows, `must be at most ${mostAnalyticsRows}`)),
  ),
  classifier_dimensions: z.optional(z.unknown()),
  classifier_filters: z.optional(z.unknown()),
});
export type AnalyticsQuery = z.infer<typeof AnalyticsQuery>;

/**
 * One group in one period: `date__<granularity>` with the start of the period, the dimensions, and the metrics: counts
 * as text, money (USD) and rates as numbers; null where there is nothing to compute it from.
 */
export const AnalyticsRow = z.record(z.string(), z.nullable(z.union([z.string(), z.number()])));
export type AnalyticsRow = z.infer<typeof AnalyticsRow>;

export const AnalyticsResult = z.object({
  data: z.array(AnalyticsRow),
  metadata: z.object({
    query_time_ms: z.number(),
    row_count: z.int(),
    /** there were more rows than `limit` */
    truncated: z.boolean(),
  }),
  /** what the figures leave out */
  warnings: z.optional(z.array(z.string())),
});
export type AnalyticsResult = z.infer<typeof AnalyticsResult>;

export const queryAnalytics = endpoint({
  name: "queryAnalytics",
  method: "POST",
  path: "/analytics/query",
  tag: "Analytics",
  summary: "Query metrics of the gateway's calls by dimension and time",
  description:
    "Counts and money come from sums by hour, of at most 366 days. Minutes, latency, throughput, the rate of cached answers and the dimensions of single calls are read from the calls themselves: at most 31 days (minutes: 3 hours), and at most the 50,000 latest calls. An answer has at most 20,000 values. A warning says from when on they count.",
  auth: "management",
  body: AnalyticsQuery,
  returns: z.object({ data: AnalyticsResult }),
  errors: [400, 401, 403, 413, 500],
});
