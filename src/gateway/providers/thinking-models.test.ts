import { describe, expect, it } from "vitest";
import { chat as anthropic } from "./anthropic/chat.ts";
import { chat as compatible } from "./compatible/chat.ts";
import { onlySupported } from "./parameters.ts";
import { toUpstream } from "./registry.ts";

const base = { baseUrl: "http://127.0.0.1/v1", apiKey: null, config: {} };
const asked = (preset: "anthropic" | "openai", model: string, members: object) => {
  const kind = preset === "anthropic" ? "anthropic" : "openai-compatible";
  const upstream = toUpstream({ ...base, kind, preset } as unknown as Parameters<typeof toUpstream>[0]);
  const body = { messages: [{ role: "user", content: "Hi" }], ...members };
  const call = { model, body, stream: false, maxTokens: 10_000, maxOutputTokens: null };
  const dialect = preset === "anthropic" ? anthropic : compatible;
  return JSON.parse(dialect.toRequest(upstream, call).body as string) as Record<string, unknown>;
};
const high = { reasoning: { effort: "high" }, temperature: 0.5 };

describe("a thinking model of Anthropic's is asked as it takes it", () => {
  const budget = { type: "enabled", budget_tokens: 8_000 };
  const adaptive = { type: "adaptive" };
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
    ["claude-opus-5", { reasoning: { enabled: false } }, { thinking: { type: "disabled" } }],
    ["claude-opus-5-5", { reasoning: { effort: "none" } }, {}],
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

describe("a thinking model of OpenAI's", () => {
  it.each([
    ["o3", { temperature: 0.5 }, undefined],
    ["gpt-5", { temperature: 0.5 }, undefined],
    ["gpt-5-mini", { temperature: 0.5 }, undefined],
    ["gpt-5-chat-latest", { temperature: 0.5 }, 0.5],
    ["gpt-5.2", { temperature: 0.5 }, 0.5],
    ["gpt-5.2", { temperature: 0.5, reasoning_effort: "high" }, undefined],
    ["gpt-5.2", { temperature: 0.5, reasoning_effort: "none" }, 0.5],
    ["gpt-4.1", { temperature: 0.5 }, 0.5],
  ])("%s, %j: its temperature is %j", (model, members, expected) => {
    expect(asked("openai", model, members)["temperature"]).toBe(expected);
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
