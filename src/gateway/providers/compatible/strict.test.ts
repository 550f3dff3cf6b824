import { describe, expect, it } from "vitest";
import type { ProviderPreset } from "#contract/providers.ts";
import { adapters, toUpstream } from "../registry.ts";

const ours = {
  usage: { include: true },
  plugins: [{ id: "web" }],
  transforms: ["middle-out"],
  debug: { echo_upstream_body: true },
  cache_control: { type: "ephemeral" },
  image_config: {},
  stop_server_tools_when: [],
  include_reasoning: true,
  structured_outputs: true,
  preset: "p",
  route: "fallback",
  models: ["m"],
  provider: {},
  session_id: "s",
  trace: {},
};
const body = {
  messages: [
    { role: "user", content: [{ type: "text", text: "hi", cache_control: { type: "ephemeral" } }] },
    { role: "assistant", content: "Hi", reasoning: "hm", reasoning_details: [], images: [] },
  ],
  temperature: 0.5,
  max_tokens: 50,
  top_k: 3,
  reasoning: { effort: "high" },
  surprise: 1,
  ...ours,
};

function sentTo(preset: ProviderPreset, more: object = {}) {
  const upstream = toUpstream({
    slug: "v",
    kind: "openai-compatible",
    preset,
    baseUrl: "https://v.example",
    apiKey: "k",
    options: {},
  });
  const call = { model: "m", body: { ...body, ...more }, stream: false, maxTokens: 50, maxOutputTokens: null };
  return JSON.parse(adapters["openai-compatible"]?.chat?.toRequest(upstream, call).body ?? "") as Record<
    string,
    unknown
  >;
}

describe("what vendors of the OpenAI dialect are sent of the public API's members", () => {
  it.each(["custom", "vllm", "together", "deepseek", "xai", "fireworks", "ollama"] as const)(
    "%s: none of those that speak to the gateway, all others",
    (preset) => {
      const sent = sentTo(preset);
      expect(Object.keys(sent).filter((name) => name in ours)).toEqual([]);
      expect(sent).toMatchObject({ temperature: 0.5, top_k: 3, surprise: 1, reasoning_effort: "high" });
      expect(sent).not.toHaveProperty("reasoning");
    },
  );

  it.each(["openai", "azure-openai", "mistral", "groq"] as const)("%s: what it knows and nothing else", (preset) => {
    const { messages, ...members } = sentTo(preset);
    expect(Object.keys(members).toSorted()).toEqual([
      preset === "mistral" ? "max_tokens" : "max_completion_tokens",
      "model",
      "reasoning_effort",
      "stream",
      "temperature",
    ]);
    expect(messages).toEqual([
      { role: "user", content: [{ type: "text", text: "hi" }] },
      { role: "assistant", content: "Hi" },
    ]);
  });

  it("openrouter: all of them, as they are", () => {
    expect(sentTo("openrouter")).toMatchObject({ ...ours, reasoning: { effort: "high" }, surprise: 1 });
  });

  it("vllm: structured_outputs of its own", () => {
    expect(sentTo("vllm", { structured_outputs: { regex: "a" } })).toMatchObject({
      structured_outputs: { regex: "a" },
    });
  });

  it.each([
    [{ max_tokens: 45 }, "high"],
    [{ max_tokens: 20 }, "medium"],
    [{ max_tokens: 5 }, "low"],
    [{ enabled: true }, "medium"],
    [{ enabled: false }, "none"],
    [{ effort: "minimal" }, "minimal"],
  ])("reasoning %j is the effort %s", (reasoning, effort) => {
    expect(sentTo("openai", { reasoning })).toMatchObject({ reasoning_effort: effort });
  });
});
