import { isObject, readCount } from "../answer.ts";
import type { FinishReason } from "../chat-object.ts";
import type { Usage } from "../provider.ts";

const finishReasons: Readonly<Record<string, FinishReason>> = {
  COMPLETE: "stop",
  STOP_SEQUENCE: "stop",
  MAX_TOKENS: "length",
  TOOL_CALL: "tool_calls",
  ERROR: "error",
  TIMEOUT: "error",
};

export function finishReason(native: string | null): FinishReason | null {
  return native === null ? null : (finishReasons[native] ?? "stop");
}

/** What Cohere bills, not what its models saw. */
export function readUsage(usage: unknown): Usage | null {
  const billed = isObject(usage) ? usage["billed_units"] : null;
  if (!isObject(billed)) return null;
  const promptTokens = readCount(billed["input_tokens"]);
  const completionTokens = readCount(billed["output_tokens"]);
  return promptTokens === null || completionTokens === null ? null : { promptTokens, completionTokens };
}
