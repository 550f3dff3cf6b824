import { describe, expect, it } from "vitest";
import type { ProviderKind } from "#contract/providers.ts";
import { runAtOnce } from "../turns.ts";
import { CallFailed } from "./call.ts";
import type { ChatCall } from "./provider.ts";
import { adapters, toUpstream } from "./registry.ts";

type Kind = Extract<ProviderKind, "anthropic" | "cohere" | "gemini" | "openai-compatible">;

/** The body of a vendor's request. */
function sent(kind: Kind, body: Record<string, unknown>) {
  const baseUrl = "https://vendor.example";
  const upstream = toUpstream({ slug: "test", kind, preset: "custom", baseUrl, apiKey: "k", options: {} });
  const call: ChatCall = { model: "m", body, stream: false, maxTokens: 10, maxOutputTokens: null };
  return JSON.parse(String(adapters[kind]?.chat?.toRequest(upstream, call).body));
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

  it("goes on as it is to servers of OpenAI's dialect", () => {
    expect(sent("openai-compatible", saying(pdf, sound))).toMatchObject(saying(pdf, sound));
  });

  it.each<[Kind, object, RegExp]>([
    ["anthropic", sound, /no words for a content part of type input_audio/],
    ["anthropic", { type: "file", file: { file_id: "file-1" } }, /by their content or their address/],
    ["gemini", { type: "video_url", video_url: { url: "https://example.com/a.mp4" } }, /type video_url/],
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
    expect(() => sent("gemini", { ...saying(), modalities: ["text", "audio"] })).toThrow(/not with sound/);
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
