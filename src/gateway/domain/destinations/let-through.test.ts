import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FilterRules } from "#contract/destinations.ts";
import { compileFilterRules } from "./filters.ts";
import { letThrough, loosenRules } from "./let-through.ts";
import { compilePipeline, type PipelineSettings } from "./pipeline.ts";
import { exampleEvent } from "./example-event.ts";
import { destinationDefaults, pipelineSettings } from "./settings.ts";

const example = exampleEvent("00000000-0000-4000-8000-000000000000", new Date("2027-01-02T03:04:05Z"));
const all: PipelineSettings = { ...pipelineSettings(destinationDefaults), privacyMode: true };

describe("what lets a call through", () => {
  it("is every gate that holds it, and then it passes", () => {
    const event = { ...example, keyHash: "aa", keyName: "mine", model: "acme/talk", cost: 0.0096, sessionId: "s" };
    const rules: FilterRules["groups"][number]["rules"] = [
      { field: "total_cost", operator: "gt", value: 0.01 },
      { field: "model", operator: "starts_with", value: "other/" },
      { field: "model", operator: "not_equals", value: "acme/talk" },
    ];
    const filterRules: FilterRules = { groups: [{ rules }] };
    const settings: PipelineSettings = { ...all, apiKeyHashes: ["bb"], filterRules, samplingRate: 0.0001 };
    const found = letThrough(settings, { ...event, byokCost: null });
    expect(found?.changes.slice(0, 4)).toEqual([
      "Add the key mine",
      "Rule 1 of group 1: total cost is at least 0.0096 instead of total cost is over 0.01",
      "Rule 2 of group 1: or model is acme/talk",
      "Remove rule 3 of group 1: model is not acme/talk",
    ]);
    const edited: PipelineSettings = {
      ...settings,
      apiKeyHashes: ["bb", found?.add_api_key_hash ?? ""],
      filterRules: found?.filter_rules ?? null,
      samplingRate: found?.sampling_rate ?? 0,
    };
    expect(compilePipeline(edited)({ ...event, byokCost: null }).outcome).toBe("forwarded");
    expect(letThrough(edited, { ...event, byokCost: null })).toBeNull();
  });

  it("takes a long text by removing the rule, not by repeating the text", () => {
    const rules: FilterRules = { groups: [{ rules: [{ field: "input", operator: "contains", value: "x" }] }] };
    const { rules: loosened, changes } = loosenRules(rules, { ...example, input: "a".repeat(1_000) });
    expect(loosened).toBeNull();
    expect(changes).toEqual(["Remove rule 1 of group 1: input contains x"]);
  });
});

it("tells nothing where the rules would grow beyond what a destination may have", () => {
  const rule = { field: "model", operator: "equals", value: "another" } as const;
  const filterRules: FilterRules = { groups: [{ rules: Array.from({ length: 60 }, () => rule) }] };
  expect(letThrough({ ...all, filterRules }, { ...example, model: "acme/talk" })).toBeNull();
});

const operators = ["equals", "not_equals", "contains", "not_contains", "starts_with", "ends_with"] as const;
const text = fc.constantFrom("a", "b", "ab", "");
const textField = fc.constantFrom("model", "user_id");
const textRule = fc.record({ field: textField, operator: fc.constantFrom(...operators), value: text });
const presence = fc.record({ field: textField, operator: fc.constantFrom("exists", "not_exists") });
const numberRule = fc.record({
  field: fc.constantFrom("total_tokens", "prompt_tokens"),
  operator: fc.constantFrom("equals", "not_equals", "gt", "gte", "lt", "lte"),
  value: fc.integer({ min: 0, max: 3 }),
});
const groups = fc.array(
  fc.record({
    logic: fc.constantFrom("and", "or"),
    rules: fc.array(fc.oneof(textRule, presence, numberRule), { maxLength: 4 }),
  }),
  { maxLength: 3 },
);
const call = fc.record({
  model: text,
  userId: fc.option(text),
  promptTokens: fc.integer({ min: 0, max: 3 }),
  completionTokens: fc.integer({ min: 0, max: 2 }),
});

it("lets the call through, keeps rules that the API takes, and stops nothing that passed before", () => {
  fc.assert(
    fc.property(groups, call, call, (list, one, other) => {
      const rules = { groups: list } as FilterRules;
      const held = { ...example, ...one };
      const { rules: loosened, changes } = loosenRules(rules, held);
      const before = compileFilterRules(rules);
      const after = compileFilterRules(loosened);
      expect(after(held)).toBeNull();
      expect(changes.length === 0).toBe(before(held) === null);
      if (loosened !== null) expect(FilterRules.safeParse(loosened).success).toBe(true);
      const event = { ...example, ...other };
      if (before(event) === null) expect(after(event)).toBeNull();
    }),
    { numRuns: 2_000 },
  );
});
