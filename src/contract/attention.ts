import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";
import { Usd } from "./money.ts";
import { queryWorkspace, Total } from "./page.ts";
import { ProviderHealth } from "./providers.ts";
import { Instant } from "./time.ts";

/**
 * What needs attention, most urgent first. `provider`: one whose `health.status` is `failing`, `overloaded`, `credentials` or `down`.
 * `errors`: a workspace where in the last three UTC hours 5 % of at least 20 calls fail at a provider; calls that the caller left or asked wrongly are no failures. `refused`: at least 10 calls of a key in the last hour.
 * `drift`: a provider's embedding model whose vectors changed, as two runs of its canary found.
 * `running_out`: a key whose limit is used up within 7 days at its pace, and which is not near it yet; of the 2,000 keys with a limit that were used last.
 * `budget`: four fifths are spent, or it is used up within 7 days at its pace.
 * `over_watched_limit`: a key over a limit that is only watched, whose calls are not refused.
 */
export const AttentionKind = z.enum([
  "provider",
  "destination",
  "drift",
  "over_limit",
  "refused",
  "errors",
  "expiring",
  "over_watched_limit",
  "near_limit",
  "running_out",
  "budget",
  "unused",
]);
export type AttentionKind = z.infer<typeof AttentionKind>;

export const AttentionRow = z.object({
  kind: AttentionKind,
  object: z.object({
    type: z.enum(["key", "provider", "destination", "workspace", "model"]),
    id: z.string(),
    name: z.string(),
  }),
  /** null: a provider or a model, which serve all of them */
  workspace_id: z.nullable(z.uuid()),
  /** since when; null where that is not known */
  since: z.nullable(Instant),
  /** until when: the reset of a limit or budget, the expiry of a key */
  until: z.nullable(Instant),
  /** a fraction of 1 for limits, budgets and failures; a count of calls for refusals and for undelivered calls; a cosine distance for drift */
  figure: z.nullable(z.number()),
  /** USD spent toward the limit, and the limit */
  spent: z.nullable(Usd),
  limit: z.nullable(Usd),
  /** until when a limit or budget lasts at its pace, as in the record of the key; null where no day can be named */
  lasts_until: z.nullable(Instant),
  last_used_at: z.nullable(Instant),
  /** the message of the last failure, or of the last refusal for the most frequent reason */
  message: z.nullable(z.string()),
  /** that answer's HTTP status; null: no answer came, or the status is unknown */
  status: z.nullable(z.int()),
  /** a provider's `health.status` and the minutes that `figure` is of; null for all else */
  state: z.nullable(ProviderHealth.shape.status),
  minutes: z.nullable(z.int()),
  /** the most frequent reason of refusals, as the list of refused calls has it, and how many had it; null for all else */
  reason: z.nullable(z.string()),
  reason_count: z.nullable(z.int()),
});
export type AttentionRow = z.infer<typeof AttentionRow>;

export const Attention = z.object({ data: z.array(AttentionRow), totals: z.record(AttentionKind, Total) });
export type Attention = z.infer<typeof Attention>;

export const getAttention = endpoint({
  name: "getAttention",
  method: "GET",
  path: "/attention",
  tag: "Activity",
  summary: "Get what needs attention",
  description:
    "Over all keys, budgets, destinations, providers and drift canaries: the first five of each kind, and how many there are. Beyond the public API.",
  auth: "management",
  query: z.strictObject({
    workspace_id: queryWorkspace,
  }),
  returns: Attention,
  errors: [400, 401, 403, 404, 500],
});
