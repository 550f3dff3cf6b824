import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import type { ProviderKind } from "#contract/providers.ts";
import { callChunk, chunk, wholeChat } from "../../testing/chat-answers.ts";
import { exchange } from "../../testing/exchange.ts";
import { json, type ScriptedAnswer } from "../../testing/scripted-vendor.ts";
import { chatForm } from "./chat-form.ts";

const functions = [
  { name: "weather", description: "Tells the weather", parameters: { type: "object", properties: {} } },
];
const messages: OpenAI.ChatCompletionMessageParam[] = [
  { role: "user", content: "How warm is it?" },
  { role: "assistant", content: null, function_call: { name: "weather", arguments: '{"city":"Oslo"}' } },
  { role: "function", name: "weather", content: '{"degrees":7}' },
];
const called = (id: string, args: string) => ({ id, type: "function", function: { name: "weather", arguments: args } });
const event = (data: object) => `data: ${JSON.stringify(data)}\n\n`;
const delta = (partial_json: string) =>
  event({ type: "content_block_delta", index: 0, delta: { type: "input_json_delta", partial_json } });
const use = { type: "tool_use", id: "a", name: "weather" };

/** What each vendor calls a function with, whole and as a stream. */
const answers = {
  "openai-compatible": {
    whole: wholeChat(
      { content: null, tool_calls: [called("a", '{"city":"Rome"}'), called("b", '{"city":"Bonn"}')] },
      "tool_calls",
    ),
    stream: [
      chunk({ role: "assistant", content: null, tool_calls: [{ index: 0, ...called("a", "") }] }),
      callChunk(0, { function: { arguments: '{"city":' } }),
      callChunk(0, { function: { arguments: '"Rome"}' } }),
      callChunk(1, called("b", '{"city":"Bonn"}')),
      chunk({}, "tool_calls"),
    ],
  },
  anthropic: {
    whole: json({
      content: [{ ...use, input: { city: "Rome" } }],
      stop_reason: "tool_use",
      usage: { input_tokens: 9, output_tokens: 9 },
    }),
    stream: [
      event({ type: "message_start", message: { id: "m", usage: { input_tokens: 9, output_tokens: 1 } } }),
      event({ type: "content_block_start", index: 0, content_block: { ...use, input: {} } }),
      delta('{"city":'),
      delta('"Rome"}'),
      event({ type: "content_block_stop", index: 0 }),
      event({ type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 9 } }),
      event({ type: "message_stop" }),
    ],
  },
} satisfies Partial<Record<ProviderKind, { whole: ScriptedAnswer; stream: readonly string[] }>>;

/** OpenAI's client, which the gateway's own code answers. @param sent takes what the vendor was sent */
const clientOf = (kind: ProviderKind, answer: ScriptedAnswer, sent: string[] = []) =>
  new OpenAI({
    apiKey: "key",
    baseURL: "http://gateway.example/api/v1",
    maxRetries: 0,
    async fetch(_, init) {
      const made = await exchange(chatForm, String(init?.body), answer, { kind });
      sent.push(...made.sent.map(({ body }) => body));
      return new Response(made.text, { status: made.status, headers: made.headers });
    },
  });
const model = "acme/talk";

describe("the older form of tools, as OpenAI's client reads it", () => {
  const tools = [{ type: "function", function: functions[0] }];
  const oslo = { type: "tool_use", id: "call_1", name: "weather", input: { city: "Oslo" } };
  it.each<[ProviderKind, object, object]>([
    [
      "openai-compatible",
      { function_call: { name: "weather" } },
      {
        tools,
        tool_choice: { type: "function", function: { name: "weather" } },
        messages: [
          { role: "user" },
          { role: "assistant", tool_calls: [called("call_1", '{"city":"Oslo"}')] },
          { role: "tool", tool_call_id: "call_1", content: '{"degrees":7}' },
        ],
      },
    ],
    ["cohere", { function_call: "none" }, { tools, tool_choice: "NONE" }],
    [
      "anthropic",
      { function_call: { name: "weather" } },
      {
        tools: [{ name: "weather" }],
        tool_choice: { type: "tool", name: "weather" },
        messages: [
          { role: "user" },
          { role: "assistant", content: [oslo] },
          { role: "user", content: [{ type: "tool_result", tool_use_id: "call_1", content: '{"degrees":7}' }] },
        ],
      },
    ],
    [
      "gemini",
      { function_call: "auto" },
      {
        tools: [{ functionDeclarations: [{ name: "weather" }] }],
        toolConfig: { functionCallingConfig: { mode: "AUTO" } },
        contents: [
          { role: "user" },
          { role: "model", parts: [{ functionCall: { name: "weather", args: { city: "Oslo" } } }] },
          { role: "user", parts: [{ functionResponse: { name: "weather", response: { degrees: 7 } } }] },
        ],
      },
    ],
  ])("reaches %s in today's form", async (kind, more, expected) => {
    const { sent } = await exchange(chatForm, { model, messages, functions, ...more }, json({}), { kind });
    expect(JSON.parse(sent[0]?.body ?? "")).toMatchObject(expected);
    expect(sent[0]?.body).not.toMatch(/"functions"|"function_call"/);
  });

  it.each(Object.entries(answers))("%s: the answer has function_call, whole and streamed", async (name, answer) => {
    const kind = name as ProviderKind;
    const { choices } = await clientOf(kind, answer.whole).chat.completions.create({ model, messages, functions });
    expect(choices[0]?.message.function_call).toEqual({ name: "weather", arguments: '{"city":"Rome"}' });
    expect(choices[0]?.message).not.toHaveProperty("tool_calls");
    expect(choices[0]?.finish_reason).toBe("function_call");
    const streamed = { headers: { "content-type": "text/event-stream" }, pieces: answer.stream };
    // The client's own collector of a stream's chunks.
    const stream = clientOf(kind, streamed).chat.completions.stream({ model, messages, functions });
    const final = (await stream.finalChatCompletion()).choices[0];
    expect(final?.message.function_call).toEqual({ name: "weather", arguments: '{"city":"Rome"}' });
    expect(final?.message.tool_calls ?? []).toEqual([]);
    expect(final?.finish_reason).toBe("function_call");
  });

  it("who gives tools is answered with tool_calls, whatever else it gives", async () => {
    const sent: string[] = [];
    const time = [{ type: "function" as const, function: { name: "time" } }];
    const client = clientOf("openai-compatible", answers["openai-compatible"].whole, sent);
    const { choices } = await client.chat.completions.create({ model, messages, tools: time, functions });
    expect(choices[0]?.message.tool_calls).toHaveLength(2);
    expect(choices[0]?.message).not.toHaveProperty("function_call");
    expect(choices[0]?.finish_reason).toBe("tool_calls");
    const body = JSON.parse(sent[0] ?? "") as { tools: { function: { name: string } }[] };
    expect(body.tools.map((tool) => tool.function.name)).toEqual(["time", "weather"]);
  });
});
