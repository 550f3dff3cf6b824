import { describe, expect, it } from "vitest";
import { chat as anthropic } from "./anthropic/chat.ts";
import { chat as compatible } from "./compatible/chat.ts";
import { chat as gemini } from "./gemini/chat.ts";
import { onlySupported } from "./parameters.ts";
import type { ChatDialect } from "./provider.ts";
import { toUpstream } from "./registry.ts";

const hosts: Readonly<Record<string, string>> = {
  moonshot: "https://api.moonshot.ai/v1",
  zhipu: "https://api.z.ai/api/paas/v4",
};
const dialects: Readonly<Record<string, ChatDialect>> = { anthropic, gemini };

/** What a vendor of this preset, or at this host, is sent. */
function asked(vendor: string, model: string, members: object, supported: readonly string[] | null = null) {
  const dialect = dialects[vendor] ?? compatible;
  const kind = vendor in dialects ? vendor : "openai-compatible";
  const baseUrl = hosts[vendor] ?? "http://127.0.0.1/v1";
  const settings = { kind, preset: vendor in hosts ? "custom" : vendor, baseUrl, apiKey: null, options: {} };
  const upstream = toUpstream(settings as unknown as Parameters<typeof toUpstream>[0]);
  const body = { messages: [{ role: "user", content: "Hi" }], ...members };
  const call = { model, body, stream: false, maxTokens: 10_000, maxOutputTokens: null, supported };
  return JSON.parse(dialect.toRequest(upstream, call).body as string) as Record<string, unknown>;
}
const high = { reasoning: { effort: "high" }, temperature: 0.5 };
const effort = (word: string) => ({ reasoning: { effort: word } });

describe("a thinking model of Anthropic's is asked as it takes it", () => {
  const budget = { type: "enabled", budget_tokens: 8_000 };
  const adaptive = { type: "adaptive", display: "summarized" };
  const disabled = { type: "disabled" };
  it.each([
    ["claude-3-7-sonnet-20250219", high, { thinking: budget }],
    ["claude-sonnet-4-20250514", high, { thinking: budget }],
    ["claude-opus-4-1-20250805", high, { thinking: budget }],
    ["claude-opus-4-5-20251101", high, { thinking: budget }],
    ["claude-haiku-4-5", high, { thinking: budget }],
    ["claude-opus-4-6", high, { thinking: adaptive, output_config: { effort: "high" } }],
    [
      "claude-sonnet-4-6",
      { reasoning: { effort: "xhigh" } },
      { thinking: adaptive, output_config: { effort: "high" } },
    ],
    ["claude-opus-4-7", high, { thinking: adaptive, output_config: { effort: "high" } }],
    ["claude-opus-4-7", { reasoning: { max_tokens: 2_000 } }, { thinking: adaptive, output_config: { effort: "low" } }],
    ["claude-opus-4-8", { reasoning_effort: "xhigh" }, { thinking: adaptive, output_config: { effort: "xhigh" } }],
    ["claude-sonnet-5", { reasoning_effort: "minimal" }, { thinking: adaptive, output_config: { effort: "low" } }],
    ["claude-opus-5", { reasoning: { enabled: false } }, { thinking: disabled }],
    [
      "claude-opus-5",
      { ...effort("none"), verbosity: "max" },
      { thinking: disabled, output_config: { effort: "high" } },
    ],
    ["claude-haiku-5-5", effort("none"), { thinking: disabled }],
    ["claude-sonnet-5-5", effort("none"), { thinking: { type: "between_tools" } }],
    ["claude-opus-5-5", effort("none"), { output_config: { effort: "low" } }],
    ["claude-mythos-preview", effort("none"), { output_config: { effort: "low" } }],
    ["claude-opus-4-8", effort("none"), {}],
    ["claude-fable-5-1", high, { thinking: adaptive, output_config: { effort: "high" } }],
    ["claude-opus-4-7", { verbosity: "low" }, { output_config: { effort: "low" } }],
    ["claude-opus-4-7", { temperature: 0.5, top_p: 0.9, top_k: 3 }, {}],
    ["claude-sonnet-4-6", { temperature: 0.5 }, { temperature: 0.5 }],
  ])("%s, %j", (model, members, expected) => {
    const { thinking, output_config, temperature, top_p, top_k } = asked("anthropic", model, members);
    expect({ thinking, output_config, temperature, top_p, top_k }).toEqual({
      thinking: undefined,
      output_config: undefined,
      temperature: undefined,
      ...expected,
    });
  });

  it("on in a loop of tools only with its thoughts so far, unless it thinks adaptively", () => {
    const called = {
      role: "assistant",
      content: null,
      tool_calls: [{ id: "a", type: "function", function: { name: "f" } }],
    };
    const reasoning_details = [{ type: "reasoning.text", text: "hm", signature: "s", format: "anthropic-claude-v1" }];
    const thinking = (model: string, ...turns: object[]) =>
      asked("anthropic", model, { ...high, messages: [{ role: "user", content: "Hi" }, ...turns] })["thinking"];
    const result = { role: "tool", tool_call_id: "a", content: "1" };
    expect(thinking("claude-sonnet-4-5", { ...called, reasoning_details }, result)).toEqual(budget);
    expect(thinking("claude-sonnet-4-5", called, result)).toBeUndefined();
    expect(thinking("claude-sonnet-4-5", called, result, { role: "user", content: "And?" })).toBeUndefined();
    expect(
      thinking("claude-sonnet-4-5", { role: "assistant", content: "Hi" }, { role: "user", content: "And?" }),
    ).toEqual(budget);
    expect(thinking("claude-opus-4-7", called, result)).toEqual(adaptive);
  });

  it("with a strict tool", () => {
    const tools = [{ type: "function", function: { name: "f", strict: true, parameters: { type: "object" } } }];
    expect(asked("anthropic", "claude-opus-4-7", { tools })["tools"]).toMatchObject([{ name: "f", strict: true }]);
  });
});

describe("a thinking model of another vendor's is asked as it takes it", () => {
  const tools = [{ type: "function", function: { name: "f", parameters: { type: "object" } } }];
  const enabled = { type: "enabled" };
  const disabled = { type: "disabled" };
  it.each<[string, string, object, object]>([
    ["openai", "o3", { temperature: 0.5, ...effort("xhigh") }, { reasoning_effort: "high" }],
    ["openai", "o4-mini", effort("none"), { reasoning_effort: "low" }],
    ["openai", "gpt-5", { temperature: 0.5 }, {}],
    ["openai", "gpt-5-mini", effort("none"), { reasoning_effort: "minimal" }],
    ["openai", "gpt-5-chat-latest", { temperature: 0.5 }, {}],
    ["openai", "gpt-5.1", effort("minimal"), { reasoning_effort: "low" }],
    ["openai", "gpt-5.2", { temperature: 0.5 }, { temperature: 0.5 }],
    ["openai", "gpt-5.2", { temperature: 0.5, reasoning_effort: "max" }, { reasoning_effort: "xhigh" }],
    ["openai", "gpt-5.2", { temperature: 0.5, ...effort("none") }, { temperature: 0.5, reasoning_effort: "none" }],
    ["openai", "gpt-5.3-codex", effort("none"), { reasoning_effort: "low" }],
    ["openai", "gpt-5.6-luna", { temperature: 0.5 }, {}],
    ["openai", "gpt-5.6-luna", { temperature: 0.5, tools }, { temperature: 0.5, reasoning_effort: "none", tools }],
    ["openai", "gpt-5.6-luna", { ...effort("max"), tools }, { reasoning_effort: "max", tools }],
    ["openai", "gpt-6-sol", { tools }, { reasoning_effort: "none", tools }],
    ["openai", "gpt-6-astra", { temperature: 0.5, ...effort("none") }, { reasoning_effort: "low" }],
    ["openai", "gpt-6.1-sol", { tools }, { tools }],
    ["openai", "gpt-4.1", high, { temperature: 0.5 }],
    ["openai", "ft:gpt-4.1:acme", effort("high"), { reasoning_effort: "high" }],
    ["azure-openai", "gpt-5", { temperature: 0.5 }, {}],
    ["xai", "grok-4.20-0309-reasoning", { ...effort("high"), stop: ["x"] }, {}],
    ["xai", "grok-4-1-fast-non-reasoning", { ...effort("high"), stop: ["x"] }, { stop: ["x"] }],
    ["xai", "grok-3-mini", effort("medium"), { reasoning_effort: "high" }],
    ["xai", "grok-4.3", { ...effort("none"), stop: ["x"] }, { reasoning_effort: "none", stop: ["x"] }],
    ["xai", "grok-4.5", { ...effort("none"), presence_penalty: 1 }, { reasoning_effort: "low" }],
    ["xai", "grok-4.7", effort("max"), { reasoning_effort: "xhigh" }],
    ["deepseek", "deepseek-v4-pro", effort("none"), { thinking: disabled }],
    ["deepseek", "deepseek-v4-flash", effort("medium"), { thinking: enabled, reasoning_effort: "high" }],
    [
      "deepseek",
      "deepseek-v4-flash",
      { ...effort("low"), thinking: disabled },
      { thinking: disabled, reasoning_effort: "low" },
    ],
    ["mistral", "mistral-small-latest", effort("low"), { reasoning_effort: "high" }],
    ["mistral", "mistral-medium-3-5", effort("none"), { reasoning_effort: "none" }],
    ["mistral", "codestral-latest", high, { temperature: 0.5 }],
    ["mistral", "zai-glm-5-3", effort("none"), { reasoning_effort: "low" }],
    ["groq", "openai/gpt-oss-120b", effort("none"), { reasoning_effort: "low" }],
    ["groq", "qwen/qwen3-32b", effort("low"), { reasoning_effort: "default" }],
    ["moonshot", "kimi-k2.6", { ...effort("none"), temperature: 0.5 }, { thinking: disabled }],
    ["moonshot", "kimi-k3.1-pro", high, { reasoning_effort: "high" }],
    ["moonshot", "moonshot-v1-8k", high, { temperature: 0.5 }],
    ["zhipu", "glm-4.7", effort("high"), { thinking: enabled }],
    ["zhipu", "glm-5.3", effort("none"), { reasoning_effort: "low" }],
    ["custom", "any", { ...high, ...effort("xhigh") }, { reasoning_effort: "xhigh", temperature: 0.5 }],
  ])("%s, %s, %j", (vendor, model, members, expected) => {
    const {
      messages: _,
      model: __,
      stream: ___,
      max_tokens,
      max_completion_tokens,
      ...sent
    } = asked(vendor, model, members);
    expect(max_tokens ?? max_completion_tokens).toBe(10_000);
    expect(sent).toEqual(expected);
  });

  const shown = { includeThoughts: true };
  it.each<[string, object, object | undefined]>([
    ["gemini-2.5-pro", effort("none"), { thinkingBudget: 128 }],
    ["gemini-2.5-pro", { reasoning: { max_tokens: 100_000 } }, { thinkingBudget: 32_768, ...shown }],
    ["gemini-2.5-flash", effort("none"), { thinkingBudget: 0 }],
    ["gemini-2.5-flash", effort("medium"), { thinkingBudget: 5_000, ...shown }],
    ["gemini-2.5-flash-lite", { reasoning: { max_tokens: 100 } }, { thinkingBudget: 512, ...shown }],
    ["gemini-2.5-flash-image", effort("high"), undefined],
    ["gemini-2.0-flash", effort("high"), undefined],
    ["gemini-3-pro-preview", effort("medium"), { thinkingLevel: "high", ...shown }],
    ["gemini-3-flash-preview", effort("none"), { thinkingLevel: "minimal" }],
    ["gemini-3.1-pro-preview", effort("minimal"), { thinkingLevel: "low", ...shown }],
    ["gemini-3.6-flash", effort("minimal"), { thinkingLevel: "minimal", ...shown }],
    ["gemini-3.8-flash", effort("minimal"), { thinkingLevel: "low", ...shown }],
    ["gemini-3.8-flash", { reasoning: { max_tokens: 2_000 } }, { thinkingBudget: 2_000, ...shown }],
    ["gemini-4-argon", { reasoning: { max_tokens: 9_000 } }, { thinkingLevel: "high", ...shown }],
    ["gemini-4-hydrogen", effort("max"), { thinkingLevel: "xhigh", ...shown }],
    ["gemini-flash-latest", effort("none"), { thinkingLevel: "low" }],
  ])("gemini, %s, %j", (model, members, expected) => {
    expect((asked("gemini", model, members)["generationConfig"] as Record<string, unknown>)["thinkingConfig"]).toEqual(
      expected,
    );
  });

  it("takes what the operator's record of it lists, whatever the table says, but for what it never takes while it thinks", () => {
    expect(asked("openai", "gpt-5", high, ["temperature"])).toMatchObject({ temperature: 0.5 });
    expect(asked("openai", "gpt-4.1", high, ["reasoning_effort"])).toMatchObject({ reasoning_effort: "high" });
    expect(asked("openai", "gpt-5.2", high, ["temperature"])).not.toHaveProperty("temperature");
    expect(asked("anthropic", "claude-opus-4-7", { temperature: 0.5 }, ["temperature"])).toHaveProperty("temperature");
    expect(asked("anthropic", "claude-opus-4-7", high, ["temperature"])).not.toHaveProperty("temperature");
  });
});

describe("what a model's record does not list", () => {
  it("is left out, but for what changes what the call means", () => {
    const body = { temperature: 1, top_p: 1, reasoning: {}, tools: [], max_tokens: 1, messages: [], unknown: 1 };
    expect(onlySupported(body, ["top_p"])).toEqual({ top_p: 1, tools: [], max_tokens: 1, messages: [], unknown: 1 });
    expect(onlySupported(body, ["reasoning_effort"])).toHaveProperty("reasoning");
    expect(onlySupported(body, null)).toBe(body);
  });
});
