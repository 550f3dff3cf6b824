import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";
import { queryFlag, queryInteger, queryOffset } from "./page.ts";
import { Instant } from "./time.ts";

const Day = z.iso.date("must be a day as YYYY-MM-DD");
const name = z.string().check(z.minLength(1), z.maxLength(255));
const errors = [400, 401, 429, 500] as const;
const tag = "Datasets";

/** The first day that a dataset can have. */
export const firstDay = "2025-01-01";
export const mostDays = 366;

const versioned = {
  as_of: Instant,
  version: z.literal("v1"),
  /** what the data leave out; absent: nothing. Beyond the public API */
  note: z.optional(z.string()),
};
const range = { start_date: z.string(), end_date: z.string() };

const own =
  "Of the calls that this gateway has seen: of the key's workspace, and of all workspaces for a management key.";

export const RankingsDailyItem = z.object({
  /** the first day of the period, YYYY-MM-DD */
  date: z.string(),
  /** `other`, the last of its date, is all models but the 50 with most tokens */
  model_permaslug: z.string(),
  /** prompt and completion tokens */
  total_tokens: z.string(),
});
export type RankingsDailyItem = z.infer<typeof RankingsDailyItem>;

export const getRankingsDaily = endpoint({
  name: "getRankingsDaily",
  method: "GET",
  path: "/datasets/rankings-daily",
  tag,
  summary: "Rank models by tokens over time",
  description: `${own} Days are UTC and inclusive; default: the last 30 complete ones. Calls are not labeled by modality, category or language: with such a filter the list is empty, and \`meta.note\` says so.`,
  auth: "any",
  query: z.strictObject({
    start_date: z.optional(Day),
    end_date: z.optional(Day),
    period: z.optional(z.enum(["day", "week", "month"])),
    modality: z.optional(z.enum(["text", "image", "image_output", "audio", "tool_calling"])),
    context_bucket: z.optional(z.enum(["1K", "10K", "100K", "1M", "10M"])),
    category: z.optional(
      z.enum([
        "programming",
        "roleplay",
        "marketing",
        "marketing/seo",
        "technology",
        "science",
        "translation",
        "legal",
        "finance",
        "health",
        "trivia",
        "academia",
      ]),
    ),
    language_type: z.optional(z.enum(["natural", "programming"])),
  }),
  returns: z.object({ data: z.array(RankingsDailyItem), meta: z.object({ ...versioned, ...range }) }),
  errors,
});

export const AppRankingsItem = z.object({
  /** derived from the name: the same app has the same number on every gateway */
  app_id: z.int(),
  app_name: z.string(),
  rank: z.int(),
  total_requests: z.int(),
  total_tokens: z.string(),
});
export type AppRankingsItem = z.infer<typeof AppRankingsItem>;

export const getAppRankings = endpoint({
  name: "getAppRankings",
  method: "GET",
  path: "/datasets/app-rankings",
  tag,
  summary: "Rank apps by tokens",
  description: `${own} An app is what calls name in \`X-Title\`. Apps have no categories here: with one the list is empty, and \`meta.note\` says so. \`trending\` is what an app gained over the mean of the three periods before.`,
  auth: "any",
  query: z.strictObject({
    category: z.optional(z.enum(["coding", "creative", "productivity", "entertainment"])),
    subcategory: z.optional(
      z.enum([
        "cli-agent",
        "ide-extension",
        "cloud-agent",
        "programming-app",
        "native-app-builder",
        "creative-writing",
        "video-gen",
        "image-gen",
        "audio-gen",
        "roleplay",
        "game",
        "writing-assistant",
        "general-chat",
        "personal-agent",
        "legal",
      ]),
    ),
    sort: z.optional(z.enum(["popular", "trending"])),
    start_date: z.optional(Day),
    end_date: z.optional(Day),
    limit: z.optional(queryInteger(1, 100)),
    offset: queryOffset,
  }),
  returns: z.object({ data: z.array(AppRankingsItem), meta: z.object({ ...versioned, ...range }) }),
  errors,
});

export const TurnRange = z.enum(["1-turn", "2-9-turns", "10-49-turns", "50-plus-turns"]);
export type TurnRange = z.infer<typeof TurnRange>;

export const SessionCostItem = z.object({
  app_slug: z.string(),
  app_name: z.string(),
  model_permaslug: z.string(),
  turn_range: TurnRange,
  median_session_cost_usd: z.number(),
});
export type SessionCostItem = z.infer<typeof SessionCostItem>;

export const getSessionCost = endpoint({
  name: "getSessionCost",
  method: "GET",
  path: "/datasets/session-cost",
  tag,
  summary: "Get the median cost of a session by app, model and number of calls",
  description: `${own} Of sessions that calls name in \`session_id\`, in the last 7 complete days; a session belongs to the model and app that most of its calls name.`,
  auth: "any",
  query: z.strictObject({
    app_slug: z.optional(name),
    model: z.optional(name),
    turn_range: z.optional(TurnRange),
    limit: z.optional(queryInteger(1, 500)),
    offset: queryOffset,
  }),
  returns: z.object({
    data: z.array(SessionCostItem),
    meta: z.object({ ...versioned, window_days: z.nullable(z.int()), window_end_date: z.nullable(z.string()) }),
  }),
  errors,
});

export const getBenchmarks = endpoint({
  name: "getBenchmarks",
  method: "GET",
  path: "/benchmarks",
  tag: "Benchmarks",
  summary: "List benchmark scores of models",
  description:
    "Scores are measured by third parties, and this gateway has none of them: the list is empty, and `meta.note` says so.",
  auth: "any",
  query: z.strictObject({
    source: z.optional(z.enum(["artificial-analysis", "design-arena", "openrouter"])),
    task_type: z.optional(z.enum(["coding", "intelligence", "agentic", "search"])),
    benchmark_type: z.optional(
      z.enum([
        "gpqa_diamond",
        "tau_bench_verified_airline",
        "search_browsecomp",
        "search_hle",
        "search_dsqa",
        "search_widesearch",
      ]),
    ),
    include_run_config: z.optional(queryFlag),
    search_engine: z.optional(name),
    search_surface: z.optional(z.enum(["server-tool", "plugin"])),
    arena: z.optional(z.enum(["models", "builders", "agents"])),
    category: z.optional(name),
    max_results: z.optional(queryInteger(1, 1_000_000)),
  }),
  returns: z.object({
    data: z.array(z.never()),
    meta: z.object({
      ...versioned,
      source: z.nullable(z.string()),
      source_url: z.nullable(z.string()),
      citation: z.nullable(z.string()),
      model_count: z.int(),
      task_type: z.nullable(z.string()),
    }),
  }),
  errors,
});

export const getTaskClassifications = endpoint({
  name: "getTaskClassifications",
  method: "GET",
  path: "/classifications/task",
  tag: "Classifications",
  summary: "Get what tasks calls were for",
  description: "Calls are not labeled by task: this gateway reads no prompts. The lists are empty, and `note` says so.",
  auth: "any",
  query: z.strictObject({ window: z.optional(z.literal("7d")) }),
  returns: z.object({
    data: z.object({
      as_of: Instant,
      window_days: z.int(),
      classifications: z.array(z.never()),
      macro_categories: z.array(z.never()),
      note: z.string(),
    }),
  }),
  errors,
});
