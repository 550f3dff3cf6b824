import { isObject, readCount } from "../answer.ts";
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

/** `input_tokens` leaves out what was written to and read from the cache; the public API's count has it all. */
export function readUsage(usage: unknown): Usage | null {
  if (!isObject(usage)) return null;
  const count = (member: string) =>
    usage[member] === undefined || usage[member] === null ? 0 : readCount(usage[member]);
  const [input, written, cached, output] = [
    count("input_tokens"),
    count("cache_creation_input_tokens"),
    count("cache_read_input_tokens"),
    count("output_tokens"),
  ];
  if (input === null || written === null || cached === null || output === null || !("input_tokens" in usage))
    return null;
  return {
    promptTokens: input + written + cached,
    completionTokens: output,
    ...(cached > 0 ? { cachedTokens: cached } : {}),
    ...(written > 0 ? { cacheWriteTokens: written } : {}),
  };
}
