import * as z from "zod/mini";
import { callFilters, CallRecord } from "./calls.ts";
import { endpoint } from "./endpoint.ts";
import { Cursor, queryInteger, queryWorkspace } from "./page.ts";
import { refusedCallDays, RefusedCalls } from "./refused-calls.ts";
import { Instant } from "./time.ts";

/** A line of the list: a call that was made, or one key's calls of one minute that were refused for one reason. */
export const CallEntry = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("call"), call: CallRecord }),
  z.object({
    kind: z.literal("refused"),
    /** of the key, minute, reason and status: it stays while the count grows */
    id: z.string(),
    refused: RefusedCalls,
  }),
]);
export type CallEntry = z.infer<typeof CallEntry>;
export type RefusedEntry = Extract<CallEntry, { kind: "refused" }>;

export const callSorts = ["time", "cost", "tokens", "duration"] as const;

export const listCalls = endpoint({
  name: "listCalls",
  method: "GET",
  path: "/calls",
  tag: "Generations",
  summary: "List calls, made and refused",
  description: `By time, calls that were refused before a model was called have a record for each key, minute, reason and status, at the time of the first of them, for ${refusedCallDays} days; they are found by key, status, reason and time alone. By cost, tokens or duration, the list has only calls that were made: of more than 50,000 the newest, and \`ranked_since\` says since when. A page by time may hold fewer records than asked for although there is a \`next_cursor\`: see listGenerations. Beyond the public API.`,
  auth: "management",
  query: z.strictObject({
    workspace_id: queryWorkspace,
    ...callFilters,
    /** default: `time` */
    sort: z.optional(z.enum(callSorts)),
    /** default: `desc`; by time the newest call is always the first */
    order: z.optional(z.enum(["asc", "desc"])),
    limit: z.optional(queryInteger(1, 100)),
    cursor: z.optional(Cursor),
  }),
  returns: z.object({
    data: z.array(CallEntry),
    next_cursor: z.nullable(Cursor),
    /** the pages so far contain every matching call since this instant; null: they contain all of them */
    looked_back_to: z.nullable(Instant),
    /** not by time: calls that began earlier are left out, since there are too many; null: none are */
    ranked_since: z.nullable(Instant),
  }),
  errors: [400, 401, 403, 404, 500],
});

/** What calls can be found by that has values of its own. */
export const suggestedFilters = ["key", "model", "provider", "session", "preset", "user", "app"] as const;
export type SuggestedFilter = (typeof suggestedFilters)[number];

export const suggestCallFilters = endpoint({
  name: "suggestCallFilters",
  method: "GET",
  path: "/calls/suggestions",
  tag: "Generations",
  summary: "Suggest values to find calls by",
  description:
    "Keys by name and label; models and providers of the last 30 days; sessions, presets, users and apps of the newest 5,000 calls. Beyond the public API.",
  auth: "management",
  query: z.strictObject({
    workspace_id: queryWorkspace,
    /** a part of the value or its name, in any case */
    q: z.optional(z.string().check(z.maxLength(200))),
    /** of this filter alone */
    field: z.optional(z.enum(suggestedFilters)),
  }),
  returns: z.object({
    /** at most 8 of each filter, those with the most calls first; of one filter alone at most 20 */
    data: z.array(
      z.object({
        field: z.enum(suggestedFilters),
        value: z.string(),
        label: z.string(),
        /** of a key: the end of its label, and whether it is disabled */
        detail: z.nullable(z.string()),
        workspace_id: z.nullable(z.uuid()),
      }),
    ),
  }),
  errors: [400, 401, 403, 404, 500],
});
export type CallFilterSuggestion = z.infer<typeof suggestCallFilters.returns>["data"][number];
