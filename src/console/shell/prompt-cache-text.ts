import type { AnalyticsResult } from "#contract/analytics.ts";
import { formatCompact, formatPercent, formatUsd } from "../format.ts";

/** The answer to a query of `tokens_prompt`, `cached_tokens` and `usage_cache` as one sentence. */
export function promptCacheText({ data: [row], warnings = [] }: AnalyticsResult): string {
  const [tokens, cached, saved] = ["tokens_prompt", "cached_tokens", "usage_cache"].map((name) =>
    Number(row?.[name] ?? 0),
  ) as [number, number, number];
  if (tokens === 0) return "No input tokens in the last 7 days";
  const which = warnings.length > 0 ? "the latest calls of 7 days" : "7 days";
  const share = `${formatPercent(cached / tokens)} of ${formatCompact(tokens)} input tokens of ${which}`;
  return saved > 0 ? `${share}; caches saved ${formatUsd(saved)}` : share;
}
