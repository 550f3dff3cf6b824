import * as z from "zod/mini";
import { Usd } from "./money.ts";
import { queryInteger, queryWorkspace } from "./page.ts";
import { UtcInstant } from "./time.ts";

/** What usage can be grouped by. */
export const UsageGroup = z.enum(["model", "provider", "key", "workspace"]);
export type UsageGroup = z.infer<typeof UsageGroup>;

export const usageFigures = {
  usage: Usd,
  byok_usage: Usd,
  /** what cached and repeated inputs would have cost */
  saved: Usd,
  requests: z.int(),
  /** how many of the requests were answered with an error */
  failures: z.int(),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  reasoning_tokens: z.int(),
};

/** Total usage over a stretch of time. */
export const UsageFigures = z.object(usageFigures);
export type UsageFigures = z.infer<typeof UsageFigures>;

/** Which usage: of whom, over what time, and grouped by what. */
export const UsageQuery = z.strictObject({
  by: z.optional(z.enum(["hour", "day"])),
  /** how many hours (at most 744) or days (at most 366); default 30 */
  last: z.optional(queryInteger(1, 744)),
  /** the last point is the hour or day that contains this instant; default: now */
  until: z.optional(UtcInstant),
  workspace_id: queryWorkspace,
  group_by: z.optional(UsageGroup),
});
