import { expect, it } from "vitest";
import { GuardrailRecord } from "#contract/guardrails.ts";
import { budgetPhrase, groupList, guardrailSummary } from "./guardrail-words.ts";

const unset = Object.keys(GuardrailRecord.shape).map((member) => [member, null]);
const none = Object.fromEntries(unset) as unknown as GuardrailRecord;

it.each<[string, Partial<GuardrailRecord>, string[]]>([
  ["nothing where nothing is restricted", {}, []],
  ["models that are allowed", { allowed_models: ["a/b", "a/c", "a/d"] }, ["3 models"]],
  ["providers that are allowed", { allowed_providers: ["acme", "bolt"] }, ["2 providers"]],
  ["providers that are not", { ignored_providers: ["cheap"] }, ["1 provider excluded"]],
  [
    "whose models retain nothing",
    { enforce_zdr_openai: true, enforce_zdr_google: true },
    ["zero retention for OpenAI and Google"],
  ],
  [
    "that all models retain nothing",
    Object.fromEntries(["anthropic", "google", "openai", "xai", "other"].map((of) => [`enforce_zdr_${of}`, true])),
    ["zero retention"],
  ],
  ["no training", { enable_free_model_training: false }, ["no training"]],
  ["no publication", { enable_free_model_publication: false }, ["no publication"]],
  ["a budget", { limit_usd: 5, reset_interval: "daily" }, ["$5.00 a day per key"]],
  [
    "filters of both kinds, after all else",
    {
      content_filters: [{ pattern: "x", action: "block", label: null }],
      content_filter_builtins: [{ slug: "email", action: "redact", label: "EMAIL" }],
      allowed_models: ["a/b"],
    },
    ["1 model", "2 filters"],
  ],
])("what a guardrail does is %s", (_, some, words) => expect(guardrailSummary({ ...none, ...some })).toEqual(words));

it("says how often a budget starts over, and lists models' makers as a sentence does", () => {
  expect(budgetPhrase({ ...none, limit_usd: 0.5, reset_interval: "monthly" })).toBe("$0.50 a month");
  expect(budgetPhrase({ ...none, limit_usd: 40, reset_interval: "weekly" })).toBe("$40.00 a week");
  expect(budgetPhrase(none)).toBeNull();
  expect(groupList(["openai"])).toBe("OpenAI");
  expect(groupList(["openai", "xai", "other"])).toBe("OpenAI, xAI and all others");
});
