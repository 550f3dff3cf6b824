import { expect, it } from "vitest";
import { GuardrailRecord } from "#contract/guardrails.ts";
import { budgetPhrase, groupList, guardrailSummary } from "./guardrail-words.ts";

const unset = Object.keys(GuardrailRecord.shape).map((member) => [member, null]);
const none = Object.fromEntries(unset) as unknown as GuardrailRecord;

const twoMakers = { enforce_zdr_openai: true, enforce_zdr_google: true };
const makers = ["anthropic", "google", "openai", "xai", "other"].map((maker) => [`enforce_zdr_${maker}`, true]);
const own = { pattern: "x", action: "block", label: null } as const;
const builtIn = { slug: "email", action: "redact", label: "EMAIL" } as const;
it.each<[Partial<GuardrailRecord>, string[]]>([
  [{}, []],
  [{ allowed_models: ["a/b", "a/c", "a/d"] }, ["3 models"]],
  [{ allowed_providers: ["acme", "bolt"] }, ["2 providers"]],
  [{ ignored_providers: ["cheap"] }, ["1 provider excluded"]],
  [twoMakers, ["zero retention for OpenAI and Google"]],
  [Object.fromEntries(makers), ["zero retention"]],
  [{ enable_free_model_training: false }, ["no training"]],
  [{ enable_free_model_publication: false }, ["no publication"]],
  [{ limit_usd: 5, reset_interval: "daily" }, ["$5.00 a day per key"]],
  // filters of both kinds, after all else
  [{ content_filters: [own], content_filter_builtins: [builtIn], allowed_models: ["a/b"] }, ["1 model", "2 filters"]],
])("what a guardrail of %j does is %j", (some, words) => expect(guardrailSummary({ ...none, ...some })).toEqual(words));

it("says how often a budget starts over, and lists models' makers as a sentence does", () => {
  expect(budgetPhrase({ ...none, limit_usd: 0.5, reset_interval: "monthly" })).toBe("$0.50 a month");
  expect(budgetPhrase({ ...none, limit_usd: 40, reset_interval: "weekly" })).toBe("$40.00 a week");
  expect(budgetPhrase(none)).toBeNull();
  expect(groupList(["openai"])).toBe("OpenAI");
  expect(groupList(["openai", "xai", "other"])).toBe("OpenAI, xAI and all others");
});
