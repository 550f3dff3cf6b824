import { billIn, detail, isObject, readCount, thoughtsIn } from "../answer.ts";
import type { Usage } from "../provider.ts";

/**
 * The usage of an answer in the form of responses: what was cached is a part of `input_tokens`.
 * @param tier the answer's `service_tier`
 */
export function readUsage(value: unknown, tier?: unknown): Usage | null {
  if (!isObject(value)) return null;
  const promptTokens = readCount(value["input_tokens"]);
  const completionTokens = readCount(value["output_tokens"]);
  if (promptTokens === null || completionTokens === null) return null;
  const { input_tokens_details: input, output_tokens_details: output } = value;
  return {
    promptTokens,
    ...thoughtsIn(
      { of: value, completion: output },
      { prompt: promptTokens, completion: completionTokens, total: readCount(value["total_tokens"]) },
    ),
    ...detail("cachedTokens", input, "cached_tokens"),
    ...detail("cacheWriteTokens", input, "cache_write_tokens"),
    ...billIn(value),
    ...(typeof tier === "string" ? { tiers: [tier] } : {}),
  };
}
