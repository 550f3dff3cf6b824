import { describe, expect, it } from "vitest";
import { operatorsOf } from "#contract/destination-check.ts";
import { rulesSentence, textOf } from "./rule-labels.ts";
import { readRulesJson, rulesText } from "./rules-json.ts";
import * as edit from "./rules.ts";

const startsWith = { field: "model", operator: "starts_with", value: "openai/" };
const costs = { field: "total_cost", operator: "gt", value: 0.01 };
const present = { field: "user_id", operator: "exists" };
const future = { field: "model", operator: "matches_glob", value: "openai/*", weight: 3 };

describe("editing rules", () => {
  it.each([
    [startsWith, "provider", { field: "provider", operator: "starts_with", value: "openai/" }],
    [startsWith, "total_tokens", { field: "total_tokens", operator: "equals", value: "" }],
    [{ ...costs, operator: "equals" }, "model", { field: "model", operator: "equals", value: 0.01 }],
    [costs, "total_tokens", { field: "total_tokens", operator: "gt", value: 0.01 }],
  ] as const)(
    "keeps operator and value of %j when the field becomes %s and takes them, and only then",
    (rule, field, next) => expect(edit.withField(rule, field)).toEqual(next),
  );

  it("drops the value where there is nothing to compare with, and asks for one again afterwards", () => {
    const bare = edit.withOperator(startsWith, "exists");
    expect(bare).toEqual({ field: "model", operator: "exists" });
    expect(edit.withOperator(bare, "equals")).toEqual({ field: "model", operator: "equals", value: "" });
  });

  it("keeps a number a number, what is still being typed a text, and offers the operators of each", () => {
    const typed = [edit.withValue(costs, "0.02"), edit.withValue(costs, "0."), edit.withValue(startsWith, "5")];
    expect(typed.map(({ value }) => value)).toEqual([0.02, "0.", "5"]);
    expect(operatorsOf("total_cost")).not.toContain("regex");
    expect(operatorsOf("model")).not.toContain("gt");
  });

  it("adds, changes and removes; the last rule takes its group along, the last group everything", () => {
    const one = edit.addGroup(null);
    const two = edit.setLogic(edit.addRule(one, 0), 0, "or");
    expect(two.groups[0]).toMatchObject({ logic: "or", rules: [{ field: "model" }, { field: "model" }] });
    const three = edit.addGroup(edit.setRule(two, 0, 1, costs));
    expect(edit.removeRule(three, 1, 0)?.groups).toHaveLength(1);
    expect(edit.removeRule(edit.removeRule(two, 0, 1) ?? one, 0, 0)).toBeNull();
  });

  it("keeps what it does not know, whatever is edited around it", () => {
    const groups = [{ logic: "and", rules: [startsWith, future] }];
    const rules = { enabled: true, note: "by hand", groups } as edit.RulesDraft;
    const edited = edit.addGroup(edit.setRule(rules, 0, 0, costs));
    expect(edited).toMatchObject({ enabled: true, note: "by hand" });
    expect(edited.groups[0]?.rules[1]).toBe(future);
    expect([edit.isKnown(future), edit.ruleProblems(rules)]).toEqual([false, {}]);
  });

  it("says what is missing at the API's own path", () => {
    const groups = [{ rules: [{ ...startsWith, value: "" }, { ...costs, value: "much" }, present] }];
    expect(edit.ruleProblems({ groups })).toEqual({
      "filter_rules.groups.0.rules.0.value": "Enter a value",
      "filter_rules.groups.0.rules.1.value": "Must be a number",
    });
  });
});

const [model, cost] = ["model starts with openai/", "total cost is over $0.01"];
const either = { groups: [{ logic: "or", rules: [startsWith, costs] }, { rules: [present] }] };
it.each<[edit.RulesDraft | null, string]>([
  [null, "Every call passes."],
  [{ groups: [{ rules: [startsWith, costs] }] }, `Forward when ${model} and ${cost}.`],
  [either, `Forward when (${model} or ${cost}) and user is present.`],
  [{ enabled: false, groups: [{ rules: [costs] }] }, "The rules are switched off: every call passes."],
])("says the rules in a sentence: %j", (rules, sentence) => expect(textOf(rulesSentence(rules))).toBe(sentence));

it("knows which rules read bodies", () => {
  const input = { field: "input", operator: "contains", value: "x" };
  expect([input, costs].map((rule) => edit.readsBodies({ groups: [{ rules: [rule] }] }))).toEqual([true, false]);
});

it("rules as JSON are read back as they are written, with what is not known", () => {
  const rules = { groups: [{ logic: "or", rules: [future, costs] }] };
  expect(readRulesJson(rulesText(rules))).toEqual({ rules });
  expect(readRulesJson("  ")).toEqual({ rules: null });
});

const noOperator = rulesText({ groups: [{ rules: [costs, { field: "model" }] }] });
it.each([
  [noOperator, { line: 10, message: "A rule has a field and an operator" }],
  ['{\n  "groups": [\n    { "logic": "xor", "rules": [] }\n  ]\n}', { line: 3 }],
  ['{\n  "groups": [\n', { message: "This is not JSON" }],
  ["{}", { line: 1, message: "groups is a list" }],
])("rules as JSON are refused by line: %#", (text, problem) => expect(readRulesJson(text)).toMatchObject(problem));
