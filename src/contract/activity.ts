import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";
import { KeyHash } from "./keys.ts";
import { Usd } from "./money.ts";
import { queryInteger, queryWorkspace } from "./page.ts";
import { Instant } from "./time.ts";
import { UsageFigures, usageFigures, UsageQuery } from "./usage-figures.ts";

/** Usage of one model at one provider on one UTC day. */
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
  name: "getActivity",
  operationId: "getUserActivity",
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

export const UsageSeries = z.object({
  /** a model's id, a provider's slug, a key's hash or a workspace's id; null: everything without a series of its own */
  group: z.nullable(z.string()),
  /** the display name; null where the group is null or no longer exists */
  name: z.nullable(z.string()),
  total: UsageFigures,
  /** for the period of the same length before the first point */
  previous: UsageFigures,
  /** oldest first; hours and days without calls are included, with zeros */
  points: z.array(z.object({ at: Instant, ...usageFigures })),
});
export type UsageSeries = z.infer<typeof UsageSeries>;

export const getUsage = endpoint({
  name: "getUsage",
  method: "GET",
  path: "/usage",
  tag: "Activity",
  summary: "Get what the account or a workspace used over time",
  description:
    "By UTC hour or day, the current one included. With `group_by` the groups that cost most have a series each, and one series holds the rest. `requests` and `failures` are of calls that reached a model; what was refused before is in `refused`, and belongs to both where all that was asked is meant. Beyond the public API.",
  auth: "management",
  query: UsageQuery,
  returns: z.object({
    data: z.array(UsageSeries),
    /** calls refused before they were made, which no series counts; kept for 30 days */
    refused: z.object({ total: z.int(), previous: z.int(), /** one per series point */ points: z.array(z.int()) }),
  }),
  errors: [400, 401, 403, 404, 500],
});

export const LatencyRecord = z.object({
  /** milliseconds from the request to the end of the answer, over the answered calls; null: there were none */
  p50_ms: z.nullable(z.int()),
  p95_ms: z.nullable(z.int()),
  /** how many calls were sampled, the newest of each workspace */
  calls: z.int(),
  /** false: there were more calls, and these are a sample of them */
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
  query: z.strictObject({ workspace_id: queryWorkspace }),
  returns: z.object({ data: LatencyRecord }),
  errors: [400, 401, 403, 404, 500],
});

/** What one key used of one model. */
export const ModelUsageByKey = z.object({
  key_hash: z.string(),
  /** null where there is no record of the key any more */
  name: z.nullable(z.string()),
  workspace_id: z.uuid(),
  usage: Usd,
  byok_usage: Usd,
  requests: z.int(),
  prompt_tokens: z.int(),
});
export type ModelUsageByKey = z.infer<typeof ModelUsageByKey>;

export const ModelUsage = z.object({
  /** counted from here, the start of a UTC day, until now */
  since: Instant,
  total: z.object({ keys: z.int(), usage: Usd, byok_usage: Usd, requests: z.int(), prompt_tokens: z.int() }),
  /** those with most tokens, at most 200; `total.keys` says how many there are */
  keys: z.array(ModelUsageByKey),
  /** the model's answered calls that needed the provider for every input, among the newest calls of any model */
  sample: z.object({
    /** how many of the newest calls were looked through */
    looked: z.int(),
    calls: z.int(),
    inputs: z.int(),
    prompt_tokens: z.int(),
    /** all of them together, from the request to the end of the answer */
    duration_ms: z.int(),
  }),
});
export type ModelUsage = z.infer<typeof ModelUsage>;

export const getModelUsage = endpoint({
  name: "getModelUsage",
  method: "GET",
  path: "/usage/model",
  tag: "Activity",
  summary: "Get what each key embedded with one model",
  description:
    "For planning a change of model: what would have to be embedded again, by key, and how large and how fast its calls were. Failed calls count as requests; reranks, of which nothing is in an index, do not. Beyond the public API.",
  auth: "management",
  query: z.strictObject({
    model: z.string().check(z.minLength(1), z.maxLength(255)),
    /** the last so many UTC days, today included; default 90 */
    last: z.optional(queryInteger(1, 366)),
    workspace_id: queryWorkspace,
  }),
  returns: z.object({ data: ModelUsage }),
  errors: [400, 401, 403, 404, 500],
});
