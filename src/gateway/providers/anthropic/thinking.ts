import type { JsonObject } from "../answer.ts";
import { budgetOf, effortOf, type Reasoning } from "../reasoning.ts";

/** How a model of Anthropic's thinks, and what it refuses. */
interface ThinkingModel {
  readonly models: RegExp;
  /** `budget`: as many tokens as it is given; `adaptive`: as much as the effort says */
  readonly thinks: "budget" | "adaptive";
  /** the efforts that it takes */
  readonly efforts: readonly string[];
  /** it thinks unless it is told not to; `always`: it cannot be told */
  readonly unasked: "never" | "unless-disabled" | "always";
  /** it takes temperature, top_p and top_k while it does not think */
  readonly samples: boolean;
}

const upToHigh = ["low", "medium", "high"];
const upToMax = [...upToHigh, "max"];
const all = [...upToHigh, "xhigh", "max"];

/**
 * By the vendor's ids, as of November 2026; the first row that fits counts.
 * https://docs.anthropic.com/en/docs/build-with-claude/adaptive-thinking, …/effort and …/extended-thinking
 */
const rows: readonly ThinkingModel[] = [
  {
    models: /claude-(2|3|instant)|claude-(opus|sonnet|haiku)-4(-[01]\b|-\d{8}|@|$|\.[01]\b)/,
    thinks: "budget",
    efforts: [],
    unasked: "never",
    samples: true,
  },
  { models: /claude-opus-4[-.]5/, thinks: "budget", efforts: upToHigh, unasked: "never", samples: true },
  { models: /claude-(sonnet|haiku)-4[-.]5/, thinks: "budget", efforts: [], unasked: "never", samples: true },
  { models: /claude-(opus|sonnet)-4[-.]6/, thinks: "adaptive", efforts: upToMax, unasked: "never", samples: true },
  { models: /claude-\w+-4[-.]\d/, thinks: "adaptive", efforts: all, unasked: "never", samples: false },
  {
    models: /claude-(opus|sonnet|haiku)-5(?![-.]\d(?!\d))/,
    thinks: "adaptive",
    efforts: all,
    unasked: "unless-disabled",
    samples: false,
  },
];

/** Of models that are newer than the table; a name without a version is what it was when models had no other way to think. */
const newest: ThinkingModel = { models: /./, thinks: "adaptive", efforts: all, unasked: "always", samples: false };

export function thinkingOf(model: string): ThinkingModel {
  const [oldest = newest] = rows;
  return rows.find(({ models }) => models.test(model)) ?? (/claude-[a-z]+-\d/.test(model) ? newest : oldest);
}

const rank: Readonly<Record<string, number>> = { minimal: 0, low: 1, medium: 2, high: 3, xhigh: 4, max: 5 };

/** The effort that a model takes which is closest to the one that is wanted, and no dearer where there is one. */
export function nearestEffort({ efforts }: ThinkingModel, wanted: string): string | undefined {
  const most = rank[wanted] ?? 2;
  return efforts.findLast((effort) => (rank[effort] ?? 0) <= most) ?? efforts[0];
}

/** The members that make a model think. */
export interface ThinkingMembers {
  readonly thinking?: JsonObject;
  readonly effort?: string | undefined;
}

const leastBudget = 1_024;

interface Circumstances {
  readonly ceiling: number;
  /** a tool must be called */
  readonly isForced: boolean;
  /** tools' results follow a turn that came back without what the model thought */
  readonly lacksThoughts: boolean;
}

/**
 * An effort is dropped if the answer is too short for the smallest budget, or if a tool must be called: Anthropic refuses
 * both together with a budget. A budget that the caller names is sent unchanged to models that take one.
 * Nor can a model with a budget think on in the midst of a loop of tools whose thoughts the caller did not keep; those that
 * think adaptively can. https://docs.anthropic.com/en/docs/build-with-claude/extended-thinking#preserving-thinking-blocks
 * @param ceiling of the answer, in tokens
 */
export function thinkingMembers(
  model: ThinkingModel,
  wanted: Reasoning | null,
  { ceiling, isForced, lacksThoughts }: Circumstances,
): ThinkingMembers {
  if (wanted === null) return {};
  if (wanted.effort === "none") return model.unasked === "unless-disabled" ? { thinking: { type: "disabled" } } : {};
  if (model.thinks === "adaptive") {
    if (isForced) return {};
    const effort = nearestEffort(model, effortOf(wanted, ceiling));
    return { thinking: { type: "adaptive" }, effort };
  }
  if (lacksThoughts) return {};
  if (wanted.maxTokens !== null) return { thinking: { type: "enabled", budget_tokens: wanted.maxTokens } };
  const budget = Math.min(budgetOf(wanted, ceiling), ceiling - 1);
  return budget < leastBudget || isForced ? {} : { thinking: { type: "enabled", budget_tokens: budget } };
}
