import { isObject, readCount, readText, type JsonObject } from "./answer.ts";

/** How much a caller wants the model to think, in the public API's words; null: nothing was said. */
export interface Reasoning {
  /** `max` … `minimal`, or `none`; null: a budget, or as much as the model likes */
  readonly effort: string | null;
  /** null: no budget */
  readonly maxTokens: number | null;
}

/** `reasoning`, or OpenAI's `reasoning_effort`. */
export function readReasoning(body: Readonly<JsonObject>): Reasoning | null {
  const { reasoning } = body;
  const plain = readText(body["reasoning_effort"]);
  if (!isObject(reasoning)) return plain === null ? null : { effort: plain, maxTokens: null };
  const maxTokens = readCount(reasoning["max_tokens"]);
  const effort = readText(reasoning["effort"]) ?? plain;
  if (reasoning["enabled"] === false) return { effort: "none", maxTokens: null };
  if (effort === null && maxTokens === null) {
    return reasoning["enabled"] === true ? { effort: "medium", maxTokens: null } : null;
  }
  return { effort, maxTokens };
}

/** https://openrouter.ai/docs/guides/best-practices/reasoning-tokens: the share of max_tokens for each effort. */
const shares: Readonly<Record<string, number>> = {
  max: 0.95,
  xhigh: 0.95,
  high: 0.8,
  medium: 0.5,
  low: 0.2,
  minimal: 0.1,
};
const leastBudget = 1_024;
const mostBudget = 128_000;

/** The reasoning tokens allowed within an answer of at most `maxTokens`; 0: no reasoning. */
export function budgetOf({ effort, maxTokens: budget }: Reasoning, maxTokens: number): number {
  if (effort === "none") return 0;
  if (budget !== null) return budget;
  const share = shares[effort ?? "medium"] ?? 0.5;
  return Math.max(Math.min(Math.floor(maxTokens * share), mostBudget), leastBudget);
}

/** The effort closest to a budget, for vendors that only support efforts. */
export function effortOf({ effort, maxTokens: budget }: Reasoning, maxTokens: number): string {
  if (effort !== null) return effort;
  const share = (budget ?? 0) / maxTokens;
  return share > 0.65 ? "high" : share > 0.35 ? "medium" : "low";
}

const rank: Readonly<Record<string, number>> = { none: 0, minimal: 1, low: 2, medium: 3, high: 4, xhigh: 5, max: 6 };

/**
 * The effort that a model takes which is closest to the one that is wanted: no dearer where there is one, but for
 * `medium`, which vendors without it read as `high`. Undefined: the model takes none.
 * @param efforts from the least; with `none` where the model can be told not to think
 */
export function nearestEffort(efforts: readonly string[], wanted: string): string | undefined {
  if (wanted === "none") return efforts[0];
  const most = rank[wanted === "medium" && !efforts.includes("medium") ? "high" : wanted] ?? 3;
  const thinking = efforts.filter((effort) => effort !== "none");
  return thinking.findLast((effort) => (rank[effort] ?? 0) <= most) ?? thinking[0];
}

/**
 * How many thoughts came before the text: the index of each is that of its block. Text stays behind the first, with which
 * a turn that thinks has to begin. https://platform.claude.com/docs/en/build-with-claude/extended-thinking#interleaved-thinking
 */
export function gapIn(thoughts: readonly JsonObject[]): number {
  const at = thoughts.findIndex(({ index }, position) => {
    const before = thoughts[position - 1]?.["index"];
    return typeof before === "number" && typeof index === "number" && index > before + 1;
  });
  return at === -1 ? thoughts.length : at;
}
