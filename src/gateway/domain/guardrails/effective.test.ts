import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type AppliedGuardrail, excludedBy, type Judged, keepsNothingOf, zdrGroupOf } from "./effective.ts";
import { guardrailDefaults } from "./settings.ts";

type Settings = AppliedGuardrail["settings"];

const guardrail = (settings: Partial<Settings>): AppliedGuardrail => ({
  id: "00000000-0000-4000-8000-000000000001",
  name: "Strict",
  scope: "key",
  settings: { ...guardrailDefaults, ...settings },
});
const candidate = (changes: Partial<Judged> & { provider?: string } = {}): Judged => {
  const { provider = "acme", ...rest } = changes;
  return {
    modelId: "openai/gpt",
    isFree: false,
    isProvider: (name) => name === provider,
    keepsNothing: false,
    collects: false,
    ...rest,
  };
};

describe("a guardrail", () => {
  const free = candidate({ collects: true, isFree: true });
  const paid = candidate({ collects: true });
  const zdr = { enforce_zdr_openai: true };
  it.each<[name: string, settings: Partial<Settings>, judged: Judged, code: string | null]>([
    ["without settings", {}, free, null],
    ["for the models that it allows", { allowed_models: ["openai/gpt"] }, candidate(), null],
    ["for other models", { allowed_models: ["openai/other"] }, candidate(), "allowed_models"],
    ["for the models that it ignores", { ignored_models: ["openai/gpt"] }, candidate(), "ignored_models"],
    ["for the providers that it allows", { allowed_providers: ["acme"] }, candidate(), null],
    ["for other providers", { allowed_providers: ["other"] }, candidate(), "allowed_providers"],
    ["for the providers that it ignores", { ignored_providers: ["acme"] }, candidate(), "ignored_providers"],
    ["for a maker's models without zero data retention", zdr, candidate(), "data_policy:zdr"],
    ["for a maker's models with it", zdr, candidate({ keepsNothing: true }), null],
    ["for another maker's", zdr, candidate({ modelId: "google/gemini" }), null],
    ["that does not enforce it", { enforce_zdr_openai: false }, candidate(), null],
    ["without training on paid models", { enable_paid_model_training: false }, paid, "data_policy:training"],
    ["with it", { enable_paid_model_training: true }, paid, null],
    ["without training on free models, for a paid one", { enable_free_model_training: false }, paid, null],
    ["without publication of free ones, for a paid one", { enable_free_model_publication: false }, paid, null],
    ["without training on paid models, for a free one", { enable_paid_model_training: false }, free, null],
    ["without training on free models", { enable_free_model_training: false }, free, "data_policy:training"],
    ["without publication of free ones", { enable_free_model_publication: false }, free, "data_policy:publication"],
    ["for who collects nothing", { enable_free_model_training: false }, candidate({ isFree: true }), null],
  ])("%s: %j", (_, settings, judged, code) =>
    expect(excludedBy([guardrail(settings)], judged)?.code ?? null).toBe(code),
  );

  it("says which guardrail and why", () => {
    const found = excludedBy([guardrail({}), guardrail({ ignored_models: ["openai/gpt"] })], candidate());
    expect(found?.reason).toBe("the guardrail Strict does not allow openai/gpt");
  });
});

describe("several guardrails", () => {
  const names = ["a", "b", "c", "d"];
  const some = fc.option(fc.subarray(names, { minLength: 1 }));
  const settings = fc.record({
    allowed_models: some,
    ignored_models: some,
    allowed_providers: some,
    ignored_providers: some,
    enforce_zdr_other: fc.option(fc.boolean()),
  });

  it("intersect what is allowed, unite what is ignored, and enforce zero data retention if one does", () => {
    fc.assert(
      fc.property(fc.array(settings, { maxLength: 3 }), (all) => {
        const within = (list: string[] | null, name: string) => list === null || list.includes(name);
        for (const modelId of names) {
          for (const provider of names) {
            const lets =
              all.every((one) => within(one.allowed_models, modelId) && within(one.allowed_providers, provider)) &&
              !all.some((one) => one.ignored_models?.includes(modelId) || one.ignored_providers?.includes(provider)) &&
              !all.some((one) => one.enforce_zdr_other === true);
            expect(excludedBy(all.map(guardrail), candidate({ modelId, provider })) === null).toBe(lets);
          }
        }
      }),
    );
  });

  it("keep nothing where one enforces it for one of the models", () => {
    const all = [guardrail({}), guardrail({ enforce_zdr_anthropic: true })];
    expect(keepsNothingOf(all, ["openai/gpt", "anthropic/claude"])).toBe(true);
    expect(keepsNothingOf(all, ["openai/gpt"])).toBe(false);
  });
});

describe("a model's group", () => {
  it.each([
    ["anthropic/claude", "anthropic"],
    ["google/gemini", "google"],
    ["openai/gpt", "openai"],
    ["x-ai/grok", "xai"],
    ["constructor/x", "other"],
    ["bare", "other"],
  ])("of %s is %s", (id, group) => expect(zdrGroupOf(id)).toBe(group));
});
