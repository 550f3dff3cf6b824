import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";
import { KeyHash } from "./keys.ts";
import { Usd } from "./money.ts";
import { queryInteger } from "./page.ts";
import { Instant, UtcInstant } from "./time.ts";

/** What was used of one model at one provider on one UTC day. */
export const ActivityRow = z.object({
  /** YYYY-MM-DD */
  date: z.string(),
  model: z.string(),
  model_permaslug: z.string(),
  endpoint_id: z.string(),
  provider_name: z.string(),
  usage: Usd,
  byok_usage_inference: Usd,
  requests: z.int(),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  reasoning_tokens: z.int(),
  /** only with `group_by=workspace` */
  workspace_id: z.optional(z.uuid()),
});
export type ActivityRow = z.infer<typeof ActivityRow>;

export const getActivity = endpoint({
  name: "getUserActivity",
  method: "GET",
  path: "/activity",
  tag: "Activity",
  summary: "Get the usage of the last 30 completed UTC days",
  auth: "management",
  query: z.strictObject({
    /** one of the last 30 completed UTC days */
    date: z.optional(z.iso.date("must be a day as YYYY-MM-DD")),
    api_key_hash: z.optional(KeyHash),
    user_id: z.optional(z.string().check(z.minLength(1), z.maxLength(255))),
    group_by: z.optional(z.literal("workspace")),
    workspace_id: z.optional(z.uuid()),
  }),
  returns: z.object({ data: z.array(ActivityRow) }),
  errors: [400, 401, 403, 404, 500],
});

/** What usage can be told apart by. */
const UsageGroup = z.enum(["model", "provider", "key", "workspace"]);
export type UsageGroup = z.infer<typeof UsageGroup>;

const usageFigures = {
  usage: Usd,
  byok_usage: Usd,
  /** what cached and repeated inputs would have cost */
  saved: Usd,
  requests: z.int(),
  /** those of the requests that were answered with an error */
  failures: z.int(),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  reasoning_tokens: z.int(),
};

/** Everything that was used in some stretch of time. */
export const UsageFigures = z.object(usageFigures);
export type UsageFigures = z.infer<typeof UsageFigures>;

export const UsageSeries = z.object({
  /** a model's id, a provider's slug, a key's hash or a workspace's id; null: all that is not in a series of its own */
  group: z.nullable(z.string()),
  /** as people know it; null where the group is null, or is no longer there */
  name: z.nullable(z.string()),
  total: UsageFigures,
  /** of the equally long stretch before the first point */
  previous: UsageFigures,
  /** oldest first; hours and days without calls are there with zeros */
  points: z.array(z.object({ at: Instant, ...usageFigures })),
});
export type UsageSeries = z.infer<typeof UsageSeries>;

const anyWorkspace = z.optional(z.union([z.uuid(), z.literal("all")], "must be a workspace's id (a UUID) or `all`"));

export const getUsage = endpoint({
  name: "getUsage",
  method: "GET",
  path: "/usage",
  tag: "Activity",
  summary: "Get what the account or a workspace used over time",
  description:
    "By UTC hour or day, the current one included. With `group_by` the groups that cost most have a series each, and one series holds the rest. Beyond the public API.",
  auth: "management",
  query: z.strictObject({
    by: z.optional(z.enum(["hour", "day"])),
    /** how many hours (at most 744) or days (at most 366); default 30 */
    last: z.optional(queryInteger(1, 744)),
    /** the last hour or day is the one that this instant falls in; default: now */
    until: z.optional(UtcInstant),
    workspace_id: anyWorkspace,
    group_by: z.optional(UsageGroup),
  }),
  returns: z.object({ data: z.array(UsageSeries) }),
  errors: [400, 401, 403, 404, 500],
});

export const LatencyRecord = z.object({
  /** milliseconds from the request to the end of the answer, of the calls that were answered; null: there were none */
  p50_ms: z.nullable(z.int()),
  p95_ms: z.nullable(z.int()),
  /** how many calls were looked at, the newest of each workspace */
  calls: z.int(),
  /** false: there were more, and these stand for them */
  all: z.boolean(),
  since: Instant,
});
export type LatencyRecord = z.infer<typeof LatencyRecord>;

export const getLatency = endpoint({
  name: "getLatency",
  method: "GET",
  path: "/usage/latency",
  tag: "Activity",
  summary: "Get how long the calls of the last 24 hours took",
  description: "Of about ten thousand calls at most, each workspace in proportion to its calls. Beyond the public API.",
  auth: "management",
  query: z.strictObject({ workspace_id: anyWorkspace }),
  returns: z.object({ data: LatencyRecord }),
  errors: [400, 401, 403, 404, 500],
});
