import { describe, expect, it } from "vitest";
import type { ProviderKind, ProviderPreset } from "#contract/providers.ts";
import { runAtOnce } from "../turns.ts";
import { CallFailed } from "./call.ts";
import { adapters, toUpstream } from "./registry.ts";

type Kind = Extract<ProviderKind, "anthropic" | "cohere" | "gemini" | "openai-compatible">;

interface Written {
  readonly kind: ProviderKind;
  readonly preset?: ProviderPreset;
  readonly body: Record<string, unknown>;
  readonly maxTokens: number | null;
  readonly maxOutputTokens?: number;
}

/** The body of a vendor's request. */
function written({ kind, preset = "custom", body, maxTokens, maxOutputTokens }: Written) {
  const settings = { slug: "test", kind, preset, baseUrl: "https://vendor.example", apiKey: "k", options: {} };
  const call = { model: "m", body, stream: false, maxTokens, maxOutputTokens: maxOutputTokens ?? null };
  return JSON.parse(String(adapters[kind]?.chat?.toRequest(toUpstream(settings), call).body));
}
const sent = (kind: Kind, body: Record<string, unknown>) => written({ kind, body, maxTokens: 10 });
function sentTo(kind: ProviderKind, more: object, maxTokens: number | null = 10_000) {
  const body = { messages: [{ role: "user", content: "hi" }], temperature: 0.5, ...more };
  return written({ kind, body, maxTokens, maxOutputTokens: 64_000 });
}
const saying = (...content: object[]) => ({ messages: [{ role: "user", content }] });
const file = (file_data: string) => ({ type: "file", file: { filename: "a.pdf", file_data } });
const pdf = file("data:application/pdf;base64,AAAA");
const sound = { type: "input_audio", input_audio: { data: "AAAA", format: "wav" } };

describe("what a message holds besides text", () => {
  it.each<[string, Kind, object, object]>([
    [
      "a PDF",
      "anthropic",
      pdf,
      { type: "document", source: { type: "base64", media_type: "application/pdf", data: "AAAA" }, title: "a.pdf" },
    ],
    [
      "a PDF by its address",
      "anthropic",
      file("https://example.com/a.pdf"),
      { type: "document", source: { type: "url", url: "https://example.com/a.pdf" }, title: "a.pdf" },
    ],
    [
      "a text file",
      "anthropic",
      file(`data:text/csv;base64,${Buffer.from("a;ü").toString("base64")}`),
      { type: "document", source: { type: "text", media_type: "text/plain", data: "a;ü" }, title: "a.pdf" },
    ],
    [
      "an image as a file",
      "anthropic",
      file("data:image/png;base64,AAAA"),
      { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } },
    ],
  ])("%s is sent to %s", (_, kind, part, block) => {
    expect(sent(kind, saying(part)).messages[0].content).toEqual([block]);
  });

  it.each<[string, object, object]>([
    ["a PDF", pdf, { inlineData: { mimeType: "application/pdf", data: "AAAA" } }],
    ["a sound", sound, { inlineData: { mimeType: "audio/wav", data: "AAAA" } }],
  ])("%s is sent to gemini", (_, part, block) => {
    expect(sent("gemini", saying(part)).contents[0].parts).toEqual([block]);
  });

  it.each<Kind>(["openai-compatible", "gemini"])("is sent to %s with thousands of thoughts and calls", (kind) => {
    const many = (one: object) => Array.from({ length: 5_000 }, () => one);
    const tool_calls = many({ id: "a", type: "function", function: { name: "f", arguments: "{}" } });
    const reasoning_details = many({ type: "reasoning.encrypted", data: "s", id: "a", format: "google-gemini-v1" });
    const turn = { role: "assistant", content: null, tool_calls, reasoning_details };
    const { messages, contents } = sent(kind, { messages: [turn] });
    expect(contents?.[0].parts ?? messages[0].tool_calls).toHaveLength(5_000);
  });

  it("goes on as it is to servers of OpenAI's dialect", () => {
    expect(sent("openai-compatible", saying(pdf, sound))).toMatchObject(saying(pdf, sound));
  });

  it.each<[Kind, object, RegExp]>([
    ["anthropic", sound, /no words for a content part of type input_audio/],
    ["anthropic", { type: "file", file: { file_id: "file-1" } }, /by their content or their address/],
    ["gemini", { type: "file", file: { file_id: "file-1" } }, /by their content or their address/],
    ["gemini", { type: "hologram" }, /type hologram/],
    ["cohere", pdf, /no words for a content part of type file/],
    ["cohere", sound, /no words for a content part of type input_audio/],
  ])("%s: %j is refused in words, before anything is sent", (kind, part, words) => {
    let thrown: unknown;
    try {
      sent(kind, saying(part));
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(CallFailed);
    expect((thrown as CallFailed).failure).toMatchObject({ sent: false, retryable: true });
    expect((thrown as CallFailed).failure.message).toMatch(words);
  });
});

it.each([
  ["The gate is  \n", "The gate is"],
  [[{ type: "text", text: "The gate " }], "The gate"],
  [" ", null],
  [Array.from({ length: 8_000 }, () => ({ type: "text", text: " " })), null],
  [
    [
      { type: "text", text: "The gate " },
      { type: "text", text: " " },
    ],
    "The gate",
  ],
])("a prefill %.80j is sent to Anthropic without white space at its end", (content, text) => {
  const asked = { role: "user", content: "Go on " };
  const { messages } = sent("anthropic", { messages: [asked, { role: "assistant", content }] });
  expect(messages).toEqual([
    { role: "user", content: [{ type: "text", text: "Go on " }] },
    ...(text === null ? [] : [{ role: "assistant", content: [{ type: "text", text }] }]),
  ]);
});

describe("images in Gemini's answers", () => {
  const image = { inlineData: { mimeType: "image/png", data: "AAAA" }, thoughtSignature: "s" };
  const made = {
    type: "image_url",
    image_url: { url: "data:image/png;base64,AAAA" },
    extra_content: { google: { thought_signature: "s" } },
  };
  const draft = { inlineData: { mimeType: "image/png", data: "BBBB" }, thought: true };
  const answer = {
    candidates: [{ content: { role: "model", parts: [{ text: "Here:" }, draft, image] }, finishReason: "STOP" }],
    usageMetadata: {
      promptTokenCount: 3,
      candidatesTokenCount: 1_300,
      candidatesTokensDetails: [{ modality: "IMAGE", tokenCount: 1_290 }],
    },
  };
  const chat = adapters.gemini?.chat;
  const usage = { promptTokens: 3, completionTokens: 1_300, imageOutputTokens: 1_290 };

  it("are asked for by modalities and image_config", () => {
    const body = {
      ...saying(),
      modalities: ["image", "text"],
      image_config: { aspect_ratio: "16:9", image_size: "2K" },
    };
    expect(sent("gemini", body).generationConfig).toMatchObject({
      responseModalities: ["IMAGE", "TEXT"],
      imageConfig: { aspectRatio: "16:9", imageSize: "2K" },
    });
    expect(() => sent("gemini", { ...saying(), modalities: ["text", "audio"] })).toThrow(/not with audio/);
  });

  it("are the message's, and counted, but for drafts", () => {
    const read = chat && runAtOnce(chat.readAnswer(JSON.stringify(answer)));
    expect(read?.result.choices[0]).toMatchObject({ message: { content: "Here:", images: [made] } });
    expect(read?.usage).toEqual(usage);
    expect(read?.result["usage"]).toMatchObject({ completion_tokens_details: { image_tokens: 1_290 } });
  });

  it("come in a stream", () => {
    const events = chat?.reader().read({ event: "", data: JSON.stringify(answer) });
    expect(events).toMatchObject([
      { type: "chunk", chunk: { choices: [{ delta: { content: "Here:", images: [made] } }] } },
      { type: "usage", usage },
      { type: "done" },
    ]);
  });

  it("go back with their signature in the next request", () => {
    const messages = [{ role: "assistant", content: "Here:", images: [made] }];
    expect(sent("gemini", { messages }).contents[0].parts).toEqual([{ text: "Here:" }, image]);
  });
});

it("what is to be cached is marked at Anthropic as the caller marked it", () => {
  const cache_control = { type: "ephemeral", ttl: "1h" };
  const called = { name: "look", parameters: { type: "object" }, cache_control };
  const body = {
    ...saying({ type: "text", text: "a", cache_control }),
    tools: [{ type: "function", function: called }],
  };
  expect(sent("anthropic", { ...body, cache_control })).toMatchObject({
    cache_control,
    messages: [{ content: [{ type: "text", text: "a", cache_control }] }],
    tools: [{ name: "look", cache_control }],
  });
});

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
const publicBody = {
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

const sentToPreset = (preset: ProviderPreset, more: object = {}): Record<string, unknown> =>
  written({ kind: "openai-compatible", preset, body: { ...publicBody, ...more }, maxTokens: 50 });

describe("what vendors of the OpenAI dialect are sent of the public API's members", () => {
  it.each(["custom", "vllm", "together", "deepseek", "xai", "fireworks", "ollama"] as const)(
    "%s: none of those that speak to the gateway, all others",
    (preset) => {
      const sent = sentToPreset(preset);
      expect(Object.keys(sent).filter((name) => name in ours)).toEqual([]);
      expect(sent).toMatchObject({ temperature: 0.5, top_k: 3, surprise: 1, reasoning_effort: "high" });
      expect(sent).not.toHaveProperty("reasoning");
    },
  );

  it.each(["openai", "azure-openai", "mistral", "groq"] as const)("%s: what it knows and nothing else", (preset) => {
    const { messages, ...members } = sentToPreset(preset);
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
    expect(sentToPreset("openrouter")).toMatchObject({ ...ours, reasoning: { effort: "high" }, surprise: 1 });
  });

  it("vllm: structured_outputs of its own", () => {
    expect(sentToPreset("vllm", { structured_outputs: { regex: "a" } })).toMatchObject({
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
    expect(sentToPreset("openai", { reasoning })).toMatchObject({ reasoning_effort: effort });
  });
});

describe("thoughts that Anthropic signed", () => {
  const format = "anthropic-claude-v1";
  const thought = (text: string, index: number) => ({
    type: "reasoning.text",
    text,
    signature: `s${text}`,
    format,
    index,
  });

  it.each<[string, object[], string]>([
    ["after a text", [thought("1", 0), thought("2", 2)], "1 Hi 2 f"],
    ["before the text", [thought("1", 0), thought("2", 1)], "1 2 Hi f"],
    ["first, whatever its index", [thought("1", 1)], "1 Hi f"],
    ["hidden", [thought("1", 0), { type: "reasoning.encrypted", data: "x", format, index: 3 }], "1 Hi x f"],
    ["of other models", [{ ...thought("1", 0), format: "unknown" }, thought("2", 2)], "2 Hi f"],
  ])("go back where they were: %s", (_, reasoning_details, order) => {
    const tool_calls = [{ id: "c", type: "function", function: { name: "f", arguments: "{}" } }];
    const messages = [
      { role: "user", content: "hi" },
      { role: "assistant", content: "Hi", tool_calls, reasoning_details },
      { role: "tool", tool_call_id: "c", content: "1" },
    ];
    const content: Record<string, string>[] = sent("anthropic", { messages }).messages[1].content;
    expect(content.map(({ thinking, text, data, name }) => thinking ?? text ?? data ?? name).join(" ")).toBe(order);
  });
});
