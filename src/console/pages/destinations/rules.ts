import { isNumberField, operatorsOf, takesNoValue, wrongRule } from "#contract/destination-check.ts";
import { FilterField, FilterOperator, FilterRule } from "#contract/destinations.ts";

/**
 * Filter rules as a form holds them: looser than the contract, so that members, fields and operators of a newer gateway
 * go through untouched.
 */
export interface RulesDraft {
  readonly enabled?: boolean;
  readonly groups: readonly GroupDraft[];
}
export interface GroupDraft {
  readonly logic?: string;
  readonly rules: readonly RuleDraft[];
}
export type RuleDraft = Readonly<Record<string, unknown>>;

/** True where the rule can be edited by the row of the form: field, operator and members are ones that it knows. */
export function isKnown(rule: RuleDraft): boolean {
  const { field, operator, value: _, ...more } = rule;
  return (
    FilterField.safeParse(field).success && FilterOperator.safeParse(operator).success && Object.keys(more).length === 0
  );
}

export const newRule: RuleDraft = { field: "model", operator: "equals", value: "" };

/** The rule about another field. Operator and value stay where they still make sense. */
export function withField(rule: RuleDraft, field: FilterField): RuleDraft {
  const operators = operatorsOf(field);
  const operator = operators.find((one) => one === rule["operator"]) ?? operators[0] ?? "equals";
  const kept = rule["value"];
  const fits = !isNumberField(field) || (kept !== "" && Number.isFinite(Number(kept)));
  if (takesNoValue(operator)) return { field, operator };
  return { field, operator, value: kept === undefined || !fits ? "" : kept };
}

export function withOperator(rule: RuleDraft, operator: FilterOperator): RuleDraft {
  const { field, value } = rule;
  return takesNoValue(operator) ? { field, operator } : { field, operator, value: value ?? "" };
}

/** What was typed, as a number where the field is one and the text already is that number: "0." is still being typed. */
export function withValue(rule: RuleDraft, text: string): RuleDraft {
  const number = isNumberField(String(rule["field"])) && String(Number(text)) === text;
  return { ...rule, value: number ? Number(text) : text };
}

const place = <T>(list: readonly T[], index: number, item: T): T[] =>
  list.map((one, at) => (at === index ? item : one));

export function setRule(rules: RulesDraft, group: number, rule: number, next: RuleDraft): RulesDraft {
  const before = rules.groups[group];
  if (!before) return rules;
  return { ...rules, groups: place(rules.groups, group, { ...before, rules: place(before.rules, rule, next) }) };
}

export function setLogic(rules: RulesDraft, group: number, logic: "and" | "or"): RulesDraft {
  const before = rules.groups[group];
  return before ? { ...rules, groups: place(rules.groups, group, { ...before, logic }) } : rules;
}

export function addRule(rules: RulesDraft, group: number): RulesDraft {
  const before = rules.groups[group];
  if (!before) return rules;
  return { ...rules, groups: place(rules.groups, group, { ...before, rules: [...before.rules, newRule] }) };
}

export function addGroup(rules: RulesDraft | null): RulesDraft {
  return { ...rules, groups: [...(rules?.groups ?? []), { logic: "and", rules: [newRule] }] };
}

/** Without the rule; a group that is empty then goes with it, and with the last group all of it: null. */
export function removeRule(rules: RulesDraft, group: number, rule: number): RulesDraft | null {
  const groups = rules.groups
    .map((one, at) => (at === group ? { ...one, rules: one.rules.filter((_, index) => index !== rule) } : one))
    .filter((one, at) => at !== group || one.rules.length > 0);
  return groups.length === 0 ? null : { ...rules, groups };
}

/** What is wrong with the rules, by the API's path of the member. Patterns are left to the gateway, which runs them. */
export function ruleProblems(rules: RulesDraft | null): Record<string, string> {
  const problems: Record<string, string> = {};
  for (const [group, { rules: list }] of (rules?.groups ?? []).entries())
    for (const [index, rule] of list.entries()) {
      if (!isKnown(rule) || takesNoValue(rule["operator"])) continue;
      const { value } = rule;
      const wrong = value === undefined ? null : wrongRule(rule as FilterRule);
      if (value === undefined || String(value).trim() === "") problems[rulePath(group, index)] = "Enter a value";
      else if (wrong) problems[rulePath(group, index, wrong.member)] = capital(wrong.message);
      else if (!FilterRule.safeParse(rule).success) problems[rulePath(group, index)] = "Use at most 10,000 characters";
    }
  return problems;
}

const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);

export const rulePath = (group: number, rule: number, member = "value"): string =>
  `filter_rules.groups.${group}.rules.${rule}.${member}`;

/** True where some rule is a pattern over what people typed or got, of which patterns read the beginning. */
export function matchesBodies(rules: RulesDraft | null): boolean {
  return (rules?.groups ?? []).some((group) =>
    group.rules.some(({ field, operator }) => operator === "regex" && (field === "input" || field === "output")),
  );
}

/** True where some rule reads what people typed or got, which privacy mode keeps from leaving. */
export function readsBodies(rules: RulesDraft | null): boolean {
  return (rules?.groups ?? []).some((group) =>
    group.rules.some(({ field }) => field === "input" || field === "output"),
  );
}
