import { isNumberField, takesNoValue } from "#contract/destination-check.ts";
import type { FilterField, FilterOperator } from "#contract/destinations.ts";
import { operatorWords } from "#contract/filter-words.ts";
import { isKnown, type GroupDraft, type RuleDraft, type RulesDraft } from "./rules.ts";

export const fieldLabels: Readonly<Record<FilterField, string>> = {
  model: "Model",
  provider: "Provider",
  session_id: "Session",
  user_id: "User",
  api_key_name: "Key name",
  finish_reason: "Finish reason",
  input: "Input",
  output: "Output",
  total_cost: "Total cost",
  total_tokens: "Total tokens",
  prompt_tokens: "Prompt tokens",
  completion_tokens: "Completion tokens",
};

/** A part of a sentence: `code` is what somebody typed, `strong` is what joins rules. */
export interface Words {
  kind: "plain" | "code" | "strong";
  text: string;
}

const plain = (text: string): Words => ({ kind: "plain", text });

function ruleWords(rule: RuleDraft): Words[] {
  if (!isKnown(rule)) return [plain(`${String(rule["field"])} ${String(rule["operator"])} `), code(rule["value"])];
  const field = rule["field"] as FilterField;
  const operator = rule["operator"] as FilterOperator;
  const begins = `${fieldLabels[field].toLowerCase()} ${operatorWords[operator]}`;
  if (takesNoValue(operator)) return [plain(begins)];
  const money = field === "total_cost";
  return isNumberField(field)
    ? [plain(`${begins} ${money ? "$" : ""}${String(rule["value"] ?? "")}`)]
    : [plain(`${begins} `), code(rule["value"])];
}

function code(value: unknown): Words {
  const text = value === undefined || value === "" ? "…" : String(value);
  return { kind: "code", text };
}

function groupWords(group: GroupDraft): Words[] {
  const joint: Words = { kind: "strong", text: group.logic === "or" ? " or " : " and " };
  return group.rules.flatMap((rule, index) => (index === 0 ? ruleWords(rule) : [joint, ...ruleWords(rule)]));
}

/** "Forward when model starts with openai/ and total cost is over $0.01." Groups all have to match. */
export function rulesSentence(rules: RulesDraft | null): Words[] {
  const groups = (rules?.groups ?? []).filter((group) => group.rules.length > 0);
  if (groups.length === 0) return [plain("Every call passes.")];
  if (rules?.enabled === false) return [plain("The rules are switched off: every call passes.")];
  const parts = groups.flatMap((group, index) => {
    const bracketed = groups.length > 1 && group.rules.length > 1;
    const inside = bracketed ? [plain("("), ...groupWords(group), plain(")")] : groupWords(group);
    return index === 0 ? inside : [{ kind: "strong", text: " and " } as const, ...inside];
  });
  return [plain("Forward when "), ...parts, plain(".")];
}

/** The words of one rule as text, for a list of changes. */
export const ruleText = (rule: RuleDraft): string => textOf(ruleWords(rule));

export const textOf = (words: readonly Words[]): string => words.map(({ text }) => text).join("");
