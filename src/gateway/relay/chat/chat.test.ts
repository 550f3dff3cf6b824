import { describe, expect, it } from "vitest";
import { countTokens } from "../../providers/local/lexical.ts";
import { chunk, inPieces, streamedChat, wholeChat } from "../../testing/chat-answers.ts";
import { describeGateway, engine } from "../../testing/describe-gateway.ts";
import { exchange, type ExchangePartner } from "../../testing/exchange.ts";
import { expectError, expectIssues } from "../../testing/expect-error.ts";
import { makeKey, makeWorkspace } from "../../testing/factories.ts";
import { ledgerRow } from "../../testing/ledger-calls.ts";
import { json, type ScriptedAnswer } from "../../testing/scripted-vendor.ts";
import { withVendor } from "../../testing/vendor-setup.ts";
import { chatForm } from "./chat-form.ts";

const messages = [{ role: "user", content: "Say hello to me" }];
const words = ["Hello", " from", " the", " fake", " vendor", "."];
const hello = wholeChat({ content: words.join("") });
const usage = { prompt_tokens: 4, completion_tokens: 6, total_tokens: 10 };
const streamed = (counts: object | null = usage): ScriptedAnswer => ({
  headers: { "content-type": "text/event-stream" },
  pieces: [
    chunk({ role: "assistant", content: "" }),
    ...words.map((content) => chunk({ content })),
    chunk({}, "stop"),
    ...(counts === null ? [] : [`data: ${JSON.stringify({ choices: [], usage: counts })}\n\n`]),
    "data: [DONE]\n\n",
  ],
});
const ask = async (body: object, answer: ScriptedAnswer = hello, partner: ExchangePartner = {}) =>
  await exchange(chatForm, { model: "acme/talk", messages, ...body }, answer, partner);

/** The frames of a stream: comments left out, data parsed. */
// oxlint-disable-next-line typescript/no-explicit-any -- chunks of every shape
function framesOf(text: string): any[] {
  const frames = text.split("\n\n").filter((frame) => frame.startsWith("data: "));
  expect(frames.at(-1)).toBe("data: [DONE]");
  return frames.slice(0, -1).map((frame) => JSON.parse(frame.slice(6)));
}

describe("a chat", () => {
  it("is the vendor's answer under the gateway's id and model, with what it cost", async () => {
    const {
      json: given,
      headers,
      sent,
      entry,
    } = await ask({ temperature: 0.5, surprise: { kept: true } }, wholeChat({ content: "Hello" }, "stop", usage));
    const id = headers["x-generation-id"];
    expect(given).toMatchObject({
      id,
      object: "chat.completion",
      model: "acme/talk",
      system_fingerprint: null,
      choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "Hello" } }],
      usage: { ...usage, cost: 0.000016, is_byok: false },
    });
    const body = { model: "upstream-talk", messages, temperature: 0.5, surprise: { kept: true }, stream: false };
    expect(JSON.parse(sent[0]?.body ?? "")).toEqual(body);
    const settled = { apiType: "completions", provider: "acme", cost: 16_000n, promptTokens: 4, completionTokens: 6 };
    const end = { meteredBy: "upstream", finishReason: "stop", upstreamId: "chatcmpl-1" };
    expect(entry).toMatchObject({ id, ...settled, ...end });
  });

  it("does not pass on what is the gateway's own, and records it", async () => {
    const own = {
      provider: { allow_fallbacks: true },
      models: ["acme/talk"],
      session_id: "s",
      trace: { trace_id: "t" },
    };
    const { sent, entry } = await ask({ ...own, user: "u".repeat(1_000) });
    expect(Object.keys(JSON.parse(sent[0]?.body ?? "")).toSorted()).toEqual(["messages", "model", "stream", "user"]);
    expect(entry).toMatchObject({ sessionId: "s", trace: { trace_id: "t" }, externalUser: "u".repeat(1_000) });
  });

  it("may have the older role function, and no bound on the answer", async () => {
    const conversation = [...messages, { role: "function", name: "weather", content: "sunny" }];
    const { sent } = await ask({ messages: conversation, max_tokens: 0 });
    expect(JSON.parse(sent[0]?.body ?? "")).toEqual({ model: "upstream-talk", messages: conversation, stream: false });
  });

  it.each([
    ["absent", undefined],
    ["negative", { prompt_tokens: -4, completion_tokens: -6 }],
    ["a text", { prompt_tokens: "many", completion_tokens: "many" }],
  ])("is counted by the gateway, which says so, where the vendor's usage is %s", async (_, counts) => {
    const { json: given, entry } = await ask({}, json({ ...JSON.parse(String(hello.pieces[0])), usage: counts }));
    expect(given.usage.completion_tokens).toBe(6);
    expect(given.usage.cost).toBeGreaterThan(0);
    expect(entry).toMatchObject({ meteredBy: "gateway" });
  });

  it("is counted by the beginning of a long answer, which stands for the rest", async () => {
    const text = "some words to be counted ".repeat(24_000);
    const { json: given } = await ask({}, wholeChat({ content: text }, "stop", { completion_tokens: -1 }));
    expect(given.choices[0].message.content === text).toBe(true);
    const counted = (countTokens(text.slice(0, 262_144)) * text.length) / 262_144;
    expect(given.usage.completion_tokens).toBe(Math.ceil(counted));
  });

  it("has what a vendor says beside, and the members of a choice that it leaves out", async () => {
    const fingerprint = { system_fingerprint: "fp_fake", surprise: { kept: true } };
    const beside = await ask({}, json({ ...JSON.parse(String(hello.pieces[0])), ...fingerprint }));
    expect(beside.json).toMatchObject(fingerprint);
    const { json: given } = await ask({}, json({ created: "now", choices: [{ message: { content: "hi" } }] }));
    const message = { role: "assistant", content: "hi" };
    expect(given).toMatchObject({ created: 1_795_262_400, choices: [{ index: 0, message, finish_reason: null }] });
  });

  it("400: a prompt that is too long for all who serve the model", async () => {
    const long = [{ role: "user", content: "word ".repeat(60_000) }];
    const { refusal, sent } = await ask({ messages: long }, hello, { model: { contextLength: 32_768 } });
    expect([refusal?.type, sent]).toEqual(["context_length_exceeded", []]);
    expect(refusal?.message).toMatch(/^messages are too long for acme\/talk: its context is 32768/);
  });

  it("400: what is nested too deep, wherever it stands, before anything is reserved or sent", async () => {
    const deep = `${"[".repeat(5_000)}${"]".repeat(5_000)}`;
    for (const body of [
      { trace: { deep: 0 } },
      { vendor_member: { deep: 0 } },
      { messages: [{ role: "user", content: "hi", deep: 0 }] },
      { messages: [{ role: "assistant", content: null, tool_calls: [{ deep: 0 }] }] },
    ]) {
      const raw = JSON.stringify({ model: "acme/talk", messages, ...body }).replace('"deep":0', `"deep":${deep}`);
      const { refusal, sent, entry } = await exchange(chatForm, raw, hello, { limit: 1 });
      expect([refusal?.type, sent, entry]).toEqual(["invalid_request", [], undefined]);
      expect(refusal?.message).toMatch(/nested deeper than 100 levels/);
    }
  });
});

describe("thoughts that a vendor writes in two members", () => {
  const said = { reasoning: "Hm.", reasoning_content: "Hm.", content: "Yes." };
  const answers = [
    ["whole", wholeChat(said)],
    ["streamed", streamedChat(chunk(said), chunk({}, "stop"))],
  ] as const;

  it.each(answers)("come in the public API's, and in its details, %s", async (form, answer) => {
    const { text } = await ask({ stream: form === "streamed" }, answer);
    expect(text.match(/"[a-z_]+":"Hm\."/g)).toEqual(['"reasoning":"Hm."', '"text":"Hm."']);
  });

  it.each(answers)("come in the other one where the caller asks for that, %s", async (form, answer) => {
    const headers = { "x-gatehouse-reasoning": "reasoning_content" };
    const { text } = await ask({ stream: form === "streamed" }, answer, { headers });
    expect(text.match(/"[a-z_]+":"Hm\."/g)?.toSorted()).toEqual(['"reasoning_content":"Hm."', '"text":"Hm."']);
  });
});

describe("a chat as a stream", () => {
  /** As the public API has it: some of its clients read no chunk without a choice. */
  const nothingMore = { index: 0, delta: { role: "assistant", content: "" }, finish_reason: null };

  it.each([1, 1_000_000])(
    "is the chunks, then usage with the cost, then [DONE], from pieces of %i bytes",
    async (size) => {
      const { text, headers, entry } = await ask({ stream: true }, inPieces(streamed(), size));
      expect(headers["content-type"]).toMatch(/^text\/event-stream/);
      const chunks = framesOf(text);
      const id = headers["x-generation-id"];
      const own = { id, model: "acme/talk", object: "chat.completion.chunk" };
      for (const each of chunks) expect(each).toMatchObject(own);
      expect(chunks.at(-1)).toMatchObject({ choices: [nothingMore], usage: { ...usage, cost: 0.000016 } });
      expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? "").join("")).toBe(words.join(""));
      expect(entry).toMatchObject({ streamed: true, cost: 16_000n, status: 200, cancelled: false });
    },
  );

  it("is counted by the gateway where the vendor sends no usage", async () => {
    const { text, entry } = await ask({ stream: true }, streamed(null));
    expect(framesOf(text).at(-1)).toMatchObject({ choices: [nothingMore], usage: { completion_tokens: 6 } });
    expect(entry).toMatchObject({ meteredBy: "gateway" });
  });
});

describeGateway("createChatCompletion", (gateway) => {
  const vendor = withVendor(gateway);
  const chat = async (body: object, key: string, headers: Record<string, string> = {}) =>
    await gateway().call("POST", "/chat/completions", {
      key,
      body: { model: "acme/talk", messages, ...body },
      headers,
    });

  it("asks the workspace's default model where the call names none", async () => {
    const { id } = await makeWorkspace(gateway());
    const { key } = await makeKey(gateway(), { workspace_id: id });
    expectIssues(await chat({ model: undefined }, key), "model");
    await gateway().call("PATCH", `/workspaces/${id}`, { body: { default_text_model: "acme/talk" } });
    expect((await chat({ model: undefined }, key)).json).toMatchObject({ model: "acme/talk" });
  });

  it("404: an embedding model is no chat model", async () => {
    const { key } = await makeKey(gateway());
    expectError(await chat({ model: "acme/embed" }, key), "not_found", /not a chat model/);
  });

  it("stores attribution, user, session and trace", async () => {
    const { key } = await makeKey(gateway());
    const own = { user: "u".repeat(1_000), session_id: "s-1", trace: { trace_id: "t-1" } };
    const { headers } = await chat(own, key, { "http-referer": "https://app.example", "x-title": "App" });
    expect(await ledgerRow(gateway(), headers.get("x-generation-id"))).toMatchObject({
      http_referer: "https://app.example",
      app_title: "App",
      external_user: "u".repeat(255),
      session_id: "s-1",
      trace: { trace_id: "t-1" },
    });
  });

  // The embedded store records it in its journal, whatever becomes of the table.
  if (engine === "embedded") return;

  it("a stream that cannot be recorded ends with an error", async () => {
    const { key } = await makeKey(gateway());
    const { db } = gateway().deps.store;
    await db.schema.alterTable("ledger").renameTo("ledger_away").execute();
    try {
      const { status, text } = await chat({ stream: true }, key);
      expect([status, vendor().calls()]).toEqual([200, 1]);
      const last = JSON.parse(text.trimEnd().split("\n\n").at(-1)?.slice(6) ?? "");
      expect(last).toMatchObject({ error: { code: 500 }, choices: [{ finish_reason: "error" }] });
    } finally {
      await db.schema.alterTable("ledger_away").renameTo("ledger").execute();
    }
  });
});
