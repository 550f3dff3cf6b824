import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";
import { KeyHash } from "./keys.ts";
import { Usd } from "./money.ts";

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
