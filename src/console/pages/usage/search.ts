import * as z from "zod/mini";
import type { ReportGroup, ReportSort } from "#contract/usage-report.ts";

export const periods = ["today", "week", "month", "last-month", "24h", "7d", "30d", "custom"] as const;
export type Period = (typeof periods)[number];

// by name, not by the contract's schema: the shell reads every address, and needs nothing else of it
const groups = ["key", "model", "provider", "workspace", "creator", "session", "app"] as const satisfies ReportGroup[];
const sorts = [
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
] as const satisfies ReportSort[];

const one = <const Names extends readonly string[]>(names: Names) => z.catch(z.optional(z.enum(names)), undefined);
const day = z.catch(z.optional(z.iso.date()), undefined);

/** The page's state, as it appears in the URL; this month by key, the most expensive first, by default. */
export const UsageSearch = z.object({
  period: one(periods),
  /** UTC days of a custom period, both of them in it */
  from: day,
  to: day,
  by: one(groups),
  /** the second grouping */
  and: one(groups),
  sort: one(sorts),
  order: one(["asc", "desc"]),
});
export type UsageSearch = z.infer<typeof UsageSearch>;
