import { beforeEach, expect, it } from "vitest";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { ledgerRow } from "../../testing/ledger-calls.ts";
import { makeKey, makeProvider } from "../../testing/factories.ts";
import { withResponder } from "../../testing/scripted-setup.ts";

const tools = [
  {
    type: "function",
    name: "get_weather",
    description: "The weather",
    parameters: { type: "object", properties: { place: { type: "string" } } },
    strict: true,
  },
];

/** A request that has everything with a place in the chat form. */
const request = {
  model: "acme/thinker",
  instructions: "Be brief.",
  max_output_tokens: 900,
  temperature: 0.5,
  top_p: 0.9,
  top_k: 5,
  frequency_penalty: 0.1,
  presence_penalty: 0.2,
  reasoning: { effort: "high", summary: "auto" },
  text: {
    verbosity: "low",
    format: { type: "json_schema", name: "answer", schema: { type: "object" }, strict: true, description: null },
  },
  tools,
  tool_choice: { type: "function", name: "get_weather" },
  parallel_tool_calls: false,
  service_tier: "auto",
  store: false,
  metadata: { app: "a" },
  prompt_cache_key: "k",
  truncation: "auto",
  include: ["reasoning.encrypted_content"],
  user: "u-1",
  input: [
    { role: "developer", content: "Be kind." },
    { role: "user", content: "What is the weather in Paris?" },
    {
      type: "reasoning",
      id: "rs_1",
      summary: [],
      content: [{ type: "reasoning_text", text: "I need the tool" }],
      signature: "c2ln",
      format: "anthropic-claude-v1",
    },
    { type: "reasoning", id: "rs_2", summary: [], encrypted_content: "ZGF0YQ==" },
    { type: "reasoning", id: "rs_3", summary: [{ type: "summary_text", text: "another model's" }] },
    {
      type: "message",
      id: "msg_1",
      role: "assistant",
      status: "completed",
      content: [{ type: "output_text", text: "Let me look.", annotations: [] }],
    },
    { type: "function_call", id: "fc_1", call_id: "call_1", name: "get_weather", arguments: '{"place":"Paris"}' },
    { type: "function_call", call_id: "call_2", name: "get_weather", arguments: "{}", status: "completed" },
    { type: "function_call_output", call_id: "call_1", output: "sunny" },
    {
      type: "function_call_output",
      call_id: "call_2",
      output: [
        { type: "input_text", text: "see" },
        { type: "input_image", image_url: "data:image/png;base64,AAAA", detail: "auto" },
      ],
    },
    { type: "web_search_call", id: "ws_1", status: "completed", action: { type: "search", query: "weather" } },
    {
      role: "user",
      content: [
        { type: "input_text", text: "And here is a map." },
        { type: "input_image", image_url: "https://93.184.216.34/map.png", detail: "high" },
        { type: "input_file", filename: "a.pdf", file_data: "data:application/pdf;base64,JVBE" },
        { type: "input_file", file_url: "https://93.184.216.34/b.pdf" },
        { type: "input_audio", input_audio: { data: "AAAA", format: "wav" } },
      ],
    },
    { type: "message", role: "system", content: [{ type: "input_text", text: "Now answer." }] },
  ],
};

const whole = (message: object, finish: string, usage: object = {}, choice: object = {}) =>
  JSON.stringify({
    id: "chatcmpl-1",
    object: "chat.completion",
    model: "upstream",
    choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason: finish, ...choice }],
    usage: { prompt_tokens: 100, completion_tokens: 30, ...usage },
  });
const json = (body: string) => ({ headers: { "content-type": "application/json" }, pieces: [body] });
const chunk = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ id: "chatcmpl-1", object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const counted = `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 100, completion_tokens: 30, prompt_tokens_details: { cached_tokens: 40 }, completion_tokens_details: { reasoning_tokens: 7 } } })}\n\n`;
const stream = (...frames: string[]) => ({ headers: { "content-type": "text/event-stream" }, pieces: frames });
const end = [counted, "data: [DONE]\n\n"] as const;

/** The events of a stream, their names and numbers checked against their data. */
function eventsOf(text: string): Record<string, unknown>[] {
  const frames = text.split("\n\n").filter((frame) => frame !== "" && !frame.startsWith(":"));
  expect(frames.pop()).toBe("data: [DONE]");
  return frames.map((frame, at) => {
    const [, name, data] = /^event: (\S+)\ndata: (.*)$/.exec(frame) ?? [];
    const { sequence_number: number, ...event } = JSON.parse(data ?? "") as Record<string, unknown>;
    expect([event["type"], number]).toEqual([name, at]);
    return event;
  });
}

describeGateway("createResponse, translated", (gateway) => {
  const vendor = withResponder(gateway, { provider: { preset: "custom" } });
  let key = "";
  beforeEach(async () => {
    ({ key } = await makeKey(gateway()));
    vendor().requests.length = 0;
  });
  const ask = async (body: object, headers: Record<string, string> = {}) =>
    await gateway().call("POST", "/responses", { key, body, headers });
  const plain = { model: "acme/thinker", input: "Say hello. ".repeat(40) };
  const row = async (id: string | null) => await ledgerRow(gateway(), id);
  const sent = () => JSON.parse(vendor().requests[0]?.body ?? "");

  it("200: a chat vendor is sent all that has a place in its form", async () => {
    vendor().answer(json(whole({ content: "Hello" }, "stop")));
    expect((await ask(request)).status).toBe(200);
    expect(vendor().requests[0]?.path).toBe("/v1/chat/completions");
    expect(sent()).toEqual({
      model: "upstream-model",
      stream: false,
      max_tokens: 900,
      temperature: 0.5,
      top_p: 0.9,
      top_k: 5,
      frequency_penalty: 0.1,
      presence_penalty: 0.2,
      reasoning_effort: "high",
      verbosity: "low",
      user: "u-1",
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
            strict: true,
          },
        },
      ],
      tool_choice: { type: "function", function: { name: "get_weather" } },
      parallel_tool_calls: false,
      messages: [
        { role: "system", content: "Be brief." },
        { role: "system", content: "Be kind." },
        { role: "user", content: "What is the weather in Paris?" },
        {
          role: "assistant",
          content: "Let me look.",
          tool_calls: [
            { id: "call_1", type: "function", function: { name: "get_weather", arguments: '{"place":"Paris"}' } },
            { id: "call_2", type: "function", function: { name: "get_weather", arguments: "{}" } },
          ],
          reasoning_details: [
            {
              type: "reasoning.text",
              text: "I need the tool",
              signature: "c2ln",
              format: "anthropic-claude-v1",
              index: 0,
            },
            { type: "reasoning.encrypted", data: "ZGF0YQ==", id: "rs_2", format: "openai-responses-v1", index: 1 },
          ],
        },
        { role: "tool", tool_call_id: "call_1", content: "sunny" },
        { role: "tool", tool_call_id: "call_2", content: "see" },
        { role: "user", content: [{ type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } }] },
        {
          role: "user",
          content: [
            { type: "text", text: "And here is a map." },
            { type: "image_url", image_url: { url: "https://93.184.216.34/map.png", detail: "high" } },
            { type: "file", file: { filename: "a.pdf", file_data: "data:application/pdf;base64,JVBE" } },
            { type: "file", file: { filename: "document.pdf", file_data: "https://93.184.216.34/b.pdf" } },
            { type: "input_audio", input_audio: { data: "AAAA", format: "wav" } },
          ],
        },
        { role: "system", content: "Now answer." },
      ],
    });
  });

  it("sends text as one message, and nothing that was not said", async () => {
    vendor().answer(json(whole({ content: "Hello" }, "stop")));
    await ask({ ...plain, instructions: null, tools: [], text: { format: { type: "text" } }, reasoning: {} });
    const messages = [{ role: "user", content: plain.input }];
    expect(sent()).toEqual({ model: "upstream-model", stream: false, messages });
  });

  it.each([
    ["auto", { tool_choice: "auto" }],
    ["required", { tool_choice: "required" }],
    [{ type: "function", name: "b" }, { tool_choice: { type: "function", function: { name: "b" } } }],
    [
      { type: "allowed_tools", mode: "required", tools: [{ type: "function", name: "b" }] },
      { tool_choice: "required", tools: [{ type: "function", function: { name: "b" } }] },
    ],
    [null, {}],
  ])("tool_choice %j becomes %j", async (choice, expected) => {
    vendor().answer(json(whole({ content: "Hello" }, "stop")));
    const offered = ["a", "b"].map((name) => ({ type: "function", name, parameters: null }));
    await ask({ ...plain, tools: offered, tool_choice: choice });
    const all = ["a", "b"].map((name) => ({ type: "function", function: { name } }));
    const { tool_choice, tools: given } = sent();
    expect(JSON.parse(JSON.stringify({ tool_choice, tools: given }))).toEqual({ tools: all, ...expected });
  });

  it("each message of the model's is one, with the thoughts before it", async () => {
    vendor().answer(json(whole({ content: "Hello" }, "stop")));
    const thought = { type: "reasoning", id: "rs", summary: [], encrypted_content: "e" };
    const said = (content: string) => ({ role: "assistant", content });
    const call = { type: "function_call", call_id: "c", name: "f", arguments: "{}" };
    const given = { type: "function_call_output", call_id: "c", output: "1" };
    await ask({ ...plain, input: [thought, said("a"), said("b"), call, given, thought, call, given, said("c")] });
    const encrypted = [{ type: "reasoning.encrypted", data: "e", id: "rs", format: "openai-responses-v1", index: 0 }];
    const calls = [{ id: "c", type: "function", function: { name: "f", arguments: "{}" } }];
    const answer = { role: "tool", tool_call_id: "c", content: "1" };
    expect(sent().messages).toEqual([
      { role: "assistant", content: "a", reasoning_details: encrypted },
      { role: "assistant", content: "b", tool_calls: calls },
      answer,
      { role: "assistant", content: null, tool_calls: calls, reasoning_details: encrypted },
      answer,
      { role: "assistant", content: "c" },
    ]);
  });

  it("answers in the dialect, with thoughts, text, tools, usage and what it cost", async () => {
    const usage = {
      prompt_tokens_details: { cached_tokens: 40, cache_write_tokens: 10 },
      completion_tokens_details: { reasoning_tokens: 7 },
    };
    const call = { id: "call_1", type: "function", function: { name: "get_weather", arguments: '{"place":"Paris"}' } };
    const cited = { url: "https://a.example", title: "A", start_index: 0, end_index: 5 };
    const message = {
      content: "Hello",
      reasoning: "Hm",
      reasoning_details: [{ type: "reasoning.encrypted", data: "ZQ==", format: "openai-responses-v1" }],
      annotations: [{ type: "url_citation", url_citation: cited }],
      images: [{ type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } }],
      tool_calls: [call],
    };
    vendor().answer(json(whole(message, "tool_calls", usage)));
    const answer = await ask({ ...plain, tools, instructions: "Be brief.", metadata: { app: "a" } });
    const id = answer.headers.get("x-generation-id") ?? "";
    const own = id.slice(4);
    expect(answer.json).toEqual({
      id: `resp_${own}`,
      object: "response",
      created_at: expect.any(Number),
      completed_at: expect.any(Number),
      status: "completed",
      background: false,
      error: null,
      incomplete_details: null,
      instructions: "Be brief.",
      max_output_tokens: null,
      max_tool_calls: null,
      metadata: { app: "a" },
      model: "acme/thinker",
      output: [
        {
          id: `rs_${own}_0`,
          type: "reasoning",
          status: "completed",
          summary: [],
          content: [{ type: "reasoning_text", text: "Hm" }],
        },
        {
          id: `rs_${own}_1`,
          type: "reasoning",
          status: "completed",
          summary: [],
          encrypted_content: "ZQ==",
          format: "openai-responses-v1",
        },
        {
          id: `msg_${own}_2`,
          type: "message",
          status: "completed",
          role: "assistant",
          content: [
            { type: "output_text", text: "Hello", annotations: [{ type: "url_citation", ...cited }], logprobs: [] },
          ],
        },
        { id: `ig_${own}_3`, type: "image_generation_call", status: "completed", result: "AAAA" },
        {
          id: `fc_${own}_4`,
          type: "function_call",
          status: "completed",
          call_id: "call_1",
          name: "get_weather",
          arguments: '{"place":"Paris"}',
        },
      ],
      output_text: "Hello",
      parallel_tool_calls: true,
      presence_penalty: null,
      frequency_penalty: null,
      previous_response_id: null,
      prompt_cache_key: null,
      provider: "responder",
      reasoning: { effort: null, summary: null },
      safety_identifier: null,
      store: false,
      temperature: null,
      text: { format: { type: "text" } },
      tool_choice: "auto",
      tools,
      top_logprobs: 0,
      top_p: null,
      truncation: "disabled",
      usage: {
        input_tokens: 100,
        input_tokens_details: { cached_tokens: 40, cache_write_tokens: 10 },
        output_tokens: 30,
        output_tokens_details: { reasoning_tokens: 7 },
        total_tokens: 130,
        cost: 0.00016,
        is_byok: false,
      },
    });
    expect(await row(id)).toMatchObject({ api_type: "responses", prompt_tokens: 100, completion_tokens: 30 });
  });

  it.each([
    ["stop", "completed", null],
    ["function_call", "completed", null],
    ["length", "incomplete", { reason: "max_output_tokens" }],
    ["content_filter", "incomplete", { reason: "content_filter" }],
    ["error", "failed", null],
  ])("the finish reason %s is the status %s", async (finish, status, details) => {
    vendor().answer(json(whole({ content: "Hello" }, finish)));
    const { json: answer } = await ask(plain);
    expect([answer.status, answer.incomplete_details]).toEqual([status, details]);
    expect(answer.error === null).toBe(status !== "failed");
    expect(answer.output[0].status).toBe(status === "completed" ? "completed" : "incomplete");
  });

  it("a refusal is a part of its own, and probabilities are with their text", async () => {
    vendor().answer(json(whole({ content: null, refusal: "I won't." }, "stop")));
    expect((await ask(plain)).json.output[0].content).toEqual([{ type: "refusal", refusal: "I won't." }]);
    const token = { token: "Hello", logprob: -0.1, bytes: null, top_logprobs: [] };
    vendor().answer(json(whole({ content: "Hello" }, "stop", {}, { logprobs: { content: [token] } })));
    const answer = await ask({ ...plain, top_logprobs: 2, include: ["message.output_text.logprobs"] });
    expect(answer.json.output[0].content[0].logprobs).toEqual([token]);
    expect(JSON.parse(vendor().requests[1]?.body ?? "")).toMatchObject({ logprobs: true, top_logprobs: 2 });
  });

  it("streams the dialect's events in their order, with calls that are written at the same time", async () => {
    const call = (index: number, piece: object) => chunk({ tool_calls: [{ index, ...piece }] });
    vendor().answer(
      stream(
        chunk({ role: "assistant", content: "" }),
        chunk({ reasoning: "Let me " }),
        chunk({ reasoning_content: "see" }),
        chunk({ reasoning_details: [{ type: "reasoning.text", signature: "c2ln", format: "anthropic-claude-v1" }] }),
        chunk({ content: "I'll " }),
        chunk({ content: "check." }),
        chunk({
          annotations: [
            {
              type: "url_citation",
              url_citation: { url: "https://a.example", title: "A", start_index: 0, end_index: 4 },
            },
          ],
        }),
        call(0, { id: "call_1", type: "function", function: { name: "get_weather", arguments: "" } }),
        call(0, { function: { arguments: '{"place":' } }),
        call(1, { id: "call_2", type: "function", function: { name: "get_time", arguments: "{" } }),
        call(0, { function: { arguments: '"Paris"}' } }),
        call(1, { function: { arguments: "}" } }),
        chunk({}, "tool_calls"),
        ...end,
      ),
    );
    const answer = await ask({ ...plain, tools, stream: true });
    expect(answer.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    const [created, inProgress, ...events] = eventsOf(answer.text);
    const own = (answer.headers.get("x-generation-id") ?? "").slice(4);
    const shell = { id: `resp_${own}`, status: "in_progress", model: "acme/thinker", output: [], usage: null, tools };
    expect(created).toMatchObject({ type: "response.created", response: shell });
    expect(inProgress).toMatchObject({ type: "response.in_progress", response: shell });
    const [rs, msg, first, second] = [`rs_${own}_0`, `msg_${own}_1`, `fc_${own}_2`, `fc_${own}_3`];
    const thinking = { item_id: rs, output_index: 0, content_index: 0 };
    const saying = { item_id: msg, output_index: 1, content_index: 0 };
    const thought = {
      id: rs,
      type: "reasoning",
      status: "completed",
      summary: [],
      content: [{ type: "reasoning_text", text: "Let me see" }],
      signature: "c2ln",
      format: "anthropic-claude-v1",
    };
    const annotation = { type: "url_citation", url: "https://a.example", title: "A", start_index: 0, end_index: 4 };
    const part = { type: "output_text", text: "I'll check.", annotations: [annotation], logprobs: [] };
    const message = { id: msg, type: "message", status: "completed", role: "assistant", content: [part] };
    const called = (id: string, call_id: string, name: string, given: string, status = "completed") => ({
      id,
      type: "function_call",
      status,
      call_id,
      name,
      arguments: given,
    });
    const [weather, time] = [
      called(first, "call_1", "get_weather", '{"place":"Paris"}'),
      called(second, "call_2", "get_time", "{}"),
    ];
    const last = events.pop();
    expect(events).toEqual([
      {
        type: "response.output_item.added",
        output_index: 0,
        item: { id: rs, type: "reasoning", status: "in_progress", summary: [], content: [] },
      },
      { type: "response.content_part.added", ...thinking, part: { type: "reasoning_text", text: "" } },
      { type: "response.reasoning_text.delta", ...thinking, delta: "Let me " },
      { type: "response.reasoning_text.delta", ...thinking, delta: "see" },
      { type: "response.reasoning_text.done", ...thinking, text: "Let me see" },
      { type: "response.content_part.done", ...thinking, part: { type: "reasoning_text", text: "Let me see" } },
      { type: "response.output_item.done", output_index: 0, item: thought },
      {
        type: "response.output_item.added",
        output_index: 1,
        item: { id: msg, type: "message", status: "in_progress", role: "assistant", content: [] },
      },
      {
        type: "response.content_part.added",
        ...saying,
        part: { type: "output_text", text: "", annotations: [], logprobs: [] },
      },
      { type: "response.output_text.delta", ...saying, delta: "I'll ", logprobs: [] },
      { type: "response.output_text.delta", ...saying, delta: "check.", logprobs: [] },
      { type: "response.output_text.annotation.added", ...saying, annotation_index: 0, annotation },
      { type: "response.output_text.done", ...saying, text: "I'll check.", logprobs: [] },
      { type: "response.content_part.done", ...saying, part },
      { type: "response.output_item.done", output_index: 1, item: message },
      {
        type: "response.output_item.added",
        output_index: 2,
        item: called(first, "call_1", "get_weather", "", "in_progress"),
      },
      { type: "response.function_call_arguments.delta", item_id: first, output_index: 2, delta: '{"place":' },
      {
        type: "response.output_item.added",
        output_index: 3,
        item: called(second, "call_2", "get_time", "", "in_progress"),
      },
      { type: "response.function_call_arguments.delta", item_id: second, output_index: 3, delta: "{" },
      { type: "response.function_call_arguments.delta", item_id: first, output_index: 2, delta: '"Paris"}' },
      { type: "response.function_call_arguments.delta", item_id: second, output_index: 3, delta: "}" },
      {
        type: "response.function_call_arguments.done",
        item_id: first,
        output_index: 2,
        arguments: '{"place":"Paris"}',
        name: "get_weather",
      },
      { type: "response.output_item.done", output_index: 2, item: weather },
      {
        type: "response.function_call_arguments.done",
        item_id: second,
        output_index: 3,
        arguments: "{}",
        name: "get_time",
      },
      { type: "response.output_item.done", output_index: 3, item: time },
    ]);
    expect(last).toMatchObject({
      type: "response.completed",
      response: {
        id: `resp_${own}`,
        status: "completed",
        output: [thought, message, weather, time],
        usage: {
          input_tokens: 100,
          input_tokens_details: { cached_tokens: 40 },
          output_tokens: 30,
          output_tokens_details: { reasoning_tokens: 7 },
          total_tokens: 130,
          cost: 0.00016,
        },
      },
    });
    expect(await row(`gen-${own}`)).toMatchObject({ api_type: "responses", streamed: true, completion_tokens: 30 });
  });

  it("streams a refusal and an image, each as an item's own", async () => {
    const image = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } };
    vendor().answer(stream(chunk({ refusal: "No" }), chunk({ images: [image] }), chunk({}, "stop"), ...end));
    const events = eventsOf((await ask({ ...plain, stream: true })).text);
    expect(events.map(({ type }) => type)).toEqual([
      "response.created",
      "response.in_progress",
      "response.output_item.added",
      "response.content_part.added",
      "response.refusal.delta",
      "response.refusal.done",
      "response.content_part.done",
      "response.output_item.done",
      "response.output_item.added",
      "response.image_generation_call.completed",
      "response.output_item.done",
      "response.completed",
    ]);
    expect(events.at(-1)).toMatchObject({
      response: { output: [{ content: [{ type: "refusal", refusal: "No" }] }, { result: "AAAA" }] },
    });
  });

  it.each([
    ["length", "response.incomplete"],
    ["stop", "response.completed"],
    ["error", "response.failed"],
  ])("a stream with the finish reason %s ends with %s", async (finish, type) => {
    vendor().answer(stream(chunk({ content: "Hello" }), chunk({}, finish), ...end));
    expect(eventsOf((await ask({ ...plain, stream: true })).text).at(-1)).toMatchObject({ type });
  });

  it("streams an answer without a word", async () => {
    vendor().answer(stream(chunk({ role: "assistant", content: "" }), chunk({}, "stop"), ...end));
    const types = eventsOf((await ask({ ...plain, stream: true })).text).map(({ type }) => type);
    expect(types).toEqual(["response.created", "response.in_progress", "response.completed"]);
  });

  it("streams an event of 200 kB, and a request that is as long", async () => {
    const long = "\u2026 word ".repeat(30_000);
    vendor().answer(stream(chunk({ content: long }), chunk({ content: "." }), chunk({}, "stop"), ...end));
    const events = eventsOf((await ask({ ...plain, instructions: long, stream: true })).text);
    expect(events.map(({ type }) => type).join(" ")).toMatch(/created .*text\.delta .*text\.done .*completed$/);
    const { response } = events.at(-1) as { response: { instructions: string; output: { content: object[] }[] } };
    expect(response.instructions === long).toBe(true);
    expect(JSON.stringify(response.output[0]?.content[0]).includes(`${long}.`)).toBe(true);
  });

  it("says how it was routed where the caller asks for that", async () => {
    const asked = { "x-openrouter-metadata": "enabled" };
    vendor().answer(json(whole({ content: "Hello" }, "stop")));
    expect((await ask(plain, asked)).json.openrouter_metadata).toMatchObject({ requested: "acme/thinker" });
    vendor().answer(stream(chunk({ content: "Hello" }), chunk({}, "stop"), ...end));
    const events = eventsOf((await ask({ ...plain, stream: true }, asked)).text);
    expect(events.at(-1)).toMatchObject({ response: { openrouter_metadata: { attempt: 1 } } });
  });

  it.each([
    ["tools that only their provider runs", { tools: [{ type: "web_search" }] }, /tools of type web_search/],
    ["tools in a namespace", { tools: [{ type: "namespace", name: "n", tools: [] }] }, /tools of type namespace/],
    ["parts that nobody knows", { input: [{ role: "user", content: [{ type: "hologram" }] }] }, /hologram/],
    ["items that nobody knows", { input: [{ type: "hologram" }] }, /hologram/],
    ["roles that nobody knows", { input: [{ role: "critic", content: "a" }] }, /critic/],
    ["a choice of a hosted tool", { tools, tool_choice: { type: "web_search_preview" } }, /tool_choice/],
    ["prompts that are kept", { prompt: { id: "pmpt_1" } }, /prompts/],
    [
      "2 MB of tool calls",
      { input: [{ type: "function_call", call_id: "c", name: "f", arguments: "x".repeat(2_000_000) }] },
      /more than 1 MB/,
    ],
    ["an answer that is kept", { store: true }, /keeps no answers, which store: true needs: leave it out/],
  ])("400: %s have no place in the chat form, and nothing is sent", async (_, more, words) => {
    const answer = await ask({ ...plain, ...more });
    expect([answer.status, answer.json.error.code]).toEqual([400, 400]);
    expect(answer.json.error.message).toMatch(/cannot take this request/);
    expect(answer.json.error.message).toMatch(words);
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
      path.endsWith("/responses") ? { status: 404, pieces: ["{}"] } : json(whole({ content: "Hello" }, "stop")),
    );
    const answer = await ask({ ...plain, model: "acme/old" });
    expect(answer.json.output_text).toBe("Hello");
    expect(vendor().requests.map(({ path }) => path)).toEqual(["/v1/responses", "/v1/chat/completions"]);
    await gateway().call("DELETE", "/providers/old-vllm");
  });
});
