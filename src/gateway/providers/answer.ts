import { BadAnswer, type Usage } from "./provider.ts";

export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Levels of lists and objects in one another that a request or an answer may have. Schemas of tools have about ten. */
export const mostLevels = 100;

/** Whether a value is nested deeper than can be written back: JSON is read in a loop, but written by recursion. */
export function isTooDeep(value: unknown): boolean {
  let layer: readonly unknown[] = [value];
  for (let level = 0; layer.length > 0; level += 1) {
    if (level > mostLevels) return true;
    const next: unknown[] = [];
    for (const each of layer) {
      if (typeof each !== "object" || each === null) continue;
      for (const inner of Array.isArray(each) ? each : Object.values(each)) {
        if (typeof inner === "object" && inner !== null) next.push(inner);
      }
    }
    layer = next;
  }
  return false;
}

/** @throws BadAnswer when the text is not a JSON object */
export function parseObject(text: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new BadAnswer(text === "" ? "the answer is empty" : "the answer is not JSON");
  }
  if (!isObject(value)) throw new BadAnswer("the answer is not a JSON object");
  if (isTooDeep(value)) throw new BadAnswer(`the answer is nested deeper than ${mostLevels} levels`);
  return value;
}

/** A count as vendors give them; null for anything else than a whole number of 0 or more. */
export function readCount(value: unknown): number | null {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

export function readText(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** Usage as OpenAI counts it, of an embeddings answer, a chat result or a stream's last chunk. */
export function readOpenAiUsage(value: unknown): Usage | null {
  if (!isObject(value)) return null;
  const total = readCount(value["total_tokens"]);
  const prompt = readCount(value["prompt_tokens"]);
  const completion = readCount(value["completion_tokens"]) ?? 0;
  // Voyage gives total_tokens alone.
  const promptTokens = "prompt_tokens" in value ? prompt : total;
  if (promptTokens === null || ("completion_tokens" in value && readCount(value["completion_tokens"]) === null))
    return null;
  return {
    promptTokens,
    completionTokens: completion,
    ...detail("cachedTokens", value["prompt_tokens_details"], "cached_tokens"),
    ...detail("imageTokens", value["prompt_tokens_details"], "image_tokens"),
    ...detail("reasoningTokens", value["completion_tokens_details"], "reasoning_tokens"),
  };
}

function detail(name: keyof Usage, details: unknown, member: string): Partial<Usage> {
  const count = isObject(details) ? readCount(details[member]) : null;
  return count === null ? {} : { [name]: count };
}
