import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ProviderKind } from "#contract/providers.ts";
import { expectIssues } from "../../testing/expect-error.ts";
import { type FakeVendor, startFakeVendor } from "../../testing/fake-vendor.ts";
import { startGateway, type TestGateway } from "../../testing/gateway.ts";
import { makeKey, makeProvider } from "../../testing/factories.ts";

const functions = [
  { name: "weather", description: "Tells the weather", parameters: { type: "object", properties: {} } },
];
const messages: OpenAI.ChatCompletionMessageParam[] = [
  { role: "user", content: "How warm is it?" },
  { role: "assistant", content: null, function_call: { name: "weather", arguments: '{"city":"Oslo"}' } },
  { role: "function", name: "weather", content: '{"degrees":7}' },
];
const called = (id: string, name: string, args: string) => ({
  id,
  type: "function",
  function: { name, arguments: args },
});
const chunk = (delta: object, finish_reason: string | null = null) => ({
  id: "chat-1",
  object: "chat.completion.chunk",
  created: 1,
  model: "talk",
  choices: [{ index: 0, delta, finish_reason }],
});

/** What each vendor calls a function with, whole and as a stream. */
const answers = {
  "openai-compatible": {
    whole: {
      id: "chat-1",
      choices: [
        {
          index: 0,
          message: {
            role: "assistant",
            content: null,
            tool_calls: [called("a", "weather", '{"city":"Rome"}'), called("b", "weather", '{"city":"Bonn"}')],
          },
          finish_reason: "tool_calls",
        },
      ],
    },
    stream: [
      chunk({ role: "assistant", content: null, tool_calls: [{ index: 0, ...called("a", "weather", "") }] }),
      chunk({ tool_calls: [{ index: 0, function: { arguments: '{"city":' } }] }),
      chunk({ tool_calls: [{ index: 0, function: { arguments: '"Rome"}' } }] }),
      chunk({ tool_calls: [{ index: 1, ...called("b", "weather", '{"city":"Bonn"}') }] }),
      chunk({}, "tool_calls"),
    ],
  },
  anthropic: {
    whole: {
      content: [{ type: "tool_use", id: "a", name: "weather", input: { city: "Rome" } }],
      stop_reason: "tool_use",
      usage: { input_tokens: 9, output_tokens: 9 },
    },
    stream: [
      { type: "message_start", message: { id: "m", usage: { input_tokens: 9, output_tokens: 1 } } },
      {
        type: "content_block_start",
        index: 0,
        content_block: { type: "tool_use", id: "a", name: "weather", input: {} },
      },
      { type: "content_block_delta", index: 0, delta: { type: "input_json_delta", partial_json: '{"city":' } },
      { type: "content_block_delta", index: 0, delta: { type: "input_json_delta", partial_json: '"Rome"}' } },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 9 } },
      { type: "message_stop" },
    ],
  },
} satisfies Partial<Record<ProviderKind, { whole: object; stream: readonly object[] }>>;

describe("the older form of tools, as OpenAI's client reads it", () => {
  let gateway: TestGateway;
  let vendor: FakeVendor;
  let client: OpenAI;
  let key: string;
  beforeAll(async () => {
    [gateway, vendor] = await Promise.all([startGateway(), startFakeVendor()]);
    ({ key } = await makeKey(gateway, { limit: 10 }));
    client = new OpenAI({ apiKey: key, baseURL: `${gateway.url}/api/v1`, maxRetries: 0 });
    const places = {
      "openai-compatible": vendor.baseUrl,
      anthropic: `${vendor.url}/anthropic/v1`,
      gemini: `${vendor.url}/gemini/v1beta`,
      cohere: `${vendor.url}/cohere/v2`,
    };
    for (const [kind, base_url] of Object.entries(places)) {
      const pricing = { prompt: "0.000001", completion: "0.000001" };
      const models = [
        { id: `${kind}/talk`, upstream_id: "talk", type: "chat" as const, context_length: 9_000, pricing },
      ];
      await makeProvider(gateway, { slug: kind, kind: kind as ProviderKind, base_url, api_key: "k", models });
    }
  });
  afterAll(async () => {
    await gateway.close();
    await vendor.close();
  });
  const sent = async (model: string, more: object = {}) => {
    await client.chat.completions.create({ model, messages, functions, ...more });
    return vendor.requests.at(-1)?.body as Record<string, unknown>;
  };

  it("reaches every vendor in today's form", async () => {
    const tools = [{ type: "function", function: functions[0] }];
    const use = { id: "call_1", type: "function", function: { name: "weather", arguments: '{"city":"Oslo"}' } };
    const plain = await sent("openai-compatible/talk", { function_call: { name: "weather" } });
    expect(plain).toMatchObject({
      tools,
      tool_choice: { type: "function", function: { name: "weather" } },
      messages: [
        { role: "user" },
        { role: "assistant", tool_calls: [use] },
        { role: "tool", tool_call_id: "call_1", content: '{"degrees":7}' },
      ],
    });
    expect(JSON.stringify(plain)).not.toMatch(/functions|function_call/);
    expect(await sent("cohere/talk", { function_call: "none" })).toMatchObject({ tools, tool_choice: "NONE" });
    expect(await sent("anthropic/talk", { function_call: { name: "weather" } })).toMatchObject({
      tools: [{ name: "weather" }],
      tool_choice: { type: "tool", name: "weather" },
      messages: [
        { role: "user" },
        { role: "assistant", content: [{ type: "tool_use", id: "call_1", name: "weather", input: { city: "Oslo" } }] },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "call_1", content: '{"degrees":7}' }] },
      ],
    });
    expect(await sent("gemini/talk", { function_call: "auto" })).toMatchObject({
      tools: [{ functionDeclarations: [{ name: "weather" }] }],
      toolConfig: { functionCallingConfig: { mode: "AUTO" } },
      contents: [
        { role: "user" },
        { role: "model", parts: [{ functionCall: { name: "weather", args: { city: "Oslo" } } }] },
        { role: "user", parts: [{ functionResponse: { name: "weather", response: { degrees: 7 } } }] },
      ],
    });
  });

  it.each(Object.entries(answers))("%s: the answer has function_call, whole and streamed", async (kind, answer) => {
    const model = `${kind}/talk`;
    vendor.fail({ type: "body", body: JSON.stringify(answer.whole) }, 1);
    const { choices } = await client.chat.completions.create({ model, messages, functions });
    expect(choices[0]?.message.function_call).toEqual({ name: "weather", arguments: '{"city":"Rome"}' });
    expect(choices[0]?.message).not.toHaveProperty("tool_calls");
    expect(choices[0]?.finish_reason).toBe("function_call");

    const events = answer.stream.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
    vendor.fail({ type: "body", body: events, contentType: "text/event-stream" }, 1);
    // The client's own collector of a stream's chunks.
    const stream = client.chat.completions.stream({ model, messages, functions });
    const final = (await stream.finalChatCompletion()).choices[0];
    expect(final?.message.function_call).toEqual({ name: "weather", arguments: '{"city":"Rome"}' });
    expect(final?.message.tool_calls ?? []).toEqual([]);
    expect(final?.finish_reason).toBe("function_call");
  });

  it("who gives tools is answered with tool_calls, whatever else it gives", async () => {
    vendor.fail({ type: "body", body: JSON.stringify(answers["openai-compatible"].whole) }, 1);
    const tools = [{ type: "function" as const, function: { name: "time" } }];
    const model = "openai-compatible/talk";
    const { choices } = await client.chat.completions.create({ model, messages, tools, functions });
    expect(choices[0]?.message.tool_calls).toHaveLength(2);
    expect(choices[0]?.message).not.toHaveProperty("function_call");
    expect(choices[0]?.finish_reason).toBe("tool_calls");
    const body = vendor.requests.at(-1)?.body as { tools: { function: { name: string } }[] };
    expect(body.tools.map((tool) => tool.function.name)).toEqual(["time", "weather"]);
  });

  it("what is no function is refused with its place", async () => {
    const call = (body: object) =>
      gateway.call("POST", "/chat/completions", { key, body: { model: "anthropic/talk", messages, ...body } });
    expectIssues(await call({ functions: [] }), "functions");
    expectIssues(await call({ functions: [{}] }), "functions.0.name");
    expectIssues(await call({ functions, function_call: "always" }), "function_call");
    const endless = { role: "assistant", function_call: { name: "f", arguments: "[".repeat(1_048_577) } };
    expectIssues(await call({ messages: [endless] }), "messages.0.function_call");
  });
});
