import type { JsonObject } from "../answer.ts";
import { budgetOf, effortOf, nearestEffort, type Reasoning } from "../reasoning.ts";

/** How a model of Anthropic's thinks, and what it refuses. */
interface ThinkingModel {
  readonly models: RegExp;
  /** `budget`: as many tokens as it is given; `adaptive`: as much as the effort says */
  readonly thinks: "budget" | "adaptive";
  /** the efforts that it takes */
  readonly efforts: readonly string[];
  /** how thinking that it does unasked is turned off; `low effort`: it cannot be; null: it thinks only where it is asked to */
  readonly off: "disabled" | "between_tools" | "low effort" | null;
  /** it takes temperature, top_p and top_k while it does not think */
  readonly samples: boolean;
}

const upToHigh = ["low", "medium", "high"];
const upToMax = [...upToHigh, "max"];
const all = [...upToHigh, "xhigh", "max"];
const adaptive = { thinks: "adaptive", efforts: all, samples: false } as const;

/**
 * By the vendor's ids, as of 28 November 2026; the first row that fits counts.
 * https://platform.claude.com/docs/en/build-with-claude/adaptive-thinking, …/effort, …/extended-thinking, and the
 * migration guides under https://platform.claude.com/docs/en/models
 */
const rows: readonly ThinkingModel[] = [
  {
    models: /claude-(v?2|3|instant)|claude-(opus|sonnet|haiku)-4(-[01]\b|-\d{8}|@|$|\.[01]\b)/,
    thinks: "budget",
    efforts: [],
    off: null,
    samples: true,
  },
  { models: /claude-opus-4[-.]5/, thinks: "budget", efforts: upToHigh, off: null, samples: true },
  { models: /claude-(sonnet|haiku)-4[-.]5/, thinks: "budget", efforts: [], off: null, samples: true },
  { models: /claude-(opus|sonnet)-4[-.]6/, thinks: "adaptive", efforts: upToMax, off: null, samples: true },
  { models: /claude-\w+-4[-.]\d/, ...adaptive, off: null },
  { models: /claude-sonnet-5[-.]5/, ...adaptive, off: "between_tools" },
  { models: /claude-(opus|sonnet|haiku)-5(?![-.]\d(?!\d))|claude-haiku-5[-.]5/, ...adaptive, off: "disabled" },
];

/** Of models that are newer than the table; a name without a version is what it was when models had no other way to think. */
const newest: ThinkingModel = { models: /./, ...adaptive, off: "low effort" };

export function thinkingOf(model: string): ThinkingModel {
  const [oldest = newest] = rows;
  const isVersioned = /claude-[a-z]+-(\d|preview)/.test(model);
  return rows.find(({ models }) => models.test(model)) ?? (isVersioned ? newest : oldest);
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
  /** the public API's word for Anthropic's effort; null: nothing was said */
  readonly verbosity: string | null;
  /** tools' results follow a turn that came back without what the model thought */
  readonly lacksThoughts: boolean;
}

/**
 * An effort is dropped if the answer is too short for the smallest budget, or if a tool must be called: Anthropic refuses
 * both together with a budget. A budget that the caller names is sent unchanged to models that take one. Without
 * `display`, newer models leave the text of their thoughts out.
 * Nor can a model with a budget think on in the midst of a loop of tools whose thoughts the caller did not keep; those that
 * think adaptively can. https://docs.anthropic.com/en/docs/build-with-claude/extended-thinking#preserving-thinking-blocks
 * @param ceiling of the answer, in tokens
 */
export function thinkingMembers(
  model: ThinkingModel,
  wanted: Reasoning | null,
  { ceiling, isForced, verbosity, lacksThoughts }: Circumstances,
): ThinkingMembers {
  const said = verbosity === null ? undefined : nearestEffort(model.efforts, verbosity);
  if (wanted === null) return { effort: said };
  if (wanted.effort === "none") return withoutThinking(model, said);
  if (model.thinks === "adaptive") {
    if (isForced) return { effort: said };
    const effort = nearestEffort(model.efforts, effortOf(wanted, ceiling));
    return { thinking: { type: "adaptive", display: "summarized" }, effort };
  }
  if (lacksThoughts) return { effort: said };
  if (wanted.maxTokens !== null) {
    return { thinking: { type: "enabled", budget_tokens: wanted.maxTokens }, effort: said };
  }
  const budget = Math.min(budgetOf(wanted, ceiling), ceiling - 1);
  if (budget < leastBudget || isForced) return { effort: said };
  return { thinking: { type: "enabled", budget_tokens: budget }, effort: said };
}

/** Where thinking is off, an effort above `high` is refused. */
function withoutThinking({ off }: ThinkingModel, said: string | undefined): ThinkingMembers {
  if (off === null) return { effort: said };
  if (off === "low effort") return { effort: "low" };
  return { thinking: { type: off }, effort: said === undefined ? said : nearestEffort(upToHigh, said) };
}
