import { describe, expect, it } from "vitest";
import { CreateGuardrailBody, type GuardrailRecord, UpdateGuardrailBody } from "#contract/guardrails.ts";
import {
  emptyGuardrail,
  emptyPattern,
  guardrailBody,
  guardrailChanges,
  guardrailForm,
  guardrailProblems,
  guardrailWords,
} from "./guardrail-form.ts";

const bare: GuardrailRecord = {
  id: "3c1d6dd4-6a4c-4f0f-9d0b-0a7a5a3f4a10",
  workspace_id: "8c1d6dd4-6a4c-4f0f-9d0b-0a7a5a3f4a10",
  name: "Support team",
  description: null,
  allowed_models: null,
  ignored_models: null,
  allowed_providers: null,
  ignored_providers: null,
  allowed_data_regions: null,
  enforce_zdr: null,
  enforce_zdr_anthropic: null,
  enforce_zdr_google: null,
  enforce_zdr_openai: null,
  enforce_zdr_xai: null,
  enforce_zdr_other: null,
  enable_free_model_training: null,
  enable_free_model_publication: null,
  enable_paid_model_training: null,
  limit_usd: null,
  reset_interval: null,
  include_byok_in_budgets: false,
  content_filters: null,
  content_filter_builtins: null,
  created_at: "2026-11-20T10:00:00.000Z",
  updated_at: null,
  is_default: false,
  key_count: 0,
  member_count: 0,
};
const full: GuardrailRecord = {
  ...bare,
  description: "For people who answer customers",
  allowed_models: ["acme/talk"],
  ignored_providers: ["cheap"],
  enforce_zdr_openai: true,
  enable_paid_model_training: false,
  limit_usd: 5,
  reset_interval: "daily",
  include_byok_in_budgets: true,
  content_filters: [{ pattern: "PROJ-\\d+", action: "redact", label: "PROJECT" }],
  content_filter_builtins: [
    { slug: "email", action: "redact", label: "EMAIL" },
    { slug: "regex-prompt-injection", action: "block", label: "PROMPT_INJECTION", scan_scope: "user_only" },
  ],
};

describe("the form of a guardrail", () => {
  it("says what is stored, so that saving it unchanged changes nothing", () => {
    for (const stored of [bare, full]) {
      expect(guardrailChanges(stored, guardrailForm(stored))).toEqual({});
      expect(guardrailProblems(guardrailForm(stored))).toEqual({});
    }
    expect(guardrailForm(bare)).toEqual({ ...emptyGuardrail, name: "Support team", workspaceId: bare.workspace_id });
  });

  it("creates what is set and leaves the rest out", () => {
    expect(guardrailBody({ ...emptyGuardrail, name: " Support team " })).toEqual({ name: "Support team" });
    const body = guardrailBody(guardrailForm(full));
    expect(body).toEqual({
      name: "Support team",
      description: "For people who answer customers",
      allowed_models: ["acme/talk"],
      ignored_providers: ["cheap"],
      enforce_zdr_openai: true,
      enable_paid_model_training: false,
      limit_usd: 5,
      reset_interval: "daily",
      include_byok_in_budgets: true,
      content_filters: [{ pattern: "PROJ-\\d+", action: "redact", label: "PROJECT" }],
      content_filter_builtins: [
        { slug: "email", action: "redact" },
        { slug: "regex-prompt-injection", action: "block", scan_scope: "user_only" },
      ],
    });
    expect(CreateGuardrailBody.safeParse(body).success).toBe(true);
  });

  it("sends changed members only, and null for what is cleared", () => {
    const values = {
      ...guardrailForm(full),
      allowedModels: [],
      zdr: [],
      noPaidTraining: false,
      limited: "no" as const,
      builtins: {},
      patterns: [],
    };
    const body = guardrailChanges(full, values);
    expect(body).toEqual({
      allowed_models: null,
      enforce_zdr_openai: null,
      enable_paid_model_training: null,
      limit_usd: null,
      reset_interval: null,
      include_byok_in_budgets: false,
      content_filters: null,
      content_filter_builtins: null,
    });
    expect(UpdateGuardrailBody.safeParse(body).success).toBe(true);
  });

  it("leaves a training that is allowed in so many words as it is stored", () => {
    const stored = { ...bare, enable_paid_model_training: true };
    expect(guardrailChanges(stored, { ...guardrailForm(stored), description: "New" })).toEqual({ description: "New" });
    expect(guardrailChanges(stored, { ...guardrailForm(stored), noPaidTraining: true })).toEqual({
      enable_paid_model_training: false,
    });
  });

  it("keeps a built-in filter that it does not offer", () => {
    const stored: GuardrailRecord = {
      ...bare,
      content_filter_builtins: [{ slug: "address", action: "flag", label: "ADDRESS" }],
    };
    const form = guardrailForm(stored);
    expect(guardrailChanges(stored, { ...form, builtins: { ...form.builtins, email: "block" } })).toEqual({
      content_filter_builtins: [
        { slug: "address", action: "flag" },
        { slug: "email", action: "block" },
      ],
    });
  });
});

describe("what is wrong with a guardrail as typed", () => {
  it("names the field, and of several patterns which", () => {
    const problems = guardrailProblems({
      ...emptyGuardrail,
      limited: "yes",
      limit: "-5",
      allowedModels: ["acme/talk"],
      ignoredModels: ["acme/talk"],
      patterns: [{ ...emptyPattern, pattern: "a" }, emptyPattern],
    });
    expect(Object.keys(problems).toSorted()).toEqual(["ignoredModels", "limit", "name", "patterns.1.pattern"]);
    expect(problems["ignoredModels"]).toBe("acme/talk is both allowed and excluded: remove one");
  });
});

describe("a guardrail in words", () => {
  it("tells apart what somebody else changed", () =>
    expect(guardrailWords(full)).toMatchObject({
      "Allowed models": "acme/talk",
      "Excluded models": "none",
      "Zero data retention": "OpenAI",
      "Training and publication": "no training by paid models",
      Budget: "$5.00 a day",
      BYOK: "counted",
      "Content filters": "redact Email addresses, block Prompt injection, redact PROJECT",
    }));
});
