import { operatorsOf } from "#contract/destination-check.ts";
import { describe, expect, it } from "vitest";
import { readRulesJson, rulesText } from "./rules-json.ts";
import { rulesSentence, textOf } from "./rule-labels.ts";
import {
  addGroup,
  addRule,
  isKnown,
  readsBodies,
  removeRule,
  ruleProblems,
  setLogic,
  setRule,
  withField,
  withOperator,
  withValue,
  type RulesDraft,
} from "./rules.ts";

const startsWith = { field: "model", operator: "starts_with", value: "openai/" };
const costs = { field: "total_cost", operator: "gt", value: 0.01 };
const future = { field: "model", operator: "matches_glob", value: "openai/*", weight: 3 };

describe("editing rules", () => {
  it("keeps operator and value when the new field takes them, and only then", () => {
    expect(withField(startsWith, "provider")).toEqual({ field: "provider", operator: "starts_with", value: "openai/" });
    expect(withField(startsWith, "total_tokens")).toEqual({ field: "total_tokens", operator: "equals", value: "" });
    expect(withField({ ...costs, operator: "equals" }, "model")).toEqual({
      field: "model",
      operator: "equals",
      value: 0.01,
    });
    expect(withField(costs, "total_tokens")).toEqual({ field: "total_tokens", operator: "gt", value: 0.01 });
  });

  it("drops the value where there is nothing to compare with, and asks for one again afterwards", () => {
    const present = withOperator(startsWith, "exists");
    expect(present).toEqual({ field: "model", operator: "exists" });
    expect(withOperator(present, "equals")).toEqual({ field: "model", operator: "equals", value: "" });
  });

  it("keeps a number a number, and what is still being typed a text", () =>
    expect(
      [withValue(costs, "0.02"), withValue(costs, "0."), withValue(startsWith, "5")].map(({ value }) => value),
    ).toEqual([0.02, "0.", "5"]));

  it("offers order only for numbers, and patterns only for texts", () => {
    expect(operatorsOf("total_cost")).not.toContain("regex");
    expect(operatorsOf("model")).not.toContain("gt");
  });

  it("adds, changes and removes; the last rule takes its group along, the last group everything", () => {
    const one = addGroup(null);
    const two = setLogic(addRule(one, 0), 0, "or");
    expect(two.groups[0]).toMatchObject({ logic: "or", rules: [{ field: "model" }, { field: "model" }] });
    const three = addGroup(setRule(two, 0, 1, costs));
    expect(removeRule(three, 1, 0)?.groups).toHaveLength(1);
    expect(removeRule(removeRule(two, 0, 1) ?? one, 0, 0)).toBeNull();
  });

  it("keeps what it does not know, whatever is edited around it", () => {
    const rules = {
      enabled: true,
      note: "by hand",
      groups: [{ logic: "and", rules: [startsWith, future] }],
    } as RulesDraft;
    const edited = addGroup(setRule(rules, 0, 0, costs));
    expect(edited).toMatchObject({ enabled: true, note: "by hand" });
    expect(edited.groups[0]?.rules[1]).toBe(future);
    expect(isKnown(future)).toBe(false);
    expect(ruleProblems(rules)).toEqual({});
  });
});

it("says what is missing at the API's own path", () => {
  const groups = [
    {
      rules: [
        { ...startsWith, value: "" },
        { ...costs, value: "much" },
        { field: "user_id", operator: "exists" },
      ],
    },
  ];
  expect(ruleProblems({ groups })).toEqual({
    "filter_rules.groups.0.rules.0.value": "Enter a value",
    "filter_rules.groups.0.rules.1.value": "Must be a number",
  });
});

it("says the rules in a sentence", () => {
  const sentence = (rules: RulesDraft | null) => textOf(rulesSentence(rules));
  expect(sentence(null)).toBe("Every call passes.");
  expect(sentence({ groups: [{ rules: [startsWith, costs] }] })).toBe(
    "Forward when model starts with openai/ and total cost is over $0.01.",
  );
  expect(
    sentence({
      groups: [{ logic: "or", rules: [startsWith, costs] }, { rules: [{ field: "user_id", operator: "exists" }] }],
    }),
  ).toBe("Forward when (model starts with openai/ or total cost is over $0.01) and user is present.");
  expect(sentence({ enabled: false, groups: [{ rules: [costs] }] })).toBe(
    "The rules are switched off: every call passes.",
  );
});

it("knows which rules read bodies", () => {
  expect(readsBodies({ groups: [{ rules: [{ field: "input", operator: "contains", value: "x" }] }] })).toBe(true);
  expect(readsBodies({ groups: [{ rules: [costs] }] })).toBe(false);
});

describe("rules as JSON", () => {
  it("reads back what it writes, with what it does not know", () => {
    const rules = { groups: [{ logic: "or", rules: [future, costs] }] };
    expect(readRulesJson(rulesText(rules))).toEqual({ rules });
    expect(readRulesJson("  ")).toEqual({ rules: null });
  });

  it("says the line of what is wrong", () => {
    const text = rulesText({ groups: [{ rules: [costs, { field: "model" }] }] });
    expect(readRulesJson(text)).toEqual({ line: 10, message: "A rule has a field and an operator" });
    expect(readRulesJson('{\n  "groups": [\n    { "logic": "xor", "rules": [] }\n  ]\n}')).toMatchObject({ line: 3 });
    expect(readRulesJson('{\n  "groups": [\n')).toMatchObject({ message: "This is not JSON" });
    expect(readRulesJson("{}")).toEqual({ line: 1, message: "groups is a list" });
  });
});
