import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";
import { Usd } from "./money.ts";
import { Cursor, queryInteger, queryWorkspace } from "./page.ts";
import { Instant, UtcInstant } from "./time.ts";

/** What a report can have its rows by; `app` is the title that callers send, `creator` who made the key. */
export const ReportGroup = z.enum(["key", "model", "provider", "workspace", "creator", "session", "app"]);
export type ReportGroup = z.infer<typeof ReportGroup>;

const figures = {
  /** USD charged to the limits, and USD that providers charge own provider keys */
  usage: Usd,
  byok_usage: Usd,
  requests: z.int(),
  /** of the requests, those answered with an error */
  failures: z.int(),
  prompt_tokens: z.int(),
  /** of the prompt's tokens, those that the vendor read from its cache */
  cached_tokens: z.int(),
  completion_tokens: z.int(),
  /** of the completion's tokens, those of thoughts */
  reasoning_tokens: z.int(),
};
export const ReportFigures = z.object(figures);
export type ReportFigures = z.infer<typeof ReportFigures>;

/** What the rows can be in the order of; `change` is how much more was charged than in the period compared. */
export const ReportSort = z.enum([
  "usage",
  "byok_usage",
  "requests",
  "failures",
  "prompt_tokens",
  "cached_tokens",
  "completion_tokens",
  "reasoning_tokens",
  "change",
  "name",
  "id",
]);
export type ReportSort = z.infer<typeof ReportSort>;

/** The most rows of one answer. */
export const maxReportRows = 1_000;

const ReportedGroup = z.object({
  /** a key's hash, a workspace's id, a provider's slug …; null: the calls have none */
  id: z.nullable(z.string()),
  /** the display name; null where there is none, or no longer */
  name: z.nullable(z.string()),
  /** of a key: how its secret begins and ends */
  label: z.optional(z.string()),
});
export type ReportedGroup = z.infer<typeof ReportedGroup>;

export const ReportRow = z.object({
  /** one for each grouping, in their order */
  groups: z.array(ReportedGroup),
  total: ReportFigures,
  /** of the period compared; null: not counted by session and by app */
  previous: z.nullable(ReportFigures),
});
export type ReportRow = z.infer<typeof ReportRow>;

export const UsageReport = z.object({
  /** the period counted: whole UTC hours, from `since` up to `until` */
  since: Instant,
  until: Instant,
  compared_since: Instant,
  compared_until: Instant,
  /** of every call of the period, whether its row is in this answer or not */
  total: ReportFigures,
  previous: ReportFigures,
  /** how many rows there are */
  row_count: z.int(),
  rows: z.array(ReportRow),
  /** calls of the period that no row counts, and since when calls are counted; null: the rows count all of them */
  uncounted: z.nullable(z.object({ total: ReportFigures, since: Instant })),
  next_cursor: z.nullable(Cursor),
});
export type UsageReport = z.infer<typeof UsageReport>;

export const getUsageReport = endpoint({
  name: "getUsageReport",
  method: "GET",
  path: "/usage/report",
  tag: "Activity",
  summary: "Get what was used in a period, by one or two groupings",
  description:
    "The totals are of the whole period and exact to the nano-dollar, however many rows there are. A call counts in the UTC hour in which it ended; whole hours are counted, the first and the last one too, at most 366 days. By session and by app the calls themselves are read, at most the 50,000 latest: `uncounted` has the rest. To read all rows, sort by `id` and follow `next_cursor`. Beyond the public API.",
  auth: "management",
  query: z.strictObject({
    workspace_id: queryWorkspace,
    since: UtcInstant,
    /** default: now */
    until: z.optional(UtcInstant),
    /** the period to compare with, which ends by `since`; default: as long as the period, right before it */
    compared_since: z.optional(UtcInstant),
    compared_until: z.optional(UtcInstant),
    group_by: ReportGroup,
    /** a second grouping, within the first */
    then_by: z.optional(ReportGroup),
    /** default: usage, the highest first; names and ids from A to Z */
    sort: z.optional(ReportSort),
    order: z.optional(z.enum(["asc", "desc"])),
    /** default: 100 */
    limit: z.optional(queryInteger(1, maxReportRows)),
    /** with the sort `id` alone: other orders change while calls are made */
    cursor: z.optional(Cursor),
  }),
  returns: z.object({ data: UsageReport }),
  errors: [400, 401, 403, 404, 500],
});
