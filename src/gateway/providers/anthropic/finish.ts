import { isObject, readCount, type JsonObject } from "../answer.ts";
import type { FinishReason } from "../chat-object.ts";
import type { Usage } from "../provider.ts";

/** https://docs.anthropic.com/en/api/handling-stop-reasons */
const finishReasons: Readonly<Record<string, FinishReason>> = {
  end_turn: "stop",
  stop_sequence: "stop",
  pause_turn: "stop",
  max_tokens: "length",
  model_context_window_exceeded: "length",
  tool_use: "tool_calls",
  refusal: "content_filter",
};

export function finishReason(native: string | null): FinishReason | null {
  return native === null ? null : (finishReasons[native] ?? "stop");
}

/**
 * `input_tokens` leaves out what was written to and read from the cache, and all counts leave out what compacting the
 * context took; the public API's count has it all.
 */
export function readUsage(usage: unknown): Usage | null {
  if (!isObject(usage)) return null;
  const { cache_creation: creation, output_tokens_details: details, iterations, server_tool_use: tools } = usage;
  const count = (member: string) =>
    usage[member] === undefined || usage[member] === null ? 0 : readCount(usage[member]);
  const countAll = (member: string) => {
    const own = count(member);
    return own === null ? null : own + compacted(iterations, member);
  };
  const [input, written, cached, output] = [
    count("input_tokens"),
    countAll("cache_creation_input_tokens"),
    countAll("cache_read_input_tokens"),
    count("output_tokens"),
  ];
  if (input === null || written === null || cached === null || output === null || !("input_tokens" in usage))
    return null;
  const forHour = isObject(creation) ? readCount(creation["ephemeral_1h_input_tokens"]) : null;
  const thought = isObject(details) ? readCount(details["thinking_tokens"]) : null;
  // Its `service_tier` is paid for in advance, not by the token.
  const tiers = [usage["speed"], usage["inference_geo"]].filter((each) => typeof each === "string");
  const searches = (isObject(tools) ? readCount(tools["web_search_requests"]) : null) ?? 0;
  const compacting = compactionsIn(iterations);
  return {
    promptTokens: input + written + cached + compacting.input,
    completionTokens: output + compacting.output,
    ...(cached > 0 ? { cachedTokens: cached } : {}),
    ...(written > 0 ? { cacheWriteTokens: written } : {}),
    ...(written > 0 && forHour !== null ? { hourCacheWriteTokens: Math.min(forHour, written) } : {}),
    ...(thought === null || thought === 0 ? {} : { reasoningTokens: thought }),
    ...(tiers.length === 0 ? {} : { tiers }),
    ...(searches > 0 ? { searchNanoUsd: searches * nanoUsdPerSearch } : {}),
  };
}

/** https://platform.claude.com/docs/en/about-claude/pricing: 10 USD for a thousand */
const nanoUsdPerSearch = 10_000_000;

const mostIterations = 1_000;

/** https://docs.anthropic.com/en/docs/build-with-claude/compaction: billed, and counted only here. */
const compactionsIn = (iterations: unknown) => ({
  input: compacted(iterations, "input_tokens"),
  output: compacted(iterations, "output_tokens"),
});

function compacted(iterations: unknown, member: string): number {
  if (!Array.isArray(iterations)) return 0;
  const compactions = iterations
    .slice(0, mostIterations)
    .filter((each) => isObject(each) && each["type"] === "compaction");
  return compactions.reduce((sum, each: JsonObject) => sum + (readCount(each[member]) ?? 0), 0);
}
