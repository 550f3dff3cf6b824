import { beforeEach, expect, it } from "vitest";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { ledgerRow } from "../../testing/ledger-calls.ts";
import { makeKey, makeProvider } from "../../testing/factories.ts";
import { withClaude } from "../../testing/scripted-setup.ts";

const tools = [
  { name: "get_weather", description: "The weather", input_schema: { properties: { place: { type: "string" } } } },
];
const image = { type: "base64", media_type: "image/png", data: "AAAA" };

/** A request with everything that has a place in the chat form. */
const request = {
  model: "acme/claude",
  max_tokens: 900,
  system: [
    { type: "text", text: "Be brief.", cache_control: { type: "ephemeral" } },
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
        { type: "text", text: "And here is a map.", cache_control: { type: "ephemeral" } },
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
        { type: "image", source: { type: "url", url: "https://93.184.216.34/map.png" } },
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
  cache_control: { type: "ephemeral" },
};

const whole = (message: object, finish: string, usage: object = {}) =>
  JSON.stringify({
    id: "chatcmpl-1",
    object: "chat.completion",
    model: "upstream",
    choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason: finish }],
    usage: { prompt_tokens: 100, completion_tokens: 30, ...usage },
  });
const json = (body: string) => ({ headers: { "content-type": "application/json" }, pieces: [body] });
const chunk = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ id: "chatcmpl-1", object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const counted = `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 100, completion_tokens: 30, prompt_tokens_details: { cached_tokens: 40 }, completion_tokens_details: { reasoning_tokens: 7 } } })}\n\n`;
const stream = (...frames: string[]) => ({ headers: { "content-type": "text/event-stream" }, pieces: frames });

/** The events of a stream, their names checked against their data. */
function eventsOf(text: string): Record<string, unknown>[] {
  return text
    .split("\n\n")
    .filter((frame) => frame !== "" && !frame.startsWith(":"))
    .map((frame) => {
      const [, name, data] = /^event: (\S+)\ndata: (.*)$/.exec(frame) ?? [];
      const event = JSON.parse(data ?? "") as Record<string, unknown>;
      expect(event["type"]).toBe(name);
      return event;
    });
}

describeGateway("createMessage, translated", (gateway) => {
  const vendor = withClaude(gateway, { provider: { kind: "openai-compatible", preset: "custom" } });
  let key = "";
  beforeEach(async () => {
    ({ key } = await makeKey(gateway()));
    vendor().requests.length = 0;
  });
  const ask = async (body: object, headers: Record<string, string> = {}) =>
    await gateway().call("POST", "/messages", { key, body, headers });
  const plain = {
    model: "acme/claude",
    max_tokens: 900,
    messages: [{ role: "user", content: "Say hello. ".repeat(40) }],
  };
  const row = async (id: string | null) => await ledgerRow(gateway(), id);

  it("200: a chat vendor is sent all that has a place in its form", async () => {
    vendor().answer(json(whole({ content: "Hello" }, "stop")));
    expect((await ask(request)).status).toBe(200);
    const [{ path, headers, body } = { path: "", headers: {}, body: "" }] = vendor().requests;
    expect(path).toBe("/v1/chat/completions");
    expect(headers["authorization"]).toMatch(/^Bearer /);
    expect(JSON.parse(body)).toEqual({
      model: "claude-upstream",
      stream: false,
      max_tokens: 900,
      temperature: 0.5,
      top_p: 0.9,
      top_k: 5,
      stop: ["a", "b", "c", "d"],
      reasoning_effort: "high",
      response_format: {
        type: "json_schema",
        json_schema: { name: "answer", strict: true, schema: { type: "object" } },
      },
      tools: [
        {
          type: "function",
          function: {
            name: "get_weather",
            description: "The weather",
            parameters: { type: "object", properties: { place: { type: "string" } } },
          },
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
          tool_calls: [
            { id: "toolu_1", type: "function", function: { name: "get_weather", arguments: '{"place":"Paris"}' } },
            { id: "toolu_2", type: "function", function: { name: "get_weather", arguments: "{}" } },
          ],
          reasoning_details: [
            {
              type: "reasoning.text",
              text: "I need the tool",
              signature: "c2ln",
              format: "anthropic-claude-v1",
              index: 0,
            },
            { type: "reasoning.encrypted", data: "ZGF0YQ==", format: "anthropic-claude-v1", index: 2 },
          ],
        },
        { role: "tool", tool_call_id: "toolu_1", content: "sunny" },
        { role: "tool", tool_call_id: "toolu_2", content: "Error: no such place" },
        {
          role: "user",
          content: [
            { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
            { type: "text", text: "And here is a map." },
            { type: "image_url", image_url: { url: "https://93.184.216.34/map.png" } },
            { type: "file", file: { filename: "a.pdf", file_data: "data:application/pdf;base64,JVBE" } },
            { type: "text", text: "Notes\n\nIt rains." },
            { type: "text", text: "A\nhttps://a.example\n\nfound" },
          ],
        },
        { role: "system", content: "Now answer." },
      ],
    });
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
    vendor().answer(json(whole({ content: "Hello" }, "stop")));
    await ask({ ...plain, tools, tool_choice: choice });
    const { tool_choice, parallel_tool_calls } = JSON.parse(vendor().requests[0]?.body ?? "");
    expect(JSON.parse(JSON.stringify({ tool_choice, parallel_tool_calls }))).toEqual(expected);
  });

  it.each([
    [{ thinking: { type: "disabled" } }, undefined],
    [{ thinking: { type: "adaptive" }, output_config: { effort: "low" } }, "low"],
    [{ thinking: { type: "adaptive" } }, "medium"],
    [{ output_config: { effort: "max" } }, "max"],
    [{}, undefined],
  ])("%j thinks with the effort %s", async (asked, effort) => {
    vendor().answer(json(whole({ content: "Hello" }, "stop")));
    await ask({ ...plain, ...asked });
    expect(JSON.parse(vendor().requests[0]?.body ?? "").reasoning_effort).toBe(effort);
  });

  it("answers in the dialect, with thinking, text, tools and disjoint usage, and with what it cost", async () => {
    const usage = {
      prompt_tokens_details: { cached_tokens: 40, cache_write_tokens: 10 },
      completion_tokens_details: { reasoning_tokens: 7 },
    };
    const call = { id: "call_1", type: "function", function: { name: "get_weather", arguments: '{"place":"Paris"}' } };
    const odd = { id: "call_2", type: "function", function: { name: "get_weather", arguments: "{place" } };
    vendor().answer(json(whole({ content: "Hello", reasoning: "Hm", tool_calls: [call, odd] }, "tool_calls", usage)));
    const answer = await ask({ ...plain, tools });
    const id = answer.headers.get("x-generation-id") ?? "";
    expect(answer.json).toEqual({
      id: `msg_${id.slice(4)}`,
      type: "message",
      role: "assistant",
      model: "acme/claude",
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
      provider: "claude",
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
    expect(answer.headers.get("request-id")).toBe(answer.headers.get("x-request-id"));
    expect(await row(id)).toMatchObject({ api_type: "messages", prompt_tokens: 100, completion_tokens: 30 });
  });

  it.each([
    ["stop", "end_turn"],
    ["length", "max_tokens"],
    ["content_filter", "refusal"],
    ["function_call", "tool_use"],
    ["eos", "end_turn"],
  ])("the finish reason %s is the stop reason %s", async (finish, stop) => {
    vendor().answer(json(whole({ content: "Hello" }, finish)));
    expect((await ask(plain)).json.stop_reason).toBe(stop);
  });

  it("streams signed thoughts in a row as blocks of their own, and a signature that comes twice once", async () => {
    const thought = (more: object) => chunk({ reasoning_details: [{ type: "reasoning.text", ...more }] });
    vendor().answer(
      stream(
        thought({ text: "first" }),
        thought({ signature: "one" }),
        thought({ signature: "one" }),
        thought({ text: "second", signature: "two" }),
        chunk({ content: "Hello" }, "stop"),
        counted,
        "data: [DONE]\n\n",
      ),
    );
    const events = eventsOf((await ask({ ...plain, stream: true })).text);
    const deltas = events.flatMap(({ type, index, delta }) => (type === "content_block_delta" ? [[index, delta]] : []));
    expect(deltas).toEqual([
      [0, { type: "thinking_delta", thinking: "first" }],
      [0, { type: "signature_delta", signature: "one" }],
      [1, { type: "thinking_delta", thinking: "second" }],
      [1, { type: "signature_delta", signature: "two" }],
      [2, { type: "text_delta", text: "Hello" }],
    ]);
  });

  it("streams the dialect's events in their order, one block at a time", async () => {
    const call = (index: number, piece: object) => chunk({ tool_calls: [{ index, ...piece }] });
    vendor().answer(
      stream(
        chunk({ role: "assistant", content: "" }),
        chunk({ reasoning: "Let me " }),
        chunk({ reasoning_content: "see" }),
        chunk({ content: "I'll " }),
        chunk({ content: "check." }),
        call(0, { id: "call_1", type: "function", function: { name: "get_weather", arguments: "" } }),
        call(0, { function: { arguments: '{"place":' } }),
        call(0, { function: { arguments: '"Paris"}' } }),
        call(1, { id: "call_2", type: "function", function: { name: "get_time", arguments: "{}" } }),
        chunk({}, "tool_calls"),
        counted,
        "data: [DONE]\n\n",
      ),
    );
    const answer = await ask({ ...plain, tools, stream: true });
    expect(answer.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    const [start, ping, ...events] = eventsOf(answer.text);
    const id = answer.headers.get("x-generation-id") ?? "";
    expect(start).toMatchObject({
      type: "message_start",
      message: {
        id: `msg_${id.slice(4)}`,
        type: "message",
        role: "assistant",
        model: "acme/claude",
        content: [],
        stop_reason: null,
        usage: { output_tokens: 0, input_tokens: expect.any(Number) },
      },
    });
    expect(ping).toEqual({ type: "ping" });
    const [delta, stop] = events.slice(-2);
    expect(events.slice(0, -2)).toEqual([
      { type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "", signature: "" } },
      { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "Let me " } },
      { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "see" } },
      { type: "content_block_stop", index: 0 },
      { type: "content_block_start", index: 1, content_block: { type: "text", text: "" } },
      { type: "content_block_delta", index: 1, delta: { type: "text_delta", text: "I'll " } },
      { type: "content_block_delta", index: 1, delta: { type: "text_delta", text: "check." } },
      { type: "content_block_stop", index: 1 },
      {
        type: "content_block_start",
        index: 2,
        content_block: { type: "tool_use", id: "call_1", name: "get_weather", input: {} },
      },
      { type: "content_block_delta", index: 2, delta: { type: "input_json_delta", partial_json: '{"place":' } },
      { type: "content_block_delta", index: 2, delta: { type: "input_json_delta", partial_json: '"Paris"}' } },
      { type: "content_block_stop", index: 2 },
      {
        type: "content_block_start",
        index: 3,
        content_block: { type: "tool_use", id: "call_2", name: "get_time", input: {} },
      },
      { type: "content_block_delta", index: 3, delta: { type: "input_json_delta", partial_json: "{}" } },
      { type: "content_block_stop", index: 3 },
    ]);
    expect(delta).toMatchObject({
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
    expect(stop).toEqual({ type: "message_stop" });
    expect(await row(id)).toMatchObject({ api_type: "messages", streamed: true, completion_tokens: 30 });
  });

  it("streams an answer without a word", async () => {
    vendor().answer(stream(chunk({ role: "assistant", content: "" }), chunk({}, "stop"), counted, "data: [DONE]\n\n"));
    const types = eventsOf((await ask({ ...plain, stream: true })).text).map(({ type }) => type);
    expect(types).toEqual(["message_start", "ping", "message_delta", "message_stop"]);
  });

  it("says how it was routed where the caller asks for that", async () => {
    const asked = { "x-openrouter-metadata": "enabled" };
    vendor().answer(json(whole({ content: "Hello" }, "stop")));
    expect((await ask(plain, asked)).json.openrouter_metadata).toMatchObject({ requested: "acme/claude" });
    vendor().answer(stream(chunk({ content: "Hello" }), chunk({}, "stop"), counted, "data: [DONE]\n\n"));
    const events = eventsOf((await ask({ ...plain, stream: true }, asked)).text);
    expect(events.at(-1)).toMatchObject({ type: "message_stop", openrouter_metadata: { attempt: 1 } });
  });

  it.each([
    ["tools that only its own provider runs", { tools: [{ type: "web_search_20250305", name: "web_search" }] }],
    ["blocks that nobody knows", { messages: [{ role: "user", content: [{ type: "hologram" }] }] }],
    [
      "2 MB of tool calls",
      {
        messages: [
          {
            role: "assistant",
            content: [{ type: "tool_use", id: "t", name: "n", input: { a: "x".repeat(2_000_000) } }],
          },
        ],
      },
    ],
  ])("400: %s have no place in the chat form, and nothing is sent", async (_, more) => {
    const answer = await ask({ ...plain, ...more });
    expect([answer.status, answer.json.error.type]).toEqual([400, "invalid_request_error"]);
    expect(answer.json.error.message).toMatch(/cannot take this request: it does not speak the dialect of messages/);
    expect(vendor().requests).toEqual([]);
  });

  it("asks a server in the chat form that turns out not to have this dialect", async () => {
    await makeProvider(gateway(), {
      slug: "old-vllm",
      preset: "vllm",
      base_url: `${vendor().url}/v1`,
      api_key: null,
      models: [{ id: "acme/old", upstream_id: "old", type: "chat", pricing: { prompt: "0", completion: "0" } }],
    });
    vendor().answer(({ path }) =>
      path.endsWith("/messages") ? { status: 404, pieces: ["{}"] } : json(whole({ content: "Hello" }, "stop")),
    );
    const answer = await ask({ ...plain, model: "acme/old" });
    expect(answer.json.content).toEqual([{ type: "text", text: "Hello", citations: null }]);
    expect(vendor().requests.map(({ path }) => path)).toEqual(["/v1/messages", "/v1/chat/completions"]);
    await gateway().call("DELETE", "/providers/old-vllm");
  });
});
