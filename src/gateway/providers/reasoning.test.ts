import { describe, expect, it } from "vitest";
import type { ProviderKind } from "#contract/providers.ts";
import { CallFailed } from "./call.ts";
import { adapters, toUpstream } from "./registry.ts";

function sentTo(kind: ProviderKind, more: object, maxTokens: number | null = 10_000) {
  const upstream = toUpstream({
    slug: "v",
    kind,
    preset: "custom",
    baseUrl: "https://v.example",
    apiKey: "k",
    options: {},
  });
  const body = { messages: [{ role: "user", content: "hi" }], temperature: 0.5, ...more };
  const call = { model: "m", body, stream: false, maxTokens, maxOutputTokens: 64_000 };
  return JSON.parse(adapters[kind]?.chat?.toRequest(upstream, call).body ?? "");
}

describe("effort as a budget", () => {
  it.each([
    ["max", 9_500],
    ["xhigh", 9_500],
    ["high", 8_000],
    ["medium", 5_000],
    ["low", 2_000],
    ["minimal", 1_024],
  ])("%s of 10,000 tokens is %i", (effort, budget) => {
    const reasoning = { effort };
    expect(sentTo("anthropic", { reasoning }).thinking).toEqual({ type: "enabled", budget_tokens: budget });
    expect(sentTo("gemini", { reasoning }).generationConfig.thinkingConfig).toEqual({
      thinkingBudget: budget,
      includeThoughts: true,
    });
    expect(sentTo("cohere", { reasoning }).thinking).toEqual({ type: "enabled", token_budget: budget });
    expect(sentTo("anthropic", { reasoning_effort: effort }).thinking).toEqual({
      type: "enabled",
      budget_tokens: budget,
    });
  });

  it("is a share of the model's longest answer where the caller bounds none, within what the vendor takes", () => {
    const reasoning = { effort: "high" };
    expect(sentTo("anthropic", { reasoning }, null).thinking.budget_tokens).toBe(51_200);
    expect(sentTo("gemini", { reasoning }, null).generationConfig.thinkingConfig.thinkingBudget).toBe(24_576);
  });

  it("none is no thinking, and a budget is sent as it is", () => {
    expect(sentTo("anthropic", { reasoning: { effort: "none" } })).not.toHaveProperty("thinking");
    expect(sentTo("gemini", { reasoning: { effort: "none" } }).generationConfig.thinkingConfig).toEqual({
      thinkingBudget: 0,
    });
    expect(sentTo("cohere", { reasoning: { enabled: false } }).thinking).toEqual({ type: "disabled" });
    const reasoning = { max_tokens: 2_000 };
    expect(sentTo("anthropic", { reasoning }).thinking.budget_tokens).toBe(2_000);
    expect(sentTo("gemini", { reasoning }).generationConfig.thinkingConfig.thinkingBudget).toBe(2_000);
    expect(sentTo("cohere", { reasoning }).thinking).toEqual({ type: "enabled", token_budget: 2_000 });
  });

  it("Anthropic: thinking comes without temperature, and not where a tool must be called or the answer is short", () => {
    const reasoning = { effort: "high" };
    expect(sentTo("anthropic", { reasoning })).not.toHaveProperty("temperature");
    expect(sentTo("anthropic", { reasoning }, 500)).toMatchObject({ max_tokens: 500, temperature: 0.5 });
    expect(sentTo("anthropic", { reasoning }, 500)).not.toHaveProperty("thinking");
    const tools = [{ type: "function", function: { name: "f", parameters: {} } }];
    expect(sentTo("anthropic", { reasoning, tools, tool_choice: "required" })).not.toHaveProperty("thinking");
  });
});

describe("response_format at Anthropic", () => {
  it("is its output_config, and JSON without a schema is refused before anything is sent", () => {
    const schema = { type: "object", properties: {}, additionalProperties: false };
    const response_format = { type: "json_schema", json_schema: { name: "a", schema } };
    expect(sentTo("anthropic", { response_format }).output_config).toEqual({ format: { type: "json_schema", schema } });
    expect(sentTo("anthropic", { response_format: { type: "text" } })).not.toHaveProperty("output_config");
    expect(() => sentTo("anthropic", { response_format: { type: "json_object" } })).toThrow(CallFailed);
  });
});
