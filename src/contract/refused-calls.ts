import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";
import { KeyHash } from "./keys.ts";
import { Usd } from "./money.ts";
import { queryInteger, queryWorkspace } from "./page.ts";
import { Instant, UtcInstant } from "./time.ts";

/** For how many days refused calls are counted. */
export const refusedCallDays = 30;

/** Why a known key cannot be used. */
export type UnusableReason = "key_disabled" | "key_expired" | "key_deleted" | "playground_key";

/** One key's calls that were refused for one reason, folded into one record. */
export const RefusedCalls = z.object({
  key_hash: z.string(),
  /** null: the key was deleted */
  key_name: z.nullable(z.string()),
  workspace_id: z.uuid(),
  /**
   * `key`, `guardrail_budget`, `workspace_budget`, `credits`, `unpriced` or the kind of rate where a limit refused; `key_disabled`,
   * `key_expired`, `key_deleted` or `playground_key` where the key cannot be used; `too_many_calls` where as many were
   * in flight as may be; else the error's type
   */
  reason: z.string(),
  status: z.int(),
  count: z.int(),
  first_at: Instant,
  last_at: Instant,
  /** of the most recent one: its request id and the message it was answered with */
  last_request_id: z.string(),
  last_message: z.string(),
  /** USD that the most recent one might have cost, and that were left; null: no money limit refused it */
  last_needed: z.nullable(Usd),
  last_remaining: z.nullable(Usd),
});
export type RefusedCalls = z.infer<typeof RefusedCalls>;

export const listRefusedCalls = endpoint({
  name: "listRefusedCalls",
  method: "GET",
  path: "/refused-calls",
  tag: "Generations",
  summary: "List calls that were refused before they were made",
  description: `Such calls cost nothing and are not generations, so they are counted by key, reason and minute, for ${refusedCallDays} days; counts appear within seconds. One record for each key and reason, the latest first. Calls with a disabled, expired or deleted key count for that key; calls without a key that is known here are not counted. Beyond the public API.`,
  auth: "management",
  query: z.strictObject({
    workspace_id: queryWorkspace,
    api_key_hash: z.optional(KeyHash),
    status: z.optional(queryInteger(400, 599)),
    /** the last one of its key, reason and minute, by the `x-request-id` of its answer; `since` and `until` are then left aside */
    request_id: z.optional(z.string().check(z.minLength(1), z.maxLength(100))),
    /** default: 24 hours before `until`, rounded down to the minute */
    since: z.optional(UtcInstant),
    /** default: now */
    until: z.optional(UtcInstant),
    limit: z.optional(queryInteger(1, 100)),
  }),
  returns: z.object({
    data: z.array(RefusedCalls),
    /** over all records, including those beyond `limit` */
    total: z.object({ calls: z.int(), records: z.int() }),
    since: Instant,
  }),
  errors: [400, 401, 403, 404, 500],
});
