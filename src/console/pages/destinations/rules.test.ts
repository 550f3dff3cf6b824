import { expect, it } from "vitest";
import { operatorsOf } from "#contract/destination-check.ts";
import { newDraft } from "./draft.ts";
import { changedFields, groupOf, readableValue, whyLeaves } from "./payload-groups.ts";
import { payloadFields } from "./payload.ts";
import { rulesSentence, textOf } from "./rule-labels.ts";
import { readRulesJson, rulesText } from "./rules-json.ts";
import * as edit from "./rules.ts";

const startsWith = { field: "model", operator: "starts_with", value: "openai/" };
const costs = { field: "total_cost", operator: "gt", value: 0.01 };
const present = { field: "user_id", operator: "exists" };
const future = { field: "model", operator: "matches_glob", value: "openai/*", weight: 3 };

it.each([
  [startsWith, "provider", { field: "provider", operator: "starts_with", value: "openai/" }],
  [startsWith, "total_tokens", { field: "total_tokens", operator: "equals", value: "" }],
  [{ ...costs, operator: "equals" }, "model", { field: "model", operator: "equals", value: 0.01 }],
  [costs, "total_tokens", { field: "total_tokens", operator: "gt", value: 0.01 }],
] as const)(
  "editing rules keeps operator and value of %j when the field becomes %s and takes them, and only then",
  (rule, field, next) => expect(edit.withField(rule, field)).toEqual(next),
);

it("editing rules drops the value where there is nothing to compare with, and a group with its last rule", () => {
  const bare = edit.withOperator(startsWith, "exists");
  expect(bare).toEqual({ field: "model", operator: "exists" });
  expect(edit.withOperator(bare, "equals")).toEqual({ field: "model", operator: "equals", value: "" });
  const typed = [edit.withValue(costs, "0.02"), edit.withValue(costs, "0."), edit.withValue(startsWith, "5")];
  expect(typed.map(({ value }) => value)).toEqual([0.02, "0.", "5"]);
  expect(operatorsOf("total_cost")).not.toContain("regex");
  expect(operatorsOf("model")).not.toContain("gt");
  const one = edit.addGroup(null);
  const two = edit.setLogic(edit.addRule(one, 0), 0, "or");
  expect(two.groups[0]).toMatchObject({ logic: "or", rules: [{ field: "model" }, { field: "model" }] });
  const three = edit.addGroup(edit.setRule(two, 0, 1, costs));
  expect(edit.removeRule(three, 1, 0)?.groups).toHaveLength(1);
  expect(edit.removeRule(edit.removeRule(two, 0, 1) ?? one, 0, 0)).toBeNull();
});

it("editing rules keeps what it does not know, whatever is edited around it", () => {
  const groups = [{ logic: "and", rules: [startsWith, future] }];
  const rules = { enabled: true, note: "by hand", groups } as edit.RulesDraft;
  const edited = edit.addGroup(edit.setRule(rules, 0, 0, costs));
  expect(edited).toMatchObject({ enabled: true, note: "by hand" });
  expect(edited.groups[0]?.rules[1]).toBe(future);
  expect([edit.isKnown(future), edit.ruleProblems(rules)]).toEqual([false, {}]);
});

it("editing rules says what is missing at the API's own path", () => {
  const groups = [{ rules: [{ ...startsWith, value: "" }, { ...costs, value: "much" }, present] }];
  expect(edit.ruleProblems({ groups })).toEqual({
    "filter_rules.groups.0.rules.0.value": "Enter a value",
    "filter_rules.groups.0.rules.1.value": "Must be a number",
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

it("knows which rules read bodies, and reads back rules as JSON, with what is not known", () => {
  const input = { field: "input", operator: "contains", value: "x" };
  expect([input, costs].map((rule) => edit.readsBodies({ groups: [{ rules: [rule] }] }))).toEqual([true, false]);
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

it("reads OpenTelemetry's attributes by their own names", () => {
  const model = { key: "gen_ai.request.model", value: { stringValue: "openai/gpt-5-mini" } };
  const tokens = { key: "gen_ai.usage.input_tokens", value: { intValue: "1204" } };
  const spans = [{ traceId: "t1", attributes: [model, tokens] }];
  expect(payloadFields(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }))).toEqual([
    { name: "spans.traceId", value: "t1" },
    { name: "gen_ai.request.model", value: "openai/gpt-5-mini" },
    { name: "gen_ai.usage.input_tokens", value: "1204" },
  ]);
});

it("reads lines of JSON, lists of at most two hundred values, and nothing at all", () => {
  const fields = payloadFields('{"id":"a","cost":0.5}\n{"id":"b","cost":null}');
  const read = Object.fromEntries((fields ?? []).map(({ name, value }) => [name, value]));
  expect(read).toEqual({ "[0].id": "a", "[0].cost": "0.5", "[1].id": "b", "[1].cost": "null" });
  expect(payloadFields(JSON.stringify(Array.from({ length: 500 }, (_, index) => index)))).toHaveLength(200);
  expect([payloadFields("not json"), payloadFields("{}")]).toEqual([null, []]);
});

it.each([
  ["who", "user.id USER_ID gatehouse.api_key.name session.id user_agent.original $ai_session_id"],
  ["what", "gen_ai.request.model MODEL http.response.status_code error.type trace.metadata.team gatehouse.inputs"],
  ["cost", "gen_ai.usage.input_tokens TOTAL_COST gatehouse.byok_cost $ai_output_tokens"],
  ["time", "spans.startTimeUnixNano LATENCY_MS gatehouse.time_to_first_byte_ms"],
  ["body", "gen_ai.input.messages OUTPUT $ai_input gen_ai.output.messages"],
  ["wire", "service.name scope.name spans.traceId spans.kind PARENT_SPAN_ID"],
])("the group %s has %s", (group, names) => expect(new Set(names.split(" ").map(groupOf))).toEqual(new Set([group])));

it("reads nanoseconds as an instant, and leaves every other value as it is", () => {
  const value = "1795302759470000000";
  expect(readableValue({ name: "spans.startTimeUnixNano", value })).toBe("2026-11-21T23:12:39.470Z");
  expect(readableValue({ name: "user.id", value })).toBe(value);
});

const fresh = newDraft("webhook");
const ruled = (field: string, operator: string, value: string) => {
  return { ...fresh, api_key_hashes: ["a"], filter_rules: { groups: [{ rules: [{ field, operator, value }] }] } };
};
const draft = ruled("model", "starts_with", "openai/");
it.each([
  ["gen_ai.request.model", draft, "rule 1 kept it"],
  ["gatehouse.api_key.name", draft, "in your list"],
  ["gatehouse.api_key.name", fresh, "“Who called” is on"],
  ["gen_ai.input.messages", { ...draft, privacy_mode: false }, "prompts are on"],
  ["INPUT", draft, "left empty"],
  ["spans.startTimeUnixNano", draft, "always sent"],
  // a count leaves with the metadata, whatever a rule reads of the prompt
  ["gatehouse.inputs", ruled("input", "contains", "a"), "always sent"],
])("says which setting lets %s leave: %#", (name, edited, why) => expect(whyLeaves(name, edited)).toBe(why));

it("tells what the edits make leave and what they make stay", () => {
  const [a, b, c] = ["a", "b", "c"].map((name) => ({ name, value: "x" }));
  const fields = (...some: (typeof a)[]) => some.filter((one) => one !== undefined);
  expect(changedFields(fields(a, b), fields(b, c))).toEqual({ starts: [c], stops: [a] });
});
