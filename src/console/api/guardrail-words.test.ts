import { describe, expect, it } from "vitest";
import type { GuardrailRecord } from "#contract/guardrails.ts";
import { budgetPhrase, groupList, guardrailSummary } from "./guardrail-words.ts";

const none = {
  allowed_models: null,
  ignored_models: null,
  allowed_providers: null,
  ignored_providers: null,
  limit_usd: null,
  reset_interval: null,
  content_filters: null,
  content_filter_builtins: null,
} as unknown as GuardrailRecord;

describe("what a guardrail does, in words", () => {
  it("names each kind of rule once", () =>
    expect(
      guardrailSummary({
        ...none,
        allowed_models: ["a/b", "a/c", "a/d"],
        allowed_providers: ["acme", "bolt"],
        ignored_providers: ["cheap"],
        limit_usd: 5,
        reset_interval: "daily",
        enforce_zdr_openai: true,
        enforce_zdr_google: true,
        enable_free_model_training: false,
        enable_free_model_publication: false,
        content_filters: [{ pattern: "x", action: "block", label: null }],
        content_filter_builtins: [{ slug: "email", action: "redact", label: "EMAIL" }],
      }),
    ).toEqual([
      "3 models",
      "2 providers",
      "1 provider excluded",
      "zero retention for OpenAI and Google",
      "no training",
      "no publication",
      "$5.00 a day per key",
      "2 filters",
    ]));

  it("is nothing where nothing is restricted", () => expect(guardrailSummary(none)).toEqual([]));

  it("is short where every model is meant", () => {
    const all = Object.fromEntries(
      ["anthropic", "google", "openai", "xai", "other"].map((group) => [`enforce_zdr_${group}`, true]),
    );
    expect(guardrailSummary({ ...none, ...all })).toEqual(["zero retention"]);
  });

  it("says how often a budget starts over", () => {
    expect(budgetPhrase({ ...none, limit_usd: 0.5, reset_interval: "monthly" })).toBe("$0.50 a month");
    expect(budgetPhrase({ ...none, limit_usd: 40, reset_interval: "weekly" })).toBe("$40.00 a week");
    expect(budgetPhrase(none)).toBeNull();
  });

  it("lists models' makers as a sentence does", () => {
    expect(groupList(["openai"])).toBe("OpenAI");
    expect(groupList(["openai", "xai", "other"])).toBe("OpenAI, xAI and all others");
  });
});
