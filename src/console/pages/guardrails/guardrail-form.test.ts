import { expect, it } from "vitest";
import { CreateGuardrailBody, GuardrailRecord, UpdateGuardrailBody } from "#contract/guardrails.ts";
import * as form from "./guardrail-form.ts";
import { shownGuardrails } from "./shown-guardrails.ts";

const unset = Object.fromEntries(Object.keys(GuardrailRecord.shape).map((member) => [member, null]));
const workspace_id = "8c1d6dd4-6a4c-4f0f-9d0b-0a7a5a3f4a10";
const bare = { ...unset, workspace_id, name: "Support team", include_byok_in_budgets: false } as GuardrailRecord;
const set = {
  description: "For people who answer customers",
  allowed_models: ["acme/talk"],
  ignored_providers: ["cheap"],
  enforce_zdr_openai: true,
  enable_paid_model_training: false,
  limit_usd: 5,
  reset_interval: "daily",
  include_byok_in_budgets: true,
  content_filters: [{ pattern: "PROJ-\\d+", action: "redact", label: "PROJECT" }],
} as const;
const email = { slug: "email", action: "redact" } as const;
const injection = { slug: "regex-prompt-injection", action: "block", scan_scope: "user_only" } as const;
const content_filter_builtins = [
  { ...email, label: "EMAIL" },
  { ...injection, label: "PROMPT_INJECTION" },
];
const full = { ...bare, ...set, content_filter_builtins } as unknown as GuardrailRecord;

it.each([bare, full])("%#: the form says what is stored, so that saving it unchanged changes nothing", (stored) => {
  expect(form.guardrailChanges(stored, form.guardrailForm(stored))).toEqual({});
  expect(form.guardrailProblems(form.guardrailForm(stored))).toEqual({});
});

it("the form creates what is set and leaves the rest out", () => {
  expect(form.guardrailForm(bare)).toEqual({
    ...form.emptyGuardrail,
    name: "Support team",
    workspaceId: bare.workspace_id,
  });
  expect(form.guardrailBody({ ...form.emptyGuardrail, name: " Support team " })).toEqual({ name: "Support team" });
  const body = form.guardrailBody(form.guardrailForm(full));
  expect(body).toEqual({ name: "Support team", ...set, content_filter_builtins: [email, injection] });
  expect(CreateGuardrailBody.safeParse(body).success).toBe(true);
});

it("the form sends changed members only, and null for what is cleared", () => {
  const cleared = { allowedModels: [], zdr: [], noPaidTraining: false, builtins: {}, patterns: [] };
  const body = form.guardrailChanges(full, { ...form.guardrailForm(full), ...cleared, limited: "no" });
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

it("the form leaves a training that is allowed in so many words as it is stored", () => {
  const stored = { ...bare, enable_paid_model_training: true };
  const changes = (more: object) => form.guardrailChanges(stored, { ...form.guardrailForm(stored), ...more });
  expect(changes({ description: "New" })).toEqual({ description: "New" });
  expect(changes({ noPaidTraining: true })).toEqual({ enable_paid_model_training: false });
});

it("the form keeps a built-in filter that it does not offer", () => {
  const address = { slug: "address", action: "flag" } as const;
  const stored = { ...bare, content_filter_builtins: [{ ...address, label: "ADDRESS" }] };
  const values = form.guardrailForm(stored);
  const changes = form.guardrailChanges(stored, { ...values, builtins: { ...values.builtins, email: "block" } });
  expect(changes).toEqual({ content_filter_builtins: [address, { slug: "email", action: "block" }] });
});

it("what is wrong names the field, and of several patterns which", () => {
  const both = { allowedModels: ["acme/talk"], ignoredModels: ["acme/talk"] };
  const patterns = [{ ...form.emptyPattern, pattern: "a" }, form.emptyPattern];
  const problems = form.guardrailProblems({ ...form.emptyGuardrail, limited: "yes", limit: "-5", ...both, patterns });
  expect(Object.keys(problems).toSorted()).toEqual(["ignoredModels", "limit", "name", "patterns.1.pattern"]);
  expect(problems["ignoredModels"]).toBe("acme/talk is both allowed and excluded: remove one");
});

it("a guardrail in words tells apart what somebody else changed", () => {
  expect(form.guardrailWords(full)).toMatchObject({
    "Allowed models": "acme/talk",
    "Excluded models": "none",
    "Zero data retention": "OpenAI",
    "Training and publication": "no training by paid models",
    Budget: "$5.00 a day",
    BYOK: "counted",
    "Content filters": "redact Email addresses, block Prompt injection, redact PROJECT",
  });
});

it.each([
  [undefined, ["Support team", "Research"]],
  [" SUPPORT", ["Support team", "Research"]],
  ["acme/", ["Support team"]],
  ["cheap", ["Research"]],
  ["nowhere", []],
])("finds guardrails by their words, models and providers: %s", (q, names) => {
  const research = {
    ...bare,
    name: "Research",
    description: "Only for support of tests",
    ignored_providers: ["Cheap"],
  };
  const all = [{ ...bare, allowed_models: ["acme/talk"] }, research];
  expect(shownGuardrails(all, { q }).map(({ name }) => name)).toEqual(names);
});
