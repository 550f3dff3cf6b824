import * as z from "zod/mini";
import { apiTypes, mediaUnits } from "./api-type.ts";
import { endpoint } from "./endpoint.ts";
import { ContentFilterMatch } from "./content-filter-match.ts";
import { KeyHash, KeyPurpose } from "./keys.ts";
import { Usd } from "./money.ts";
import { Cursor, queryInteger, queryWorkspace } from "./page.ts";
import { Instant, UtcInstant } from "./time.ts";

/** One attempt at one candidate. */
export const CallAttempt = z.object({
  provider: z.string(),
  model: z.string(),
  /** null: no answer came */
  status: z.nullable(z.int()),
  /** milliseconds until it failed or answered, of a stream until it began */
  latency_ms: z.number(),
  /** milliseconds from the beginning of the call to that of the attempt; absent: not recorded */
  started_ms: z.optional(z.number()),
  /** USD that were reserved for the call then; 0: no limit counts it; absent: not recorded */
  reserved: z.optional(Usd),
  is_byok: z.boolean(),
  /** why the next candidate was tried; null: this one served the call */
  error: z.nullable(z.string()),
  /** USD, as part of the call's cost: the most that it may bill, where it neither answered nor refused */
  cost: z.optional(Usd),
  /** why it was not charged at the model's price: a long prompt, a tier, a fee; absent: it was */
  rate: z.optional(z.string()),
  /** false: nothing was sent to the provider; absent: it was sent, or this was not recorded */
  sent: z.optional(z.boolean()),
  /** attempts dropped between this one and the next; of a call with over 100, the first and last 50 are kept */
  left_out: z.optional(z.int()),
});
export type CallAttempt = z.infer<typeof CallAttempt>;

/** A model call as the ledger has it, in the gateway's own terms; `GenerationRecord` is its form in the public API. */
export const CallRecord = z.object({
  id: z.string(),
  created_at: Instant,
  workspace_id: z.uuid(),
  key_hash: z.string(),
  /** null: the key was deleted */
  key_name: z.nullable(z.string()),
  /** of a call that the gateway made itself; null: a caller's */
  key_purpose: z.nullable(KeyPurpose),
  /** the operation: chat in the public API's form is `completions` */
  api_type: z.enum(apiTypes),
  model: z.string(),
  /** null: no provider was reached */
  provider: z.nullable(z.string()),
  provider_name: z.nullable(z.string()),
  /** the status that the caller received */
  status: z.int(),
  error_type: z.nullable(z.string()),
  attempts: z.array(CallAttempt),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  reasoning_tokens: z.int(),
  /** of the prompt's tokens, those that the vendor read from its cache, and those that it wrote to it */
  cached_tokens: z.int(),
  cache_write_tokens: z.int(),
  /** vectors or scores asked for, and how many of them needed no upstream request */
  inputs: z.int(),
  cached_inputs: z.int(),
  /** of these, those that the durable embedding cache had */
  stored_inputs: z.int(),
  /** the call whose answer it was given from the response cache; null: a provider answered */
  response_cache_source_id: z.nullable(z.string()),
  /** what it is billed by besides tokens and requests, and how many of them; null: nothing else */
  unit: z.nullable(z.enum(mediaUnits)),
  units: z.nullable(z.number()),
  metered_by: z.enum(["upstream", "gateway"]),
  priced: z.boolean(),
  is_byok: z.boolean(),
  /** USD charged to the limits */
  cost: Usd,
  /** USD that the provider charges the caller's own provider key */
  byok_cost: Usd,
  /** USD beyond both the reservation and what the limit had left: not charged */
  overrun: Usd,
  /** USD that cached and repeated inputs, or an answer of the response cache, would have cost, or that the vendor's prompt cache took off */
  saved: Usd,
  /** milliseconds to the first byte, and to the end */
  latency_ms: z.nullable(z.int()),
  duration_ms: z.int(),
  streamed: z.boolean(),
  cancelled: z.boolean(),
  finish_reason: z.nullable(z.string()),
  upstream_id: z.nullable(z.string()),
  request_id: z.nullable(z.string()),
  /** the batch that it was made for; null: for none */
  batch_id: z.nullable(z.string()),
  session_id: z.nullable(z.string()),
  /** the slug of the preset that it was made with, and its version then; null: with none */
  preset: z.nullable(z.string()),
  preset_version: z.nullable(z.int()),
  /** what the content filters of its guardrails found in the request; null: nothing */
  content_filters: z.nullable(z.array(ContentFilterMatch)),
  external_user: z.nullable(z.string()),
  http_referer: z.nullable(z.string()),
  app_title: z.nullable(z.string()),
  user_agent: z.nullable(z.string()),
});
export type CallRecord = z.infer<typeof CallRecord>;

const term = (longest: number) => z.optional(z.string().check(z.minLength(1), z.maxLength(longest)));

/** What calls are found by. */
export const callFilters = {
  /** calls that began at this instant or later */
  since: z.optional(UtcInstant),
  /** calls that began before this instant */
  until: z.optional(UtcInstant),
  api_key_hash: z.optional(KeyHash),
  model: term(255),
  /** a provider's slug */
  provider: term(100),
  /** `succeeded`, `failed`, `refused` (before a model was called), or one HTTP status */
  status: z.optional(
    z
      .string()
      .check(z.regex(/^(succeeded|failed|refused|[2-5]\d\d)$/, "must be succeeded, failed, refused or an HTTP status")),
  ),
  /** why a call failed or was refused: an error's type, or a reason of `listRefusedCalls` */
  reason: term(100),
  session_id: term(256),
  /** the slug of a preset */
  preset: term(64),
  /** the user that the caller named */
  user: term(256),
  /** the app's title */
  app: term(256),
  /** the calls that a batch made */
  batch_id: term(200),
};

export const listGenerations = endpoint({
  name: "listGenerations",
  method: "GET",
  path: "/generations",
  tag: "Generations",
  summary: "List model calls, newest first",
  description:
    "A page may hold fewer calls than asked for although there is a `next_cursor`: a filter looks through a bounded number of calls at a time, and `looked_back_to` says how far it came. Beyond the public API.",
  auth: "management",
  query: z.strictObject({
    workspace_id: queryWorkspace,
    /** one call; other filters are ignored */
    id: term(100),
    /** the call that a request made, by the `x-request-id` of its answer; other filters are ignored */
    request_id: term(100),
    ...callFilters,
    limit: z.optional(queryInteger(1, 100)),
    cursor: z.optional(Cursor),
  }),
  returns: z.object({
    data: z.array(CallRecord),
    next_cursor: z.nullable(Cursor),
    /** the pages so far contain every matching call since this instant; null: they contain all of them */
    looked_back_to: z.nullable(Instant),
  }),
  errors: [400, 401, 403, 404, 500],
});
