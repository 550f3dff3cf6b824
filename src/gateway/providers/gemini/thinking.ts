import type { JsonObject } from "../answer.ts";
import { budgetOf, effortOf, nearestEffort, readReasoning } from "../reasoning.ts";

/** How a model of Google's thinks. */
interface ThinkingModel {
  readonly models: RegExp;
  /** values of `thinkingLevel`, from the least; absent: it has none */
  readonly levels?: readonly string[];
  /** bounds of `thinkingBudget`; absent: it takes none */
  readonly budget?: { readonly least: number; readonly most: number; readonly off: boolean };
}

const upToHigh = ["low", "medium", "high"];
const fromMinimal = ["minimal", ...upToHigh];
const plain = { least: 1, most: 24_576, off: true };
/** Gemini 3 takes a budget, though not together with a level, and cannot be told not to think. */
const third = { least: 128, most: 32_768, off: false };

/**
 * By the vendor's ids, as of 28 November 2026; the first row that fits counts, and one without levels and budget does not
 * think. https://ai.google.dev/gemini-api/docs/thinking, …/docs/generate-content/latest-model and
 * https://docs.cloud.google.com/gemini-enterprise-agent-platform/models/thinking
 */
const rows: readonly ThinkingModel[] = [
  { models: /gemini-2\.5.*(image|tts|audio)|gemini-(1|2\.0)|gemma-[1-3]|learnlm|imagen/ },
  { models: /gemini-2\.5-pro/, budget: { least: 128, most: 32_768, off: false } },
  { models: /gemini-2\.5-flash-lite/, budget: { ...plain, least: 512 } },
  { models: /gemini-(2\.5|robotics-er-1)/, budget: plain },
  { models: /gemini-3-pro-image|nano-banana-pro/, budget: third },
  { models: /gemini-3\.\d+-flash.*image/, levels: ["minimal", "high"] },
  { models: /gemini-3-pro/, levels: ["low", "high"], budget: third },
  { models: /gemini-3\.\d+-pro/, levels: upToHigh, budget: third },
  { models: /gemini-3\.[7-9]\d*-flash(?!-lite)/, levels: upToHigh, budget: third },
  { models: /gemini-3/, levels: fromMinimal, budget: third },
  { models: /gemini-4-hydrogen/, levels: [...upToHigh, "xhigh"] },
  { models: /gemini-/, levels: upToHigh },
];

/** Of names that are none of Google's. */
const unknown: ThinkingModel = { models: /./, budget: plain };

/**
 * `reasoning` as the model takes it: an effort is a level, or a share of the longest answer where the model has budgets;
 * `reasoning.max_tokens` is a budget within the model's bounds, or the nearest level.
 * @param longest answer, in tokens
 */
export function thinkingConfig(model: string, body: Readonly<JsonObject>, longest: number): JsonObject | undefined {
  const wanted = readReasoning(body);
  const { levels, budget } = rows.find(({ models }) => models.test(model)) ?? unknown;
  if (wanted === null || (levels === undefined && budget === undefined)) return undefined;
  const isOff = wanted.effort === "none";
  const shown = isOff ? {} : { includeThoughts: true };
  if (levels !== undefined && (wanted.maxTokens === null || budget === undefined)) {
    return { thinkingLevel: nearestEffort(levels, effortOf(wanted, longest)), ...shown };
  }
  const { least, most, off } = budget ?? plain;
  if (off && (isOff || wanted.maxTokens === 0)) return { thinkingBudget: 0 };
  return { thinkingBudget: Math.min(Math.max(budgetOf(wanted, longest), least), most), ...shown };
}
