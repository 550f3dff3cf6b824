import { describe, expect, it } from "vitest";
import { callChunk, chunk, inPieces, streamedChat, streamWithAll, wholeChat } from "../../testing/chat-answers.ts";
import { exchange, type ExchangePartner } from "../../testing/exchange.ts";
import { fixture } from "../../testing/fixture.ts";
import type { ScriptedAnswer } from "../../testing/scripted-vendor.ts";
import { chatForm } from "./chat-form.ts";
import { messagesForm } from "../messages/messages-form.ts";
import { responsesForm } from "../responses/responses-form.ts";

const schema = { type: "object", properties: { place: { type: "string" } } };
const words = "Say hello. ".repeat(40);
const hello = wholeChat({ content: "Hello" });
const forms = { messages: messagesForm, responses: responsesForm };
type Dialect = keyof typeof forms;
const dialects = ["messages", "responses"] as const;

/** A plain request of each dialect, and the members with which the whole answers and the streams are asked for. */
const plain: Readonly<Record<Dialect, object>> = {
  messages: { model: "acme/talk", max_tokens: 900, messages: [{ role: "user", content: words }] },
  responses: { model: "acme/talk", input: words },
};
const tools = {
  messages: [{ name: "get_weather", description: "The weather", input_schema: schema }],
  responses: [{ type: "function", name: "get_weather", description: "The weather", parameters: schema, strict: true }],
};
const repeated = {
  messages: { tools: tools.messages },
  responses: { tools: tools.responses, instructions: "Be brief.", metadata: { app: "a" } },
};

const ask = async (dialect: Dialect, more: object = {}, answer = hello, partner: ExchangePartner = {}) =>
  await exchange(forms[dialect], { ...plain[dialect], ...more }, answer, partner);
const sentFor = async (dialect: Dialect, more: object) => {
  const { sent } = await ask(dialect, more);
  return JSON.parse(sent[0]?.body ?? "");
};
const stream = async (dialect: Dialect, answer: ScriptedAnswer, more: object = {}, partner: ExchangePartner = {}) =>
  await ask(dialect, { stream: true, ...more }, answer, partner);

/** Without what differs from call to call. */
function withoutIds({ text, headers }: { text: string; headers: Readonly<Record<string, string>> }): string {
  const own = (headers["x-generation-id"] ?? "").slice("gen-".length);
  return text.replaceAll(own, "ID").replaceAll(/"completed_at":\d+/g, '"completed_at":0');
}
const typesIn = (text: string) => [...text.matchAll(/^event: (?:response\.)?(\S+)$/gm)].map(([, type]) => type);
const lastIn = (text: string) => JSON.parse([...text.matchAll(/^data: (\{.*)$/gm)].at(-1)?.[1] ?? "");
const deltasIn = (text: string) =>
  [...text.matchAll(/^data: (\{"type":"content_block_delta".*)$/gm)].map(([, data]) => JSON.parse(data ?? ""));

describe.each(dialects)("a request of %s in the chat form", (dialect) => {
  it("is sent to a server that turns out not to have the dialect", async () => {
    const local = { preset: "vllm", baseUrl: "http://127.0.0.1:8000/v1" } as const;
    const lacking = { status: 404, pieces: ["{}"] };
    const { text, sent } = await exchange(
      forms[dialect],
      plain[dialect],
      ({ path }) => (path.endsWith(dialect) ? lacking : hello),
      local,
    );
    expect(text).toContain('"text":"Hello"');
    expect(sent.map(({ path }) => path)).toEqual([`/v1/${dialect}`, "/v1/chat/completions"]);
  });
});

describe("what of a request has a place in the chat form", () => {
  it.each([
    [{ type: "auto" }, { tool_choice: "auto" }],
    [{ type: "any" }, { tool_choice: "required" }],
    [{ type: "none" }, { tool_choice: "none" }],
    [
      { type: "auto", disable_parallel_tool_use: true },
      { tool_choice: "auto", parallel_tool_calls: false },
    ],
    [undefined, {}],
  ])("messages: tool_choice %j becomes %j", async (choice, expected) => {
    const { tool_choice, parallel_tool_calls } = await sentFor("messages", {
      ...repeated.messages,
      tool_choice: choice,
    });
    expect({ tool_choice, parallel_tool_calls }).toEqual({ ...expected });
  });

  const allowed = { type: "allowed_tools", mode: "required", tools: [{ type: "function", name: "b" }] };
  it.each([
    ["auto", { tool_choice: "auto" }],
    ["required", { tool_choice: "required" }],
    [{ type: "function", name: "b" }, { tool_choice: { type: "function", function: { name: "b" } } }],
    [allowed, { tool_choice: "required", tools: [{ type: "function", function: { name: "b" } }] }],
    [null, {}],
  ])("responses: tool_choice %j becomes %j", async (choice, expected) => {
    const offered = ["a", "b"].map((name) => ({ type: "function", name, parameters: null }));
    const all = ["a", "b"].map((name) => ({ type: "function", function: { name } }));
    const { tool_choice, tools: given } = await sentFor("responses", { tools: offered, tool_choice: choice });
    expect({ tool_choice, tools: given }).toEqual({ tools: all, ...expected });
  });

  it.each([
    [{ thinking: { type: "disabled" } }, undefined],
    [{ thinking: { type: "adaptive" }, output_config: { effort: "low" } }, "low"],
    [{ thinking: { type: "adaptive" } }, "medium"],
    [{ output_config: { effort: "max" } }, "max"],
    [{}, undefined],
  ])("messages: %j thinks with the effort %s", async (asked, effort) => {
    expect((await sentFor("messages", asked)).reasoning_effort).toBe(effort);
  });

  it("responses: text as one message, and nothing that was not said", async () => {
    const nothing = { instructions: null, tools: [], text: { format: { type: "text" } }, reasoning: {} };
    const messages = [{ role: "user", content: words }];
    expect(await sentFor("responses", nothing)).toEqual({ model: "upstream-talk", stream: false, messages });
  });

  it("responses: each message of the model's is one, with the thoughts before it", async () => {
    const thought = { type: "reasoning", id: "rs", summary: [], encrypted_content: "e" };
    const said = (content: string) => ({ role: "assistant", content });
    const call = { type: "function_call", call_id: "c", name: "f", arguments: "{}" };
    const given = { type: "function_call_output", call_id: "c", output: "1" };
    const input = [thought, said("a"), said("b"), call, given, thought, call, given, said("c")];
    const encrypted = [{ type: "reasoning.encrypted", data: "e", id: "rs", format: "openai-responses-v1", index: 0 }];
    const calls = [{ id: "c", type: "function", function: { name: "f", arguments: "{}" } }];
    const answer = { role: "tool", tool_call_id: "c", content: "1" };
    expect((await sentFor("responses", { input })).messages).toEqual([
      { role: "assistant", content: "a", reasoning_details: encrypted },
      { role: "assistant", content: "b", tool_calls: calls },
      answer,
      { role: "assistant", content: null, tool_calls: calls, reasoning_details: encrypted },
      answer,
      { role: "assistant", content: "c" },
    ]);
  });

  const long = "x".repeat(2_000_000);
  const use = { role: "assistant", content: [{ type: "tool_use", id: "t", name: "n", input: { a: long } }] };
  const from = (content: object, role = "user") => [{ role, content: [content] }];
  const hologram = { type: "hologram" };
  const search = { type: "web_search_20250305", name: "web_search" };
  it.each<[Dialect, string, object, RegExp]>([
    ["messages", "tools that only its own provider runs", { tools: [search] }, /the dialect of messages/],
    ["messages", "a tool_choice that nobody knows", { tool_choice: { type: "constructor" } }, /of type constructor/],
    ["messages", "a place to run in", { inference_geo: "eu" }, /alone has inference_geo/],
    ["messages", "blocks that nobody knows", { messages: from(hologram) }, /the dialect of messages/],
    ["messages", "a choice that is not known", { tool_choice: { type: "__proto__" } }, /tool_choice of type __proto__/],
    ["messages", "a tool's choice without its name", { tool_choice: { type: "tool" } }, /tool_choice of type tool/],
    ["messages", "2 MB of tool calls", { messages: [use] }, /the dialect of messages/],
    ["responses", "tools that only their provider runs", { tools: [{ type: "web_search" }] }, /of type web_search/],
    ["responses", "parts that nobody knows", { input: from(hologram) }, /hologram/],
    ["responses", "items that nobody knows", { input: [hologram] }, /hologram/],
    ["responses", "roles that nobody knows", { input: [{ role: "critic", content: "a" }] }, /critic/],
    ["responses", "a hosted tool's choice", { tool_choice: { type: "web_search_preview" } }, /tool_choice/],
    [
      "responses",
      "a choice that is not known",
      { tools: tools.responses, tool_choice: "often" },
      /tool_choice of type often/,
    ],
    ["responses", "a server's choice", { tool_choice: { type: "mcp", server_label: "s" } }, /tool_choice of type mcp/],
    ["responses", "prompts that are kept", { prompt: { id: "pmpt_1" } }, /prompts/],
    ["responses", "2 MB of tool calls", { input: [{ type: "function_call", arguments: long }] }, /more than 1 MB/],
    ["responses", "an answer that is kept", { store: true }, /keeps no answers, which store: true needs: leave it out/],
  ])("%s: %s have none: 400, and nothing is sent", async (dialect, _, more, reason) => {
    const { status, refusal, sent } = await ask(dialect, more);
    expect([status, refusal?.type, sent]).toEqual([400, "invalid_request", []]);
    expect(refusal?.message).toMatch(/cannot take this request/);
    expect(refusal?.message).toMatch(reason);
  });
});

describe.each(dialects)("a chat's answer in the dialect of %s", (dialect) => {
  const settled = { apiType: dialect, promptTokens: 100, completionTokens: 30, cost: 160_000n };

  it("has thoughts, text, tools and usage, and what it cost", async () => {
    const { answer, reads } = JSON.parse(fixture(`${dialect}-answer.json`));
    const whole = { headers: { "content-type": "application/json" }, pieces: [JSON.stringify(answer)] };
    const made = await ask(dialect, repeated[dialect], whole);
    expect(JSON.parse(withoutIds(made))).toEqual(reads);
    expect(made.entry).toMatchObject({ id: made.headers["x-generation-id"], ...settled });
    if (dialect === "messages") expect(made.headers["request-id"]).toBe("req_1");
  });

  it.each([1, 7, 1_000_000])("is streamed in the events of the dialect, from pieces of %i bytes", async (size) => {
    const all = streamWithAll(dialect === "responses");
    const made = await stream(dialect, inPieces(all, size), { tools: tools[dialect] });
    expect(withoutIds(made)).toBe(fixture(`${dialect}-stream.sse`));
    expect(made.headers["content-type"]).toBe("text/event-stream; charset=utf-8");
    expect(made.entry).toMatchObject({ streamed: true, finishReason: "tool_calls", ...settled });
  });

  it("has nothing between its beginning and its end where nothing was said", async () => {
    const { text } = await stream(dialect, streamedChat(chunk({ role: "assistant", content: "" }), chunk({}, "stop")));
    const types = {
      messages: ["message_start", "ping", "message_delta", "message_stop"],
      responses: ["created", "in_progress", "completed"],
    };
    expect(typesIn(text)).toEqual(types[dialect]);
  });

  it("says how it was routed where the caller asks for that, whole and at the end of a stream", async () => {
    const asking = { headers: { "x-openrouter-metadata": "enabled" } };
    const { json } = await ask(dialect, {}, hello, asking);
    expect(json.openrouter_metadata).toMatchObject({ requested: "acme/talk" });
    const last = lastIn((await stream(dialect, streamedChat(chunk({ content: "Hello" }, "stop")), {}, asking)).text);
    expect((last.response ?? last).openrouter_metadata).toMatchObject({ attempt: 1 });
  });
});

const patch = { id: "call_1", type: "custom", custom: { name: "patch", input: 'a "b"\n' } };
const hologram = { id: "call_2", type: "hologram", hologram: { name: "h", depth: 3 } };
const pieces = [
  callChunk(0, { ...patch, custom: { name: "patch", input: 'a "b' } }),
  callChunk(0, { custom: { input: '"\n' } }),
  callChunk(1, hologram),
  chunk({}, "tool_calls"),
];

describe("calls of other tools than functions", () => {
  const whole = wholeChat({ content: null, tool_calls: [patch, hologram] }, "tool_calls");
  const streamed = streamedChat(...pieces);
  const isItem = (item: object) => ({ id: expect.any(String), status: "completed", ...item });
  const items = [
    isItem({ type: "custom_tool_call", call_id: "call_1", name: "patch", input: 'a "b"\n' }),
    isItem({ type: "function_call", call_id: "call_2", name: "h", arguments: '{"name":"h","depth":3}' }),
  ];
  const blocks = [
    { type: "tool_use", id: "call_1", name: "patch", input: { input: 'a "b"\n' } },
    { type: "tool_use", id: "call_2", name: "h", input: { name: "h", depth: 3 } },
  ];

  it("are whole in a whole answer", async () => {
    const chat = { model: "acme/talk", messages: [{ role: "user", content: words }] };
    const asked = await exchange(chatForm, chat, whole);
    expect(asked.json.choices[0].message.tool_calls).toEqual([patch, hologram]);
    expect((await ask("messages", {}, whole)).json.content).toEqual(blocks);
    expect((await ask("responses", {}, whole)).json.output).toEqual(items);
  });

  it("are whole in a stream", async () => {
    const chat = { model: "acme/talk", messages: [{ role: "user", content: words }], stream: true };
    const { text } = await exchange(chatForm, chat, streamed);
    const deltas = [...text.matchAll(/^data: (\{.*)$/gm)].flatMap(
      ([, data]) => JSON.parse(data ?? "").choices[0]?.delta.tool_calls ?? [],
    );
    expect(deltas).toEqual(
      pieces.slice(0, 3).map((piece) => JSON.parse(piece.slice(6)).choices[0].delta.tool_calls[0]),
    );
    const message = (await stream("messages", streamed)).text;
    const inputs = [0, 1].map((at) =>
      deltasIn(message)
        .filter(({ index }) => index === at)
        .map(({ delta }) => delta.partial_json)
        .join(""),
    );
    expect(inputs.map((input) => JSON.parse(input))).toEqual(blocks.map(({ input }) => input));
    expect(lastIn((await stream("responses", streamed)).text).response.output).toEqual(items);
  });
});

describe("what a chat's answer becomes", () => {
  it.each([
    ["stop", "end_turn"],
    ["length", "max_tokens"],
    ["content_filter", "refusal"],
    ["function_call", "tool_use"],
    ["eos", "end_turn"],
  ])("messages: the finish reason %s is the stop reason %s", async (finish, stop) => {
    expect((await ask("messages", {}, wholeChat({ content: "Hello" }, finish))).json.stop_reason).toBe(stop);
  });

  it.each([
    ["stop", "completed", null],
    ["function_call", "completed", null],
    ["length", "incomplete", { reason: "max_output_tokens" }],
    ["content_filter", "incomplete", { reason: "content_filter" }],
    ["error", "failed", null],
  ])("responses: the finish reason %s is the status %s, whole and as a stream's last event", async (...row) => {
    const [finish, status, details] = row;
    const { json } = await ask("responses", {}, wholeChat({ content: "Hello" }, finish));
    expect([json.status, json.incomplete_details]).toEqual([status, details]);
    expect(json.error === null).toBe(status !== "failed");
    expect(json.output[0].status).toBe(status === "completed" ? "completed" : "incomplete");
    const { text } = await stream("responses", streamedChat(chunk({ content: "Hello" }), chunk({}, finish)));
    expect(typesIn(text).at(-1)).toBe(status);
  });

  it("messages: signed thoughts in a row are blocks of their own, and a signature that comes twice is one", async () => {
    const thought = (more: object) => chunk({ reasoning_details: [{ type: "reasoning.text", ...more }] });
    const second = { text: "second", signature: "two" };
    const thoughts = [{ text: "first" }, { signature: "one" }, { signature: "one" }, second].map(thought);
    const { text } = await stream("messages", streamedChat(...thoughts, chunk({ content: "Hello" }, "stop")));
    expect(deltasIn(text).map(({ index, delta: { type: _, ...said } }) => [index, said])).toEqual([
      [0, { thinking: "first" }],
      [0, { signature: "one" }],
      [1, { thinking: "second" }],
      [1, { signature: "two" }],
      [2, { text: "Hello" }],
    ]);
  });

  it("responses: a refusal is a part of its own, and probabilities are with their text", async () => {
    const refused = await ask("responses", {}, wholeChat({ content: null, refusal: "I won't." }));
    expect(refused.json.output[0].content).toEqual([{ type: "refusal", refusal: "I won't." }]);
    const token = { token: "Hello", logprob: -0.1, bytes: null, top_logprobs: [] };
    const likely = wholeChat({ content: "Hello" }, "stop", {}, { logprobs: { content: [token] } });
    const asked = { top_logprobs: 2, include: ["message.output_text.logprobs"] };
    const { json, sent } = await ask("responses", asked, likely);
    expect(json.output[0].content[0].logprobs).toEqual([token]);
    expect(JSON.parse(sent[0]?.body ?? "")).toMatchObject({ logprobs: true, top_logprobs: 2 });
  });

  it("responses: a refusal and an image are streamed, each as an item's own", async () => {
    const image = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } };
    const frames = [chunk({ refusal: "No" }), chunk({ images: [image] }), chunk({}, "stop")];
    const { text } = await stream("responses", streamedChat(...frames));
    const refused = ["content_part.added", "refusal.delta", "refusal.done", "content_part.done"];
    const item = (...within: string[]) => ["output_item.added", ...within, "output_item.done"];
    const items = [...item(...refused), ...item("image_generation_call.completed")];
    expect(typesIn(text)).toEqual(["created", "in_progress", ...items, "completed"]);
    const output = [{ content: [{ type: "refusal", refusal: "No" }] }, { result: "AAAA" }];
    expect(lastIn(text)).toMatchObject({ response: { output } });
  });

  it("responses: an event of 200 kB is streamed, and instructions that are as long are repeated", async () => {
    const long = "\u2026 word ".repeat(30_000);
    const frames = [chunk({ content: long }), chunk({ content: "." }), chunk({}, "stop")];
    const { text } = await stream("responses", streamedChat(...frames), { instructions: long });
    expect(typesIn(text).join(" ")).toMatch(/created .*text\.delta .*text\.done .*completed$/);
    const { response } = lastIn(text);
    expect(response.instructions === long).toBe(true);
    expect(response.output[0].content[0].text === `${long}.`).toBe(true);
  });
});

it("responses: thoughts around a text keep their places, in the answer and back at Anthropic", async () => {
  const thought = (text: string) => ({ type: "thinking", thinking: text, signature: `${text}!` });
  const called = { type: "tool_use", id: "toolu_1", name: "look", input: {} };
  const content = [thought("first"), { type: "text", text: "Well." }, thought("second"), called];
  const usage = { input_tokens: 10, output_tokens: 10 };
  const message = {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "m",
    content,
    stop_reason: "tool_use",
    usage,
  };
  const answer = { headers: { "content-type": "application/json" }, pieces: [JSON.stringify(message)] };
  const partner = { kind: "anthropic", preset: "anthropic" } as const;
  const { json } = await ask("responses", {}, answer, partner);
  expect(json.output.map(({ type }: { type: string }) => type)).toEqual([
    "reasoning",
    "message",
    "reasoning",
    "function_call",
  ]);
  const result = { type: "function_call_output", call_id: "toolu_1", output: "1" };
  const input = [{ role: "user", content: words }, ...json.output, result];
  const { sent } = await ask("responses", { input }, answer, partner);
  expect(JSON.parse(sent[0]?.body ?? "{}").messages[1].content).toEqual(content);
});

it("messages: unsigned thoughts go to servers that read any, and not to Anthropic", async () => {
  const thought = { type: "thinking", thinking: "first", signature: "" };
  const said = { type: "text", text: "Well." };
  const messages = [
    { role: "user", content: words },
    { role: "assistant", content: [thought, said] },
    { role: "user", content: words },
  ];
  const contentAt = async (partner: ExchangePartner) => {
    const { sent } = await ask("messages", { messages }, hello, partner);
    return JSON.parse(sent[0]?.body ?? "{}").messages[1].content;
  };
  expect(await contentAt({ kind: "anthropic", preset: "anthropic" })).toEqual([said]);
  expect(await contentAt({ preset: "ollama", baseUrl: "http://127.0.0.1:11434/v1" })).toEqual([thought, said]);
});
