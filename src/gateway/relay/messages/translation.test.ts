import { describe, expect, it } from "vitest";
import { chunk, inPieces, streamedChat, streamWithAll, wholeChat } from "../../testing/chat-answers.ts";
import { exchange, type ExchangePartner } from "../../testing/exchange.ts";
import type { ScriptedAnswer } from "../../testing/scripted-vendor.ts";
import { messagesForm } from "./messages-form.ts";

const schema = { properties: { place: { type: "string" } } };
const tools = [{ name: "get_weather", description: "The weather", input_schema: schema }];
const image = { type: "base64", media_type: "image/png", data: "AAAA" };
const map = { type: "url", url: "https://93.184.216.34/map.png" };
const cached = { cache_control: { type: "ephemeral" } };

/** A request with everything that has a place in the chat form. */
const request = {
  model: "acme/talk",
  max_tokens: 900,
  system: [
    { type: "text", text: "Be brief.", ...cached },
    { type: "text", text: "Be kind." },
  ],
  messages: [
    { role: "user", content: "What is the weather in Paris?" },
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "I need the tool", signature: "c2ln" },
        { type: "thinking", thinking: "another model's", signature: "" },
        { type: "redacted_thinking", data: "ZGF0YQ==" },
        { type: "text", text: "Let me look." },
        { type: "tool_use", id: "toolu_1", name: "get_weather", input: { place: "Paris" } },
        { type: "tool_use", id: "toolu_2", name: "get_weather", input: {} },
        { type: "server_tool_use", id: "srv_1", name: "web_search", input: { query: "q" } },
        { type: "web_search_tool_result", tool_use_id: "srv_1", content: [] },
      ],
    },
    {
      role: "user",
      content: [
        { type: "text", text: "And here is a map.", ...cached },
        { type: "tool_result", tool_use_id: "toolu_1", content: "sunny" },
        {
          type: "tool_result",
          tool_use_id: "toolu_2",
          is_error: true,
          content: [
            { type: "text", text: "no such place" },
            { type: "image", source: image },
          ],
        },
        { type: "image", source: map },
        { type: "document", title: "a.pdf", source: { type: "base64", media_type: "application/pdf", data: "JVBE" } },
        { type: "document", title: "Notes", source: { type: "text", media_type: "text/plain", data: "It rains." } },
        { type: "search_result", source: "https://a.example", title: "A", content: [{ type: "text", text: "found" }] },
      ],
    },
    { role: "system", content: "Now answer." },
  ],
  tools,
  tool_choice: { type: "tool", name: "get_weather", disable_parallel_tool_use: true },
  stop_sequences: ["a", "b", "c", "d", "e"],
  temperature: 0.5,
  top_p: 0.9,
  top_k: 5,
  thinking: { type: "enabled", budget_tokens: 1_024 },
  output_config: { effort: "high", format: { type: "json_schema", schema: { type: "object" } } },
  metadata: { user_id: "u-1" },
  ...cached,
};
const called = (id: string, args: string) => ({
  id,
  type: "function",
  function: { name: "get_weather", arguments: args },
});
const claudes = (index: number, members: object) => ({ ...members, format: "anthropic-claude-v1", index });

/** The same in the chat form. */
const asChat = {
  model: "upstream-talk",
  stream: false,
  max_tokens: 900,
  temperature: 0.5,
  top_p: 0.9,
  top_k: 5,
  stop: ["a", "b", "c", "d"],
  reasoning_effort: "high",
  response_format: { type: "json_schema", json_schema: { name: "answer", strict: true, schema: { type: "object" } } },
  tools: [
    {
      type: "function",
      function: { name: "get_weather", description: "The weather", parameters: { type: "object", ...schema } },
    },
  ],
  tool_choice: { type: "function", function: { name: "get_weather" } },
  parallel_tool_calls: false,
  messages: [
    { role: "system", content: "Be brief.\n\nBe kind." },
    { role: "user", content: "What is the weather in Paris?" },
    {
      role: "assistant",
      content: "Let me look.",
      tool_calls: [called("toolu_1", '{"place":"Paris"}'), called("toolu_2", "{}")],
      reasoning_details: [
        claudes(0, { type: "reasoning.text", text: "I need the tool", signature: "c2ln" }),
        claudes(2, { type: "reasoning.encrypted", data: "ZGF0YQ==" }),
      ],
    },
    { role: "tool", tool_call_id: "toolu_1", content: "sunny" },
    { role: "tool", tool_call_id: "toolu_2", content: "Error: no such place" },
    {
      role: "user",
      content: [
        { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
        { type: "text", text: "And here is a map." },
        { type: "image_url", image_url: { url: map.url } },
        { type: "file", file: { filename: "a.pdf", file_data: "data:application/pdf;base64,JVBE" } },
        { type: "text", text: "Notes\n\nIt rains." },
        { type: "text", text: "A\nhttps://a.example\n\nfound" },
      ],
    },
    { role: "system", content: "Now answer." },
  ],
};

const plain = { model: "acme/talk", max_tokens: 900, messages: [{ role: "user", content: "Say hello. ".repeat(40) }] };
const hello = wholeChat({ content: "Hello" });
const ask = async (body: object, answer: ScriptedAnswer = hello, partner: ExchangePartner = {}) =>
  await exchange(messagesForm, body, answer, partner);
const sentFor = async (more: object) => JSON.parse((await ask({ ...plain, ...more })).sent[0]?.body ?? "");
const stream = async (answer: ScriptedAnswer, partner: ExchangePartner = {}) =>
  await ask({ ...plain, tools, stream: true }, answer, partner);

/** The events of a stream, their names checked against their data. */
function eventsOf(text: string): Record<string, unknown>[] {
  const frames = text.split("\n\n").filter((frame) => frame !== "" && !frame.startsWith(":"));
  return frames.map((frame) => {
    const [, name, data] = /^event: (\S+)\ndata: (.*)$/.exec(frame) ?? [];
    const event = JSON.parse(data ?? "") as Record<string, unknown>;
    expect(event["type"]).toBe(name);
    return event;
  });
}

describe("a request of messages in the chat form", () => {
  it("has all that has a place there", async () => {
    const { sent } = await ask(request);
    expect(sent).toMatchObject([{ path: "/v1/chat/completions", headers: { authorization: /^Bearer / } }]);
    expect(JSON.parse(sent[0]?.body ?? "")).toEqual(asChat);
  });

  it.each([
    [{ type: "auto" }, { tool_choice: "auto" }],
    [{ type: "any" }, { tool_choice: "required" }],
    [{ type: "none" }, { tool_choice: "none" }],
    [
      { type: "auto", disable_parallel_tool_use: true },
      { tool_choice: "auto", parallel_tool_calls: false },
    ],
    [undefined, {}],
    [{ type: "constructor" }, {}],
    [{ type: "__proto__" }, {}],
  ])("tool_choice %j becomes %j", async (choice, expected) => {
    const { tool_choice, parallel_tool_calls } = await sentFor({ tools, tool_choice: choice });
    expect({ tool_choice, parallel_tool_calls }).toEqual({ ...expected });
  });

  it.each([
    [{ thinking: { type: "disabled" } }, undefined],
    [{ thinking: { type: "adaptive" }, output_config: { effort: "low" } }, "low"],
    [{ thinking: { type: "adaptive" } }, "medium"],
    [{ output_config: { effort: "max" } }, "max"],
    [{}, undefined],
  ])("%j thinks with the effort %s", async (asked, effort) => {
    expect((await sentFor(asked)).reasoning_effort).toBe(effort);
  });

  const long = { type: "tool_use", id: "t", name: "n", input: { a: "x".repeat(2_000_000) } };
  it.each([
    ["tools that only its own provider runs", { tools: [{ type: "web_search_20250305", name: "web_search" }] }],
    ["blocks that nobody knows", { messages: [{ role: "user", content: [{ type: "hologram" }] }] }],
    ["2 MB of tool calls", { messages: [{ role: "assistant", content: [long] }] }],
  ])("400: %s have no place there, and nothing is sent", async (_, more) => {
    const { status, refusal, sent } = await ask({ ...plain, ...more });
    expect([status, refusal?.type, sent]).toEqual([400, "invalid_request", []]);
    expect(refusal?.message).toMatch(/cannot take this request: it does not speak the dialect of messages/);
  });

  it("is sent to a server that turns out not to have this dialect", async () => {
    const local = { preset: "vllm", baseUrl: "http://127.0.0.1:8000/v1" } as const;
    const lacking = { status: 404, pieces: ["{}"] };
    const { json, sent } = await exchange(
      messagesForm,
      plain,
      ({ path }) => (path.endsWith("/messages") ? lacking : hello),
      local,
    );
    expect(json.content).toEqual([{ type: "text", text: "Hello", citations: null }]);
    expect(sent.map(({ path }) => path)).toEqual(["/v1/messages", "/v1/chat/completions"]);
  });
});

describe("a chat's whole answer in the dialect of messages", () => {
  it("has thinking, text, tools and disjoint usage, and what it cost", async () => {
    const usage = {
      prompt_tokens_details: { cached_tokens: 40, cache_write_tokens: 10 },
      completion_tokens_details: { reasoning_tokens: 7 },
    };
    const tool_calls = [called("call_1", '{"place":"Paris"}'), called("call_2", "{place")];
    const answer = wholeChat({ content: "Hello", reasoning: "Hm", tool_calls }, "tool_calls", usage);
    const { json, headers, entry } = await ask({ ...plain, tools }, answer);
    const id = headers["x-generation-id"] ?? "";
    expect(json).toEqual({
      id: `msg_${id.slice(4)}`,
      type: "message",
      role: "assistant",
      model: "acme/talk",
      content: [
        { type: "thinking", thinking: "Hm", signature: "" },
        { type: "text", text: "Hello", citations: null },
        { type: "tool_use", id: "call_1", name: "get_weather", input: { place: "Paris" } },
        { type: "tool_use", id: "call_2", name: "get_weather", input: { arguments: "{place" } },
      ],
      stop_reason: "tool_use",
      stop_sequence: null,
      stop_details: null,
      container: null,
      provider: "Acme",
      usage: {
        input_tokens: 50,
        cache_creation_input_tokens: 10,
        cache_read_input_tokens: 40,
        cache_creation: { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 0 },
        output_tokens: 30,
        output_tokens_details: { thinking_tokens: 7 },
        server_tool_use: null,
        service_tier: null,
        inference_geo: null,
        cost: 0.00016,
        is_byok: false,
      },
    });
    expect(headers["request-id"]).toBe("req_1");
    expect(entry).toMatchObject({ id, apiType: "messages", promptTokens: 100, completionTokens: 30, cost: 160_000n });
  });

  it.each([
    ["stop", "end_turn"],
    ["length", "max_tokens"],
    ["content_filter", "refusal"],
    ["function_call", "tool_use"],
    ["eos", "end_turn"],
  ])("the finish reason %s is the stop reason %s", async (finish, stop) => {
    expect((await ask(plain, wholeChat({ content: "Hello" }, finish))).json.stop_reason).toBe(stop);
  });

  it("says how it was routed where the caller asks for that, as the end of a stream does", async () => {
    const asking = { headers: { "x-openrouter-metadata": "enabled" } };
    expect((await ask(plain, hello, asking)).json.openrouter_metadata).toMatchObject({ requested: "acme/talk" });
    const { text } = await stream(streamedChat(chunk({ content: "Hello" }, "stop")), asking);
    expect(eventsOf(text).at(-1)).toMatchObject({ type: "message_stop", openrouter_metadata: { attempt: 1 } });
  });
});

describe("a chat's stream in the dialect of messages", () => {
  const start = (index: number, content_block: object) => ({ type: "content_block_start", index, content_block });
  const delta = (index: number, type: string, said: object) => ({
    type: "content_block_delta",
    index,
    delta: { type, ...said },
  });
  const stop = (index: number) => ({ type: "content_block_stop", index });
  const use = (id: string, name: string) => ({ type: "tool_use", id, name, input: {} });

  it.each([1, 7, 1_000_000])("has its events in their order, one block at a time, from pieces of %i", async (size) => {
    const { headers, text, entry } = await stream(inPieces(streamWithAll(false), size));
    expect(headers["content-type"]).toBe("text/event-stream; charset=utf-8");
    const [started, ping, ...events] = eventsOf(text);
    const id = headers["x-generation-id"] ?? "";
    expect(started).toMatchObject({
      type: "message_start",
      message: {
        id: `msg_${id.slice(4)}`,
        type: "message",
        role: "assistant",
        model: "acme/talk",
        content: [],
        stop_reason: null,
        usage: { output_tokens: 0, input_tokens: expect.any(Number) },
      },
    });
    expect(ping).toEqual({ type: "ping" });
    expect(events.slice(0, -2)).toEqual([
      start(0, { type: "thinking", thinking: "", signature: "" }),
      delta(0, "thinking_delta", { thinking: "Let me " }),
      delta(0, "thinking_delta", { thinking: "see" }),
      delta(0, "signature_delta", { signature: "c2ln" }),
      stop(0),
      start(1, { type: "text", text: "" }),
      delta(1, "text_delta", { text: "I'll " }),
      delta(1, "text_delta", { text: "check." }),
      stop(1),
      start(2, use("call_1", "get_weather")),
      delta(2, "input_json_delta", { partial_json: '{"place":' }),
      delta(2, "input_json_delta", { partial_json: '"Paris"}' }),
      stop(2),
      start(3, use("call_2", "get_time")),
      delta(3, "input_json_delta", { partial_json: "{" }),
      delta(3, "input_json_delta", { partial_json: "}" }),
      stop(3),
    ]);
    expect(events.at(-2)).toMatchObject({
      type: "message_delta",
      delta: { stop_reason: "tool_use", stop_sequence: null },
      usage: {
        input_tokens: 60,
        cache_read_input_tokens: 40,
        output_tokens: 30,
        output_tokens_details: { thinking_tokens: 7 },
        cost: 0.00016,
      },
    });
    expect(events.at(-1)).toEqual({ type: "message_stop" });
    expect(entry).toMatchObject({
      apiType: "messages",
      streamed: true,
      completionTokens: 30,
      finishReason: "tool_calls",
    });
  });

  it("has signed thoughts in a row as blocks of their own, and a signature that comes twice once", async () => {
    const thought = (more: object) => chunk({ reasoning_details: [{ type: "reasoning.text", ...more }] });
    const thoughts = [
      { text: "first" },
      { signature: "one" },
      { signature: "one" },
      { text: "second", signature: "two" },
    ];
    const { text } = await stream(streamedChat(...thoughts.map(thought), chunk({ content: "Hello" }, "stop")));
    expect(eventsOf(text).filter(({ type }) => type === "content_block_delta")).toEqual([
      delta(0, "thinking_delta", { thinking: "first" }),
      delta(0, "signature_delta", { signature: "one" }),
      delta(1, "thinking_delta", { thinking: "second" }),
      delta(1, "signature_delta", { signature: "two" }),
      delta(2, "text_delta", { text: "Hello" }),
    ]);
  });

  it("has no block for an answer without a word", async () => {
    const { text } = await stream(streamedChat(chunk({ role: "assistant", content: "" }), chunk({}, "stop")));
    expect(eventsOf(text).map(({ type }) => type)).toEqual(["message_start", "ping", "message_delta", "message_stop"]);
  });
});
