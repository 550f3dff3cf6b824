import { describe, expect, it } from "vitest";
import { chunk, inPieces, streamedChat, streamWithAll, wholeChat } from "../../testing/chat-answers.ts";
import { exchange, type ExchangePartner } from "../../testing/exchange.ts";
import type { ScriptedAnswer } from "../../testing/scripted-vendor.ts";
import { responsesForm } from "./responses-form.ts";

const parameters = { type: "object", properties: { place: { type: "string" } } };
const weather = { name: "get_weather", description: "The weather", parameters, strict: true };
const tools = [{ type: "function", ...weather }];
const map = "https://93.184.216.34/map.png";
const inline = "data:image/png;base64,AAAA";
const pdf = "data:application/pdf;base64,JVBE";
const format = { name: "answer", schema: { type: "object" }, strict: true };

/** A request that has everything with a place in the chat form. */
const request = {
  model: "acme/talk",
  instructions: "Be brief.",
  max_output_tokens: 900,
  temperature: 0.5,
  top_p: 0.9,
  top_k: 5,
  frequency_penalty: 0.1,
  presence_penalty: 0.2,
  reasoning: { effort: "high", summary: "auto" },
  text: { verbosity: "low", format: { type: "json_schema", ...format, description: null } },
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
        { type: "input_image", image_url: inline, detail: "auto" },
      ],
    },
    { type: "web_search_call", id: "ws_1", status: "completed", action: { type: "search", query: "weather" } },
    {
      role: "user",
      content: [
        { type: "input_text", text: "And here is a map." },
        { type: "input_image", image_url: map, detail: "high" },
        { type: "input_file", filename: "a.pdf", file_data: pdf },
        { type: "input_file", file_url: "https://93.184.216.34/b.pdf" },
        { type: "input_audio", input_audio: { data: "AAAA", format: "wav" } },
      ],
    },
    { type: "message", role: "system", content: [{ type: "input_text", text: "Now answer." }] },
  ],
};
const called = (id: string, args: string) => ({
  id,
  type: "function",
  function: { name: "get_weather", arguments: args },
});

/** The same in the chat form. */
const asChat = {
  model: "upstream-talk",
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
  response_format: { type: "json_schema", json_schema: format },
  tools: [{ type: "function", function: weather }],
  tool_choice: { type: "function", function: { name: "get_weather" } },
  parallel_tool_calls: false,
  messages: [
    { role: "system", content: "Be brief." },
    { role: "system", content: "Be kind." },
    { role: "user", content: "What is the weather in Paris?" },
    {
      role: "assistant",
      content: "Let me look.",
      tool_calls: [called("call_1", '{"place":"Paris"}'), called("call_2", "{}")],
      reasoning_details: [
        { type: "reasoning.text", text: "I need the tool", signature: "c2ln", format: "anthropic-claude-v1", index: 0 },
        { type: "reasoning.encrypted", data: "ZGF0YQ==", id: "rs_2", format: "openai-responses-v1", index: 1 },
      ],
    },
    { role: "tool", tool_call_id: "call_1", content: "sunny" },
    { role: "tool", tool_call_id: "call_2", content: "see" },
    { role: "user", content: [{ type: "image_url", image_url: { url: inline } }] },
    {
      role: "user",
      content: [
        { type: "text", text: "And here is a map." },
        { type: "image_url", image_url: { url: map, detail: "high" } },
        { type: "file", file: { filename: "a.pdf", file_data: pdf } },
        { type: "file", file: { filename: "document.pdf", file_data: "https://93.184.216.34/b.pdf" } },
        { type: "input_audio", input_audio: { data: "AAAA", format: "wav" } },
      ],
    },
    { role: "system", content: "Now answer." },
  ],
};

const plain = { model: "acme/talk", input: "Say hello. ".repeat(40) };
const hello = wholeChat({ content: "Hello" });
const ask = async (body: object, answer: ScriptedAnswer = hello, partner: ExchangePartner = {}) =>
  await exchange(responsesForm, body, answer, partner);
const sentFor = async (more: object) => JSON.parse((await ask({ ...plain, ...more })).sent[0]?.body ?? "");
const stream = async (answer: ScriptedAnswer, more: object = {}, partner: ExchangePartner = {}) =>
  await ask({ ...plain, stream: true, ...more }, answer, partner);

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
const typesOf = (text: string) => eventsOf(text).map(({ type }) => String(type).replace(/^response\./, ""));

describe("a request of responses in the chat form", () => {
  it("has all that has a place there", async () => {
    const { sent } = await ask(request);
    expect(sent[0]?.path).toBe("/v1/chat/completions");
    expect(JSON.parse(sent[0]?.body ?? "")).toEqual(asChat);
  });

  it("has text as one message, and nothing that was not said", async () => {
    const nothing = { instructions: null, tools: [], text: { format: { type: "text" } }, reasoning: {} };
    const messages = [{ role: "user", content: plain.input }];
    expect(await sentFor(nothing)).toEqual({ model: "upstream-talk", stream: false, messages });
  });

  const allowed = { type: "allowed_tools", mode: "required", tools: [{ type: "function", name: "b" }] };
  it.each([
    ["auto", { tool_choice: "auto" }],
    ["required", { tool_choice: "required" }],
    [{ type: "function", name: "b" }, { tool_choice: { type: "function", function: { name: "b" } } }],
    [allowed, { tool_choice: "required", tools: [{ type: "function", function: { name: "b" } }] }],
    [null, {}],
  ])("tool_choice %j becomes %j", async (choice, expected) => {
    const offered = ["a", "b"].map((name) => ({ type: "function", name, parameters: null }));
    const all = ["a", "b"].map((name) => ({ type: "function", function: { name } }));
    const { tool_choice, tools: given } = await sentFor({ tools: offered, tool_choice: choice });
    expect({ tool_choice, tools: given }).toEqual({ tools: all, ...expected });
  });

  it("has each message of the model's as one, with the thoughts before it", async () => {
    const thought = { type: "reasoning", id: "rs", summary: [], encrypted_content: "e" };
    const said = (content: string) => ({ role: "assistant", content });
    const call = { type: "function_call", call_id: "c", name: "f", arguments: "{}" };
    const given = { type: "function_call_output", call_id: "c", output: "1" };
    const input = [thought, said("a"), said("b"), call, given, thought, call, given, said("c")];
    const encrypted = [{ type: "reasoning.encrypted", data: "e", id: "rs", format: "openai-responses-v1", index: 0 }];
    const calls = [{ id: "c", type: "function", function: { name: "f", arguments: "{}" } }];
    const answer = { role: "tool", tool_call_id: "c", content: "1" };
    expect((await sentFor({ input })).messages).toEqual([
      { role: "assistant", content: "a", reasoning_details: encrypted },
      { role: "assistant", content: "b", tool_calls: calls },
      answer,
      { role: "assistant", content: null, tool_calls: calls, reasoning_details: encrypted },
      answer,
      { role: "assistant", content: "c" },
    ]);
  });

  const longCall = { type: "function_call", call_id: "c", name: "f", arguments: "x".repeat(2_000_000) };
  it.each([
    ["tools that only their provider runs", { tools: [{ type: "web_search" }] }, /tools of type web_search/],
    ["tools in a namespace", { tools: [{ type: "namespace", name: "n", tools: [] }] }, /tools of type namespace/],
    ["parts that nobody knows", { input: [{ role: "user", content: [{ type: "hologram" }] }] }, /hologram/],
    ["items that nobody knows", { input: [{ type: "hologram" }] }, /hologram/],
    ["roles that nobody knows", { input: [{ role: "critic", content: "a" }] }, /critic/],
    ["a choice of a hosted tool", { tools, tool_choice: { type: "web_search_preview" } }, /tool_choice/],
    ["prompts that are kept", { prompt: { id: "pmpt_1" } }, /prompts/],
    ["2 MB of tool calls", { input: [longCall] }, /more than 1 MB/],
    ["an answer that is kept", { store: true }, /keeps no answers, which store: true needs: leave it out/],
  ])("400: %s have no place there, and nothing is sent", async (_, more, words) => {
    const { status, refusal, sent } = await ask({ ...plain, ...more });
    expect([status, refusal?.type, sent]).toEqual([400, "invalid_request", []]);
    expect(refusal?.message).toMatch(/cannot take this request/);
    expect(refusal?.message).toMatch(words);
  });

  it("is sent to a server that turns out not to have this dialect", async () => {
    const local = { preset: "vllm", baseUrl: "http://127.0.0.1:8000/v1" } as const;
    const lacking = { status: 404, pieces: ["{}"] };
    const { json, sent } = await exchange(
      responsesForm,
      plain,
      ({ path }) => (path.endsWith("/responses") ? lacking : hello),
      local,
    );
    expect(json.output_text).toBe("Hello");
    expect(sent.map(({ path }) => path)).toEqual(["/v1/responses", "/v1/chat/completions"]);
  });
});

const citation = { url: "https://a.example", title: "A", start_index: 0, end_index: 4 };
const annotation = { type: "url_citation", ...citation };

describe("a chat's whole answer in the dialect of responses", () => {
  it("has thoughts, text, tools and usage, and what it cost", async () => {
    const usage = {
      prompt_tokens_details: { cached_tokens: 40, cache_write_tokens: 10 },
      completion_tokens_details: { reasoning_tokens: 7 },
    };
    const message = {
      content: "Hello",
      reasoning: "Hm",
      reasoning_details: [{ type: "reasoning.encrypted", data: "ZQ==", format: "openai-responses-v1" }],
      annotations: [{ type: "url_citation", url_citation: citation }],
      images: [{ type: "image_url", image_url: { url: inline } }],
      tool_calls: [called("call_1", '{"place":"Paris"}')],
    };
    const asked = { ...plain, tools, instructions: "Be brief.", metadata: { app: "a" } };
    const { json, headers, entry } = await ask(asked, wholeChat(message, "tool_calls", usage));
    const id = headers["x-generation-id"] ?? "";
    const own = id.slice(4);
    expect(json).toEqual({
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
      model: "acme/talk",
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
          content: [{ type: "output_text", text: "Hello", annotations: [annotation], logprobs: [] }],
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
      provider: "Acme",
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
    expect(entry).toMatchObject({ id, apiType: "responses", promptTokens: 100, completionTokens: 30, cost: 160_000n });
  });

  it.each([
    ["stop", "completed", null],
    ["function_call", "completed", null],
    ["length", "incomplete", { reason: "max_output_tokens" }],
    ["content_filter", "incomplete", { reason: "content_filter" }],
    ["error", "failed", null],
  ])("the finish reason %s is the status %s", async (finish, status, details) => {
    const { json } = await ask(plain, wholeChat({ content: "Hello" }, finish));
    expect([json.status, json.incomplete_details]).toEqual([status, details]);
    expect(json.error === null).toBe(status !== "failed");
    expect(json.output[0].status).toBe(status === "completed" ? "completed" : "incomplete");
  });

  it("has a refusal as a part of its own, and probabilities with their text", async () => {
    const refused = await ask(plain, wholeChat({ content: null, refusal: "I won't." }));
    expect(refused.json.output[0].content).toEqual([{ type: "refusal", refusal: "I won't." }]);
    const token = { token: "Hello", logprob: -0.1, bytes: null, top_logprobs: [] };
    const likely = wholeChat({ content: "Hello" }, "stop", {}, { logprobs: { content: [token] } });
    const { json, sent } = await ask({ ...plain, top_logprobs: 2, include: ["message.output_text.logprobs"] }, likely);
    expect(json.output[0].content[0].logprobs).toEqual([token]);
    expect(JSON.parse(sent[0]?.body ?? "")).toMatchObject({ logprobs: true, top_logprobs: 2 });
  });

  it("says how it was routed where the caller asks for that, as the end of a stream does", async () => {
    const asking = { headers: { "x-openrouter-metadata": "enabled" } };
    expect((await ask(plain, hello, asking)).json.openrouter_metadata).toMatchObject({ requested: "acme/talk" });
    const { text } = await stream(streamedChat(chunk({ content: "Hello" }, "stop")), {}, asking);
    expect(eventsOf(text).at(-1)).toMatchObject({ response: { openrouter_metadata: { attempt: 1 } } });
  });
});

describe("a chat's stream in the dialect of responses", () => {
  it.each([1, 7, 1_000_000])("has its events in their order, from pieces of %i", async (size) => {
    const { headers, text, entry } = await stream(inPieces(streamWithAll(true), size), { tools });
    expect(headers["content-type"]).toBe("text/event-stream; charset=utf-8");
    const [created, inProgress, ...events] = eventsOf(text);
    const own = (headers["x-generation-id"] ?? "").slice(4);
    const shell = { id: `resp_${own}`, status: "in_progress", model: "acme/talk", output: [], usage: null, tools };
    expect(created).toMatchObject({ type: "response.created", response: shell });
    expect(inProgress).toMatchObject({ type: "response.in_progress", response: shell });
    const [rs, msg, first, second] = [`rs_${own}_0`, `msg_${own}_1`, `fc_${own}_2`, `fc_${own}_3`];
    const thinking = { item_id: rs, output_index: 0, content_index: 0 };
    const saying = { item_id: msg, output_index: 1, content_index: 0 };
    const noThought = { id: rs, type: "reasoning", summary: [] };
    const thought = {
      ...noThought,
      status: "completed",
      content: [{ type: "reasoning_text", text: "Let me see" }],
      signature: "c2ln",
      format: "anthropic-claude-v1",
    };
    const part = { type: "output_text", text: "I'll check.", annotations: [annotation], logprobs: [] };
    const noMessage = { id: msg, type: "message", role: "assistant" };
    const message = { ...noMessage, status: "completed", content: [part] };
    const call = (id: string, call_id: string, name: string, given: string, status = "completed") => ({
      id,
      type: "function_call",
      status,
      call_id,
      name,
      arguments: given,
    });
    const paris = '{"place":"Paris"}';
    const [asked, time] = [call(first, "call_1", "get_weather", paris), call(second, "call_2", "get_time", "{}")];
    const added = (output_index: number, item: object) => ({ type: "response.output_item.added", output_index, item });
    const done = (output_index: number, item: object) => ({ type: "response.output_item.done", output_index, item });
    const piece = (item_id: string, output_index: number, delta: string) => ({
      type: "response.function_call_arguments.delta",
      item_id,
      output_index,
      delta,
    });
    const whole = (item_id: string, output_index: number, args: string, name: string) => ({
      type: "response.function_call_arguments.done",
      item_id,
      output_index,
      arguments: args,
      name,
    });
    expect(events.slice(0, -1)).toEqual([
      added(0, { ...noThought, status: "in_progress", content: [] }),
      { type: "response.content_part.added", ...thinking, part: { type: "reasoning_text", text: "" } },
      { type: "response.reasoning_text.delta", ...thinking, delta: "Let me " },
      { type: "response.reasoning_text.delta", ...thinking, delta: "see" },
      { type: "response.reasoning_text.done", ...thinking, text: "Let me see" },
      { type: "response.content_part.done", ...thinking, part: { type: "reasoning_text", text: "Let me see" } },
      done(0, thought),
      added(1, { ...noMessage, status: "in_progress", content: [] }),
      { type: "response.content_part.added", ...saying, part: { ...part, text: "", annotations: [] } },
      { type: "response.output_text.delta", ...saying, delta: "I'll ", logprobs: [] },
      { type: "response.output_text.delta", ...saying, delta: "check.", logprobs: [] },
      { type: "response.output_text.annotation.added", ...saying, annotation_index: 0, annotation },
      { type: "response.output_text.done", ...saying, text: "I'll check.", logprobs: [] },
      { type: "response.content_part.done", ...saying, part },
      done(1, message),
      added(2, call(first, "call_1", "get_weather", "", "in_progress")),
      piece(first, 2, '{"place":'),
      added(3, call(second, "call_2", "get_time", "", "in_progress")),
      piece(second, 3, "{"),
      piece(first, 2, '"Paris"}'),
      piece(second, 3, "}"),
      whole(first, 2, paris, "get_weather"),
      done(2, asked),
      whole(second, 3, "{}", "get_time"),
      done(3, time),
    ]);
    expect(events.at(-1)).toMatchObject({
      type: "response.completed",
      response: {
        id: `resp_${own}`,
        status: "completed",
        output: [thought, message, asked, time],
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
    expect(entry).toMatchObject({ apiType: "responses", streamed: true, completionTokens: 30, cost: 160_000n });
  });

  it("has a refusal and an image, each as an item's own", async () => {
    const image = { type: "image_url", image_url: { url: inline } };
    const frames = [chunk({ refusal: "No" }), chunk({ images: [image] }), chunk({}, "stop")];
    const { text } = await stream(streamedChat(...frames));
    const item = ["output_item.added", "output_item.done"] as const;
    const refused = ["content_part.added", "refusal.delta", "refusal.done", "content_part.done"];
    expect(typesOf(text)).toEqual([
      "created",
      "in_progress",
      ...[item[0], ...refused, item[1]],
      ...[item[0], "image_generation_call.completed", item[1]],
      "completed",
    ]);
    expect(eventsOf(text).at(-1)).toMatchObject({
      response: { output: [{ content: [{ type: "refusal", refusal: "No" }] }, { result: "AAAA" }] },
    });
  });

  it.each([
    ["length", "incomplete"],
    ["stop", "completed"],
    ["error", "failed"],
  ])("with the finish reason %s ends with response.%s", async (finish, type) => {
    const { text } = await stream(streamedChat(chunk({ content: "Hello" }), chunk({}, finish)));
    expect(typesOf(text).at(-1)).toBe(type);
  });

  it("has no item for an answer without a word", async () => {
    const { text } = await stream(streamedChat(chunk({ role: "assistant", content: "" }), chunk({}, "stop")));
    expect(typesOf(text)).toEqual(["created", "in_progress", "completed"]);
  });

  it("has an event of 200 kB, and repeats instructions that are as long", async () => {
    const long = "\u2026 word ".repeat(30_000);
    const frames = [chunk({ content: long }), chunk({ content: "." }), chunk({}, "stop")];
    const { text } = await stream(streamedChat(...frames), { instructions: long });
    expect(typesOf(text).join(" ")).toMatch(/created .*text\.delta .*text\.done .*completed$/);
    const { response } = eventsOf(text).at(-1) as {
      response: { instructions: string; output: { content: object[] }[] };
    };
    expect(response.instructions === long).toBe(true);
    expect(JSON.stringify(response.output[0]?.content[0]).includes(`${long}.`)).toBe(true);
  });
});
