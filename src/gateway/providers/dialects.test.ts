import { describe, expect, it } from "vitest";
import type { ProviderKind, ProviderPreset } from "#contract/providers.ts";
import { runAtOnce } from "../turns.ts";
import { CallFailed } from "./call.ts";
import type { ChatCall, Upstream } from "./provider.ts";
import { adapters, toUpstream } from "./registry.ts";

function upstreamOf(kind: ProviderKind, { baseUrl, preset }: { baseUrl: string; preset: ProviderPreset }): Upstream {
  return toUpstream({ slug: "test", kind, preset, baseUrl, apiKey: "test-key", options: {} });
}

describe("how long a vendor says to wait", () => {
  const upstream = upstreamOf("openai-compatible", { baseUrl: "http://127.0.0.1:1/v1", preset: "custom" });
  const info = (retryDelay: string) => JSON.stringify({ error: { details: [{ retryDelay }] } });

  it.each([
    [{ "retry-after": "1e99" }, "", 86_400],
    [{ "retry-after": "9".repeat(400) }, "", 86_400],
    [{ "retry-after-ms": "1e300" }, "", 86_400],
    [{}, info(`${"9".repeat(400)}s`), 86_400],
    [{ "retry-after": "-1" }, "", null],
    [{ "retry-after": "Wed, 21 Oct 2015 07:28:00 GMT" }, "", null],
    [{ "retry-after-ms": "1500" }, "", 2],
  ])("%j %s: %s seconds", (headers, body, seconds) => {
    const answer = { status: 429, headers, body };
    expect(adapters["openai-compatible"]?.readFailure(upstream, answer).retryAfterSeconds).toBe(seconds);
  });
});

describe("answers that break the vendor's promise", () => {
  const embeddings = Object.values(adapters).flatMap(({ kind, embeddings }) =>
    embeddings ? [[kind, embeddings] as const] : [],
  );
  const chats = Object.values(adapters).flatMap(({ kind, chat }) => (chat ? [[kind, chat] as const] : []));
  const broken = ["", "<html>", "null", "[]", "{}", '{"data":[],"embeddings":[]}', '{"data":[{}],"embeddings":[{}]}'];

  it.each(embeddings)("%s: embeddings", (_, dialect) => {
    for (const body of broken)
      expect(() => dialect.readAnswer(body, 1)).toThrow(expect.objectContaining({ name: "BadAnswer" }));
  });

  it.each(chats)("%s: chat", (_, dialect) => {
    for (const body of ["", "<html>", "null", "[]", "{}"]) {
      expect(() => runAtOnce(dialect.readAnswer(body))).toThrow(expect.objectContaining({ name: "BadAnswer" }));
    }
  });

  const half = "x".repeat(8_388_609);
  it.each([
    ["anthropic", { content: [half, half].map((text) => ({ type: "text", text })) }],
    ["anthropic", { content: [half, half].map((thinking) => ({ type: "thinking", thinking })) }],
    ["cohere", { message: { content: [half, half].map((text) => ({ type: "text", text })) } }],
    ["gemini", { candidates: [{ content: { parts: [half, half].map((text) => ({ text })) } }] }],
    [
      "openai-compatible",
      { choices: [{ message: { content: [half, half].map((text) => ({ type: "text", text })) } }] },
    ],
  ])("%s: parts that are together longer than one text may be", (kind, parsed) => {
    const { chat } = Object.values(adapters).find((adapter) => adapter.kind === kind) ?? {};
    expect(() => runAtOnce(chat?.readAnswer({ parsed }) ?? expect.fail())).toThrow(
      /more than 16777216 characters of text/,
    );
  });

  it("counts as no usage when a count is negative, broken or a text", () => {
    const answer = (usage: unknown) => JSON.stringify({ data: [{ embedding: [1] }], usage });
    for (const usage of [undefined, null, {}, { prompt_tokens: -1 }, { prompt_tokens: 1.5 }, { prompt_tokens: "8" }]) {
      expect(adapters["openai-compatible"]?.embeddings?.readAnswer(answer(usage), 1).usage).toBeNull();
    }
  });
});

describe("what a dialect has no words for", () => {
  const upstream = (kind: ProviderKind) => upstreamOf(kind, { baseUrl: "https://vendor.example", preset: "custom" });
  const image = { type: "image_url", image_url: { url: "https://example.com/a.png" } } as const;

  it.each([
    ["cohere", { type: "tokens", tokens: [1] }],
    ["cohere", { type: "block", parts: [image] }],
    ["gemini", { type: "tokens", tokens: [1] }],
    ["gemini", { type: "block", parts: [image] }],
  ] as const)("%s: %j is refused before anything is sent, and may be served by another", (kind, item) => {
    const dialect = adapters[kind]?.embeddings;
    let thrown: unknown;
    try {
      dialect?.toRequest(upstream(kind), { model: "m", items: [item] }, "float");
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(CallFailed);
    expect((thrown as CallFailed).failure).toMatchObject({ reason: "invalid_request", retryable: true });
  });
});

describe("what can be told", () => {
  const told = (kind: ProviderKind, preset: ProviderPreset, operation: "chat" | "embeddings", parameter: string) =>
    adapters[kind]?.[operation]?.takes(upstreamOf(kind, { baseUrl: "https://vendor.example", preset }), parameter);

  it.each([
    ["openai-compatible", "custom", "embeddings", "anything", true],
    ["openai-compatible", "openai", "embeddings", "dimensions", true],
    ["openai-compatible", "openai", "embeddings", "input_type", false],
    ["openai-compatible", "together", "embeddings", "dimensions", false],
    ["openai-compatible", "mistral", "embeddings", "user", false],
    ["cohere", "cohere", "embeddings", "input_type", true],
    ["gemini", "gemini", "embeddings", "user", false],
    ["openai-compatible", "custom", "chat", "anything", true],
    ["openai-compatible", "openai", "chat", "top_k", false],
    ["anthropic", "anthropic", "chat", "top_k", true],
    ["anthropic", "anthropic", "chat", "seed", false],
    ["cohere", "cohere", "chat", "seed", true],
    ["gemini", "gemini", "chat", "logprobs", false],
  ] as const)("%s (%s), %s: %s is %s", (kind, preset, operation, parameter, taken) => {
    expect(told(kind, preset, operation, parameter)).toBe(taken);
  });
});

it("a tool's result that is nested too deep to be written as an object reaches Google as a text", () => {
  const content = '{"a":'.repeat(5_000) + "1" + "}".repeat(5_000);
  const asked = { id: "call_1", type: "function", function: { name: "weather", arguments: "{}" } };
  const body = {
    messages: [
      { role: "assistant", content: null, tool_calls: [asked] },
      { role: "tool", tool_call_id: "call_1", content },
    ],
  };
  const upstream = upstreamOf("gemini", { baseUrl: "https://vendor.example", preset: "gemini" });
  const call: ChatCall = { model: "m", body, stream: false, maxTokens: 10, maxOutputTokens: null };
  expect(JSON.parse(String(adapters.gemini?.chat?.toRequest(upstream, call).body))).toMatchObject({
    contents: [{}, { parts: [{ functionResponse: { name: "weather", response: { result: content } } }] }],
  });
});
