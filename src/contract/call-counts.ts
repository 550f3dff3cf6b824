import * as z from "zod/mini";
import { callFilters } from "./calls.ts";
import { endpoint } from "./endpoint.ts";
import { Usd } from "./money.ts";
import { queryInteger, queryWorkspace } from "./page.ts";
import { Instant } from "./time.ts";

/** The most buckets of one answer. */
export const mostBuckets = 120;

const outcomes = {
  /** with a status below 400, and not from the cache where those are counted apart */
  answered: z.int(),
  /** answered without a request to any provider; null: counted as answered, since hourly sums do not tell them apart */
  cached: z.nullable(z.int()),
  /** with a status of 400 or above */
  failed: z.int(),
  /** how many of the failed ones are the provider's fault */
  provider_faults: z.int(),
  /** before they were made, so that they are not generations; null: a filter is set that such calls cannot be found by */
  refused: z.nullable(z.int()),
};

export const CallOutcomes = z.object(outcomes);
export type CallOutcomes = z.infer<typeof CallOutcomes>;

export const CallBucket = z.object({ at: Instant, ...outcomes });
export type CallBucket = z.infer<typeof CallBucket>;

/** What the counted calls came to. */
export const CallSums = z.object({
  /** USD charged to the limits, and USD that providers charge own provider keys */
  cost: Usd,
  byok_cost: Usd,
  prompt_tokens: z.int(),
  /** of these, those that the vendor read from its cache */
  cached_tokens: z.int(),
  completion_tokens: z.int(),
  /** of these, those that reasoning took */
  reasoning_tokens: z.int(),
});
export type CallSums = z.infer<typeof CallSums>;

export const CallCounts = z.object({
  /** oldest first, each `bucket_minutes` long and aligned to UTC; those without calls are included, with zeros */
  data: z.array(CallBucket),
  total: CallOutcomes,
  /** null: hourly sums do not tell answered calls from failed ones */
  sums: z.nullable(CallSums),
  bucket_minutes: z.int(),
  /** the range that is counted: as asked for, from the first call, and up to now */
  since: Instant,
  until: Instant,
  /**
   * `calls`: each call in the bucket in which it began. `hourly_sums`: there are too many to count one by one; whole
   * hours are counted, by the hour in which a call ended
   */
  source: z.enum(["calls", "hourly_sums"]),
  /** calls that began earlier are not counted, since there are too many; null: all are */
  counted_since: z.nullable(Instant),
});
export type CallCounts = z.infer<typeof CallCounts>;

export const countGenerations = endpoint({
  name: "countGenerations",
  method: "GET",
  path: "/generations/count",
  tag: "Generations",
  summary: "Count and sum model calls by outcome over time",
  description:
    "Of all calls that the filters find, and of the calls that were refused. Up to 50,000 calls are counted one by one; for more, `source` and `counted_since` say what is counted. Beyond the public API.",
  auth: "management",
  query: z.strictObject({
    workspace_id: queryWorkspace,
    ...callFilters,
    /** the most buckets; their length is the shortest round one with which these suffice; default 60 */
    buckets: z.optional(queryInteger(1, mostBuckets)),
  }),
  returns: CallCounts,
  errors: [400, 401, 403, 404, 500],
});
