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
const codeOf = (settings: Partial<Settings>, judged: Judged) => excludedBy([guardrail(settings)], judged)?.code ?? null;

describe("a guardrail", () => {
  it("without settings excludes nothing", () =>
    expect(codeOf({}, candidate({ collects: true, isFree: true }))).toBeNull());

  it("excludes models and providers by its lists", () => {
    expect(codeOf({ allowed_models: ["openai/gpt"] }, candidate())).toBeNull();
    expect(codeOf({ allowed_models: ["openai/other"] }, candidate())).toBe("allowed_models");
    expect(codeOf({ ignored_models: ["openai/gpt"] }, candidate())).toBe("ignored_models");
    expect(codeOf({ allowed_providers: ["acme"] }, candidate())).toBeNull();
    expect(codeOf({ allowed_providers: ["other"] }, candidate())).toBe("allowed_providers");
    expect(codeOf({ ignored_providers: ["acme"] }, candidate())).toBe("ignored_providers");
  });

  it("enforces zero data retention for the models of one maker", () => {
    const zdr = { enforce_zdr_openai: true };
    expect(codeOf(zdr, candidate())).toBe("data_policy:zdr");
    expect(codeOf(zdr, candidate({ keepsNothing: true }))).toBeNull();
    expect(codeOf(zdr, candidate({ modelId: "google/gemini" }))).toBeNull();
    expect(codeOf({ enforce_zdr_openai: false }, candidate())).toBeNull();
  });

  it("keeps free and paid models from providers that collect, each by its own setting", () => {
    const collects = candidate({ collects: true });
    expect(codeOf({ enable_paid_model_training: false }, collects)).toBe("data_policy:training");
    expect(codeOf({ enable_paid_model_training: true }, collects)).toBeNull();
    expect(codeOf({ enable_free_model_training: false, enable_free_model_publication: false }, collects)).toBeNull();
    const free = candidate({ collects: true, isFree: true });
    expect(codeOf({ enable_paid_model_training: false }, free)).toBeNull();
    expect(codeOf({ enable_free_model_training: false }, free)).toBe("data_policy:training");
    expect(codeOf({ enable_free_model_publication: false }, free)).toBe("data_policy:publication");
    expect(codeOf({ enable_free_model_training: false }, candidate({ isFree: true }))).toBeNull();
  });

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
