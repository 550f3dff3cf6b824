import { sql } from "kysely";
import type { AnalyticsMeta } from "#contract/analytics.ts";
import { toUsd } from "#contract/money.ts";
import type { Condition } from "./source.ts";

/** Where a figure is read from: sums by hour, or single calls. */
export type Source = "hours" | "calls";

type Format = AnalyticsMeta["metrics"][number]["display_format"];

interface Metric {
  readonly label: string;
  readonly format: Format;
  /** of the hourly sums; absent: they do not have it */
  readonly hours?: Condition;
  readonly calls: Condition;
  /** the value as it is answered; the store gives text, so that no digit is lost */
  readonly write: (value: string) => string | number;
}

const asText = (value: string) => value;
const count = (label: string, hours: Condition | undefined, calls: Condition): Metric => ({
  label,
  format: "number",
  calls,
  write: asText,
  ...(hours && { hours }),
});
const money = (label: string, hours: Condition, calls: Condition): Metric => ({
  label,
  format: "currency",
  hours,
  calls,
  write: (value) => toUsd(BigInt(value)),
});
const rate = (label: string, calls: Condition, hours?: Condition): Metric => ({
  label,
  format: "percent",
  calls,
  write: Number,
  ...(hours && { hours }),
});

/** Of calls that a model answered: how long a refusal takes says nothing about a model. */
const answered = sql`l.status < 400`;
const isCached = sql`(l.status < 400 and (l.response_cache_source_id is not null or (l.inputs > 0 and l.cached_inputs >= l.inputs)))`;
/** Completion tokens per second of the call. */
const throughput = sql`(l.completion_tokens * 1000.0 / l.duration_ms)`;
const hasThroughput = sql`${answered} and l.completion_tokens > 0 and l.duration_ms > 0`;

const percentiles = { p50: 0.5, p90: 0.9, p99: 0.99 };

const speed = (
  name: string,
  format: "latency" | "throughput",
  value: Condition,
  where: Condition,
): [string, Metric][] => {
  const of = (calls: Condition, label: string): Metric => ({ label, format, calls, write: Number });
  return [
    [`avg_${name}`, of(sql`avg(${value}) filter (where ${where})`, `Average ${name}`)],
    ...Object.entries(percentiles).map(([prefix, share]): [string, Metric] => [
      `${prefix}_${name}`,
      of(sql`percentile_cont(${share}) within group (order by ${value}) filter (where ${where})`, `${prefix} ${name}`),
    ]),
  ];
};

/** What can be asked for, by its name in the public API; those that it lacks are marked in the label of their group. */
export const metrics: ReadonlyMap<string, Metric> = new Map<string, Metric>([
  ["request_count", count("Requests", sql`sum(u.requests)`, sql`count(*)`)],
  [
    "failed_request_count",
    count("Failed requests", sql`sum(u.failures)`, sql`count(*) filter (where l.status >= 400)`),
  ],
  [
    "tokens_total",
    count(
      "Tokens",
      sql`sum(u.prompt_tokens + u.completion_tokens)`,
      sql`sum(l.prompt_tokens::bigint + l.completion_tokens)`,
    ),
  ],
  ["tokens_prompt", count("Prompt tokens", sql`sum(u.prompt_tokens)`, sql`sum(l.prompt_tokens)`)],
  ["tokens_completion", count("Completion tokens", sql`sum(u.completion_tokens)`, sql`sum(l.completion_tokens)`)],
  ["reasoning_tokens", count("Reasoning tokens", sql`sum(u.reasoning_tokens)`, sql`sum(l.reasoning_tokens)`)],
  ["cached_tokens", count("Cached tokens", sql`sum(u.cached_tokens)`, sql`sum(l.cached_tokens)`)],
  ["byok_request_count", count("Requests with own provider keys", undefined, sql`count(*) filter (where l.byok)`)],
  ["response_cached_count", count("Answers from the cache", undefined, sql`count(*) filter (where ${isCached})`)],
  [
    "failed_request_rate",
    rate(
      "Share of failed requests",
      sql`avg((l.status >= 400)::int)`,
      sql`sum(u.failures) / nullif(sum(u.requests), 0)`,
    ),
  ],
  ["response_cached_rate", rate("Share of answers from the cache", sql`avg(${isCached}::int)`)],
  [
    "cache_hit_rate",
    rate(
      "Share of cached prompt tokens",
      sql`sum(l.cached_tokens)::numeric / nullif(sum(l.prompt_tokens), 0)`,
      sql`sum(u.cached_tokens) / nullif(sum(u.prompt_tokens), 0)`,
    ),
  ],
  ["total_usage", money("Spend", sql`sum(u.usage + u.byok_usage)`, sql`sum(l.cost + l.byok_cost)`)],
  ["credits_usage", money("Spend charged to limits", sql`sum(u.usage)`, sql`sum(l.cost)`)],
  ["byok_usage", money("Spend with own provider keys", sql`sum(u.byok_usage)`, sql`sum(l.byok_cost)`)],
  ["usage_cache", money("Saved by the cache", sql`sum(u.saved)`, sql`sum(l.saved)`)],
  ...speed("latency", "latency", sql`l.duration_ms`, answered),
  ...speed("throughput", "throughput", throughput, hasThroughput),
]);

interface Dimension {
  readonly label: string;
  readonly hours?: Condition;
  readonly calls: Condition;
  /** the readable name of a value, as a scalar subquery; absent: the value itself */
  readonly shown?: (value: Condition) => Condition;
}

const keyName = (value: Condition) => sql`coalesce((select k.name from api_keys k where k.hash = ${value}), ${value})`;
const creator = (key: Condition) => sql`(select k.creator_user_id from api_keys k where k.hash = ${key})`;
const workspaceName = (value: Condition) =>
  sql`coalesce((select w.name from workspaces w where w.id::text = ${value}), ${value})`;
/** The smallest of the public API's sizes that a call's prompt fits in. */
export const promptSize = sql`case when l.prompt_tokens <= 1000 then '1K' when l.prompt_tokens <= 10000 then '10K'
  when l.prompt_tokens <= 100000 then '100K' when l.prompt_tokens <= 1000000 then '1M' else '10M' end`;

export const dimensions: ReadonlyMap<string, Dimension> = new Map<string, Dimension>([
  ["model", { label: "Model", hours: sql`u.model`, calls: sql`l.model` }],
  ["api_key_id", { label: "API key", hours: sql`u.key_hash`, calls: sql`l.key_hash`, shown: keyName }],
  ["user", { label: "Creator of the key", hours: creator(sql`u.key_hash`), calls: creator(sql`l.key_hash`) }],
  [
    "workspace",
    { label: "Workspace", hours: sql`u.workspace_id::text`, calls: sql`l.workspace_id::text`, shown: workspaceName },
  ],
  ["provider", { label: "Provider", hours: sql`nullif(u.provider, '')`, calls: sql`nullif(l.provider, '')` }],
  ["app", { label: "App", calls: sql`l.app_title` }],
  ["origin", { label: "Referer", calls: sql`l.http_referer` }],
  ["finish_reason", { label: "Finish reason", calls: sql`l.finish_reason` }],
  ["external_user", { label: "User", calls: sql`l.external_user` }],
  ["generation_id", { label: "Call", calls: sql`l.id` }],
  ["context_length_bucket", { label: "Prompt size, tokens", calls: promptSize }],
]);

export const operators = {
  eq: "scalar",
  neq: "scalar",
  in: "array",
  not_in: "array",
  gt: "scalar",
  gte: "scalar",
  lt: "scalar",
  lte: "scalar",
} as const;

const granularityLabels = { minute: "Minute", hour: "Hour", day: "Day", week: "Week", month: "Month" } as const;

export function meta(): AnalyticsMeta {
  return {
    metrics: [...metrics].map(([name, { label, format }]) => ({
      name,
      display_label: label,
      display_format: format,
      is_rate: format === "percent",
    })),
    dimensions: [...dimensions].map(([name, { label }]) => ({ name, display_label: label })),
    granularities: (["minute", "hour", "day", "week", "month"] as const).map((name) => ({
      name,
      display_label: granularityLabels[name],
    })),
    operators: (Object.keys(operators) as (keyof typeof operators)[]).map((name) => ({
      name,
      value_type: operators[name],
    })),
  };
}
