import { detail, isObject, readCount } from "../answer.ts";
import type { Usage } from "../provider.ts";

/** The usage of an answer in the form of responses: what was cached is a part of `input_tokens`. */
export function readUsage(value: unknown): Usage | null {
  if (!isObject(value)) return null;
  const promptTokens = readCount(value["input_tokens"]);
  const completionTokens = readCount(value["output_tokens"]);
  if (promptTokens === null || completionTokens === null) return null;
  const { input_tokens_details: input, output_tokens_details: output } = value;
  return {
    promptTokens,
    completionTokens,
    ...detail("cachedTokens", input, "cached_tokens"),
    ...detail("cacheWriteTokens", input, "cache_write_tokens"),
    ...detail("reasoningTokens", output, "reasoning_tokens"),
  };
}
