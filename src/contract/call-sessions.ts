import * as z from "zod/mini";
import { callFilters } from "./calls.ts";
import { endpoint } from "./endpoint.ts";
import { Usd } from "./money.ts";
import { queryInteger, queryWorkspace } from "./page.ts";
import { Instant } from "./time.ts";

/** The calls of one session, folded into one record. */
export const CallSession = z.object({
  session_id: z.string(),
  workspace_id: z.uuid(),
  calls: z.int(),
  /** how many of them were answered with a status of 400 or above */
  failed: z.int(),
  /** USD, charged to the limits, and charged to own provider keys */
  cost: Usd,
  byok_cost: Usd,
  tokens: z.int(),
  /** one of its models, and how many there are */
  model: z.string(),
  models: z.int(),
  /** when its first and its last call began */
  first_at: Instant,
  last_at: Instant,
});
export type CallSession = z.infer<typeof CallSession>;

export const listGenerationSessions = endpoint({
  name: "listGenerationSessions",
  method: "GET",
  path: "/generations/sessions",
  tag: "Generations",
  summary: "List the sessions of model calls, the latest first",
  description:
    "Of the calls that the filters find, those with a session id, folded into one record for each session and workspace. Only a bounded number of the newest calls is looked through; `counted_since` says how far back. Beyond the public API.",
  auth: "management",
  query: z.strictObject({
    workspace_id: queryWorkspace,
    ...callFilters,
    limit: z.optional(queryInteger(1, 100)),
  }),
  returns: z.object({
    data: z.array(CallSession),
    /** over all sessions, including those beyond `limit` */
    total: z.object({ sessions: z.int(), calls: z.int(), /** calls without a session */ others: z.int() }),
    /** calls that began earlier were not looked through; null: all were */
    counted_since: z.nullable(Instant),
  }),
  errors: [400, 401, 403, 404, 500],
});
