import { describe, expect, it } from "vitest";
import type { CallerForm } from "../caller-form.ts";
import { inPieces } from "../../testing/chat-answers.ts";
import { exchange, exchangeKey, type ExchangePartner } from "../../testing/exchange.ts";
import * as claudes from "../../testing/messages-answers.ts";
import * as openais from "../../testing/responses-answers.ts";
import type { ScriptedAnswer } from "../../testing/scripted-vendor.ts";
import { messagesForm } from "../messages/messages-form.ts";
import { responsesForm } from "../responses/responses-form.ts";

const done = "data: [DONE]\n\n";
const model = { id: "acme/talk", upstreamId: "upstream-model" };
/** Long enough for the usage that the vendors report to be believed. */
const words = "Say hello. ".repeat(40);

interface Dialect {
  readonly form: CallerForm;
  readonly partner: ExchangePartner;
  readonly plain: object;
  readonly path: string;
  readonly whole: string;
  readonly stream: readonly string[];
  readonly answer: {
    answering: (pieces: ScriptedAnswer["pieces"]) => ScriptedAnswer;
    answeringWhole: (body?: string) => ScriptedAnswer;
  };
  readonly passedHeaders: Readonly<Record<string, string>>;
  readonly ids: readonly [whole: string, stream: string];
  /** what the gateway adds to a stream's end */
  readonly end: string;
  /** the frame of a piece of text, and the texts in a stream */
  readonly delta: (text: string) => string;
  readonly texts: (text: string) => string[];
  /** where the text of a stream begins and ends, and the text in a whole answer */
  readonly from: number;
  readonly textIn: (answer: any) => string; // oxlint-disable-line typescript/no-explicit-any -- an answer to look into
}

const frameOf = (data: { type: string }) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
/** The same frame with other usage, if it has any. */
function withUsage(frame: string, usage: unknown): string {
  const data = JSON.parse(frame.slice(frame.indexOf("data: ") + 6));
  const holder = data.message ?? data.response ?? data;
  if (holder.usage == null) return frame;
  holder.usage = usage;
  return frameOf(data);
}
const most = { max_output_tokens: 100 };
const at1 = (text: string) => ({ index: 1, delta: { type: "text_delta", text } });
const deltasIn = (text: string, type: string) =>
  text
    .split("\n\n")
    .filter((frame) => frame.startsWith(`event: ${type}`))
    .map((frame) => JSON.parse(frame.slice(frame.indexOf("data: ") + 6)));

const dialects: readonly (readonly [string, Dialect])[] = [
  [
    "messages",
    {
      form: messagesForm,
      partner: { kind: "anthropic", preset: "anthropic", model: { ...model, upstreamId: "claude-upstream" } },
      plain: { model: "acme/talk", max_tokens: 100, messages: [{ role: "user", content: words }] },
      path: "/v1/messages",
      whole: claudes.wholeMessage,
      stream: claudes.streamedMessage,
      answer: claudes,
      passedHeaders: Object.fromEntries(
        Object.entries(claudes.vendorHeaders).filter(([name]) => name !== "x-internal"),
      ),
      ids: ["msg_01XFDUDYJgAACzvnptvVoYEL", "msg_01"],
      end: "",
      delta: (text) => frameOf({ type: "content_block_delta", ...at1(text) }),
      texts: (text) => deltasIn(text, "content_block_delta").flatMap(({ delta }) => delta.text ?? []),
      from: 7,
      textIn: ({ content }) => content[1].text,
    },
  ],
  [
    "responses",
    {
      form: responsesForm,
      partner: { preset: "openai", model },
      plain: { model: "acme/talk", input: words },
      path: "/v1/responses",
      whole: openais.wholeResponse,
      stream: openais.streamedResponse,
      answer: openais,
      passedHeaders: { "openai-processing-ms": "312", "openai-version": "2020-10-01" },
      ids: [
        "resp_67ccd3a9da748190baa7f1570fe91ac604becb25c45c1d41",
        "resp_67c9fdcecf488190bdd9a0409de3a1ec07b8b0ad4e5eb654",
      ],
      end: done,
      delta(text) {
        const at = { sequence_number: 1, item_id: "msg_1", output_index: 1, content_index: 0 };
        const said = { delta: text, logprobs: [{ token: text, logprob: -1 }] };
        return frameOf({ type: "response.output_text.delta", ...at, ...said });
      },
      texts: (text) => deltasIn(text, "response.output_text.delta").map(({ delta }) => delta),
      from: 10,
      textIn: ({ output }) => output[2].content[0].text,
    },
  ],
];

describe.each(dialects)("%s, passed on to a vendor of the dialect", (name, dialect) => {
  const { form, partner, plain, whole, stream, end } = dialect;
  const { answering, answeringWhole } = dialect.answer;
  const named = (text: string) => text.replaceAll(/claude-upstream|upstream-model/g, "acme/talk");
  const ask = async (body: string | object, more: ExchangePartner = {}, answer = answeringWhole()) =>
    await exchange(form, typeof body === "string" ? body : { ...plain, ...body }, answer, { ...partner, ...more });
  const asked = async (answer: ScriptedAnswer, more: ExchangePartner = {}) => await ask({}, more, answer);
  const streamed = async (answer: ScriptedAnswer, more: ExchangePartner = {}) =>
    await ask({ stream: true }, more, answer);
  const settled = {
    apiType: name,
    model: "acme/talk",
    provider: "acme",
    status: 200,
    promptTokens: 160,
    completionTokens: 50,
    reasoningTokens: 12,
    cachedTokens: 20,
    meteredBy: "upstream",
    finishReason: "tool_calls",
    cost: 260_000n,
  };

  it("goes to the vendor's operation with the gateway's own key, and no other header of the caller's", async () => {
    const { sent } = await ask({}, { headers: { "x-secret": "mine", authorization: "Bearer caller" } });
    expect(sent[0]?.path).toBe(dialect.path);
    const key = name === "messages" ? { "x-api-key": exchangeKey } : { authorization: `Bearer ${exchangeKey}` };
    expect(sent[0]?.headers).toMatchObject(key);
    expect(JSON.stringify(sent[0]?.headers)).not.toMatch(/mine|caller/);
  });

  describe("a whole answer", () => {
    it("is the vendor's bytes, but for the model's name, with its headers and its usage on the ledger", async () => {
      const { text, headers, entry } = await ask({});
      expect(text).toBe(named(whole));
      expect(headers).toMatchObject(dialect.passedHeaders);
      for (const own of ["x-internal", "openai-organization"]) expect(headers).not.toHaveProperty(own);
      expect(entry).toMatchObject({ ...settled, upstreamId: dialect.ids[0], streamed: false });
    });

    it("of 2 MB is passed on the same way", async () => {
      const long = whole.replace("I'll check", `I'll ${"check \\u2026 ".repeat(200_000)}`);
      expect((await asked(answeringWhole(long))).text === named(long)).toBe(true);
    });

    it.each([64, 300_000])("has the vendor's key blotted out, %i bytes on", async (after) => {
      const said = `${"x".repeat(after)} ${exchangeKey}`;
      const { status, text, json } = await asked(answeringWhole(whole.replace("I'll check", said)));
      expect([status, text.includes(exchangeKey)]).toEqual([200, false]);
      expect(json).toMatchObject({ model: "acme/talk", id: dialect.ids[0] });
      expect(dialect.textIn(json)).toContain("[key]");
    });

    it("says how it was routed where the caller asks for that, and nothing else", async () => {
      const { json, text } = await ask({}, { headers: { "x-openrouter-metadata": "enabled" } });
      expect(json.openrouter_metadata).toMatchObject({ requested: "acme/talk", attempt: 1 });
      expect(text.startsWith(named(whole).slice(0, -2))).toBe(true);
    });

    it.each([
      ["absent", undefined],
      ["null", null],
      ["negative", { input_tokens: -5, output_tokens: 1 }],
      ["immense", { input_tokens: 1e15, output_tokens: 1e15 }],
      ["no object", "many"],
    ])("whose usage is %s is counted by the gateway, and passed on all the same", async (_, usage) => {
      const body = JSON.stringify({ ...JSON.parse(whole), usage });
      const { text, entry } = await ask(most, { limit: 1 }, answeringWhole(body));
      expect(text).toBe(named(body));
      expect(entry?.meteredBy).toBe("gateway");
      expect(entry?.cost).toBeLessThan(1_000_000n);
    });
  });

  describe("a stream", () => {
    it("is the vendor's events in their order, but for the model's name, with their usage on the ledger", async () => {
      const { text, headers, entry } = await streamed(answering(stream));
      expect(text).toBe(named(stream.join("")) + end);
      expect(headers).toMatchObject({ ...dialect.passedHeaders, "content-type": "text/event-stream; charset=utf-8" });
      expect(entry).toMatchObject({ ...settled, upstreamId: dialect.ids[1], streamed: true });
    });

    it.each([1, 7])("is the same in pieces of %i bytes", async (size) => {
      expect((await streamed(inPieces(answering(stream), size))).text).toBe(named(stream.join("")) + end);
    });

    it("may have an event of 200 kB", async () => {
      const long = stream.map((frame) => frame.replace("the weather.", `${"\\u2026 word ".repeat(16_000)}.`));
      expect((await streamed(answering(long))).text === named(long.join("")) + end).toBe(true);
    });

    it("gets the names of its events where the vendor leaves them out, since official clients need them", async () => {
      const { text } = await streamed(answering(stream.map((frame) => frame.replace(/^event: .*\n/, ""))));
      expect(text).toBe(named(stream.join("")) + end);
    });

    it("ends once, where the vendor ends it like a chat", async () => {
      expect((await streamed(answering([...stream, done]))).text).toBe(named(stream.join("")) + end);
    });

    it("has the vendor's key blotted out, in one event and across several", async () => {
      const pieces = [exchangeKey.slice(0, 9), exchangeKey.slice(9, 20), `${exchangeKey.slice(20)} c`];
      const said = [`a ${exchangeKey} b `, ...pieces, exchangeKey.slice(0, 7)].map(dialect.delta);
      const [before, after] = [stream.slice(0, dialect.from), stream.slice(dialect.from + 2)];
      const { text } = await streamed(answering([...before, ...said, ...after]));
      expect(dialect.texts(text).join("")).toContain(`a [key] b [key] c${exchangeKey.slice(0, 7)}`);
      expect(text).not.toContain(exchangeKey.slice(9, 20));
      expect(text).toContain(named(after.join("")).slice(0, 60));
    });

    it.each([
      ["absent", null],
      ["negative", { input_tokens: -1, output_tokens: -5 }],
      ["immense", { input_tokens: 1e15, output_tokens: 1e15 }],
    ])("whose usage is %s is counted by the gateway, and passed on all the same", async (_, usage) => {
      const odd = stream.map((frame) => withUsage(frame, usage));
      const { text, entry } = await ask({ ...most, stream: true }, { limit: 1 }, answering(odd));
      expect(text).toBe(named(odd.join("")) + end);
      expect(entry?.meteredBy).toBe("gateway");
      expect(entry?.cost).toBeLessThan(2_000_000n);
    });
  });
});

describe("what only messages have", () => {
  const [, { form, partner, plain, stream }] = dialects[0] as (typeof dialects)[number];
  const { answering, answeringWhole } = claudes;
  const ask = async (body: string | object, more: ExchangePartner = {}, answer = answeringWhole()) =>
    await exchange(form, body, answer, { ...partner, ...more });

  it("the request is the caller's bytes, but for the model's name, the gateway's own members and nulls", async () => {
    const { sent, entry } = await ask(
      `{ "model" : "acme/talk", "provider": {"order": ["acme"]},\n "max_tokens": 1e2, "session_id": "s-1", "user": "u-1",
        "messages": [{"role": "user", "content": [{"type": "text", "text": "\\u00e9 \\/", "surprise": 1.0}]}],
        "thinking": {"type": "enabled", "budget_tokens": 1024}, "system": null, "trace": {"trace_id": "t"}, "surprise": {"model": 1.50}, "models": ["acme/talk"] }`,
    );
    expect(sent[0]?.body).toBe(
      `{ "model" : "claude-upstream",\n "max_tokens": 1e2,
        "messages": [{"role": "user", "content": [{"type": "text", "text": "\\u00e9 \\/", "surprise": 1.0}]}],
        "thinking": {"type": "enabled", "budget_tokens": 1024}, "surprise": {"model": 1.50} }`,
    );
    expect(entry).toMatchObject({ externalUser: "u-1", sessionId: "s-1", trace: { trace_id: "t" } });
  });

  it("the dialect's headers are the caller's, or today's version", async () => {
    const headers = { "anthropic-version": "2026-10-21", "anthropic-beta": "a-1,b-2" };
    expect((await ask(plain, { headers })).sent[0]?.headers).toMatchObject(headers);
    const { sent } = await ask(plain);
    expect(sent[0]?.headers).toMatchObject({ "anthropic-version": "2023-06-01" });
    expect(sent[0]?.headers).not.toHaveProperty("authorization");
  });

  it.each([[{}], [{ max_tokens: null }], [{ max_tokens: 0 }]])("%j asks for the model's maximum", async (given) => {
    const { max_tokens: _, ...rest } = plain as { max_tokens: number };
    const { sent } = await ask({ ...rest, ...given });
    expect(JSON.parse(sent[0]?.body ?? "")).toEqual({ ...rest, model: "claude-upstream", max_tokens: 8_192 });
  });

  it("a body in which a member comes twice is written anew, so that what is billed is what was checked", async () => {
    const text = JSON.stringify("x".repeat(1_000));
    const { sent } = await ask(
      `{"model":"acme/talk","max_tokens":5,"messages":[{"role":"user","content":${text},"content":"hi"}],"thinking":{"type":"enabled","budget_tokens":9000,"budget_tokens":1024}}`,
    );
    expect(sent[0]?.body).toBe(
      '{"model":"claude-upstream","max_tokens":5,"messages":[{"role":"user","content":"hi"}],"thinking":{"type":"enabled","budget_tokens":1024}}',
    );
  });

  const pdf = { source: { type: "base64", media_type: "application/pdf", data: "A".repeat(400) } };
  const page = { type: "web_fetch_result", url: "https://example.com", content: { type: "document", ...pdf } };
  it.each([
    ["a document", { type: "document", ...pdf }],
    ["a page that was fetched", { type: "web_fetch_tool_result", tool_use_id: "s", content: page }],
  ])("402: a PDF in %s may have as many tokens as the context, and costs too much", async (_, block) => {
    const messages = [{ role: "assistant", content: [block] }];
    const { status, sent } = await ask({ model: "acme/talk", max_tokens: 10, messages }, { limit: 0.01 });
    expect([status, sent]).toEqual([402, []]);
  });

  it("what is written to the vendor's cache is charged at its price: a quarter more for 5 minutes, twice for an hour", async () => {
    const cached = { type: "text", text: "x ".repeat(500), cache_control: { type: "ephemeral", ttl: "1h" } };
    const { entry } = await ask({ ...plain, messages: [{ role: "user", content: [cached] }] });
    // 10 tokens for an hour and 30 for 5 minutes count as 17.5 more.
    expect(entry?.cost).toBe(260_000n + 17_500n);
  });

  it.each([
    ["a tool that the provider runs", { tools: [{ type: "web_search_20250305", name: "web_search" }] }],
    ["a faster mode", { speed: "fast" }],
    ["a region", { inference_geo: "us" }],
    ["a server of tools", { mcp_servers: [{ type: "url", url: "https://93.184.216.34", name: "m" }] }],
    ["a context that is compacted", { context_management: { edits: [{ type: "compact_20260112" }] } }],
  ])("402: %s has no price, so a limit cannot count it", async (_, more) => {
    const { status, refusal } = await ask({ ...plain, ...more }, { limit: 1 });
    expect([status, refusal?.message]).toEqual([402, expect.stringMatching(/has no price/)]);
    expect((await ask({ ...plain, ...more })).status).toBe(200);
  });

  it.each([{ max_tokens: 5_000 }, { max_tokens: null }, { thinking: { type: "enabled", budget_tokens: 4_000 } }])(
    "402: a limit that the longest answer does not fit into, and nothing is sent: %j",
    async (longest) => {
      const { status, refusal, sent } = await ask({ ...plain, ...longest }, { limit: 0.001 });
      expect([status, refusal?.type, sent]).toEqual([402, "payment_required", []]);
      expect((await ask(plain, { limit: 0.001 })).status).toBe(200);
    },
  );

  it("400: an image in a private network, by its place in the request; what a tool is called with is text", async () => {
    const source = { type: "url", url: "http://127.0.0.1/cat.png" };
    const inside = [{ type: "tool_result", tool_use_id: "a", content: [{ type: "image", source }] }];
    const { refusal } = await ask({ ...plain, messages: [{ role: "user", content: inside }] });
    expect(refusal?.message).toMatch(/messages\.0\.content\.0\.content\.0\.source\.url/);
    const call = { type: "tool_use", id: "a", name: "open", input: { url: "http://127.0.0.1:3000/" } };
    const messages = [
      { role: "user", content: "Open it" },
      { role: "assistant", content: [call] },
    ];
    expect((await ask({ ...plain, messages })).status).toBe(200);
  });

  it("a model that nobody offers is passed over for a fallback", async () => {
    const { status, entry } = await ask({ ...plain, model: "acme/none", fallbacks: [{ model: "acme/talk" }] });
    expect(status).toBe(200);
    expect(entry?.attempts).toMatchObject([{ model: "acme/none", status: 404 }, { model: "acme/talk" }]);
  });

  it("a stream gets its end where the vendor leaves it out", async () => {
    const { text } = await ask({ ...plain, stream: true }, {}, answering(stream.slice(0, -1)));
    expect(text).toBe(stream.join("").replaceAll("claude-upstream", "acme/talk"));
  });

  it("an event's name has the vendor's key blotted out, and has an end", async () => {
    const events = [
      `event: ${exchangeKey}\ndata: {"type":"x"}\n\n`,
      `event: ${"n".repeat(200)}\ndata: {"type":"long"}\n\n`,
    ];
    const { text } = await ask({ ...plain, stream: true }, {}, answering([...events, ...stream]));
    expect(text).toMatch(/^event: \[key\]\ndata: \{"type":"x"\}\n\nevent: long\ndata: \{"type":"long"\}\n\nevent: m/);
  });
});

describe("what only responses have", () => {
  const [, { form, partner, plain, stream, whole }] = dialects[1] as (typeof dialects)[number];
  const { answering, answeringWhole } = openais;
  const ask = async (body: string | object, more: ExchangePartner = {}, answer = answeringWhole()) =>
    await exchange(form, body, answer, { ...partner, ...more });
  const named = (text: string) => text.replaceAll("upstream-model", "acme/talk");

  it("the request is the caller's bytes, but for the model's name, the gateway's own members and nulls", async () => {
    const { sent, entry } = await ask(
      `{ "model" : "acme/talk", "provider": {"order": ["acme"]},\n "max_output_tokens": 1e2, "session_id": "s-1", "user": "u-1", "store": false,
        "input": [{"role": "user", "content": [{"type": "input_text", "text": "\\u00e9 \\/", "surprise": 1.0}]}, {"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"}],
        "include": ["reasoning.encrypted_content"], "temperature": null, "trace": {"trace_id": "t"}, "surprise": {"model": 1.50}, "models": ["acme/talk"] }`,
    );
    expect(sent[0]?.body).toBe(
      `{ "model" : "upstream-model",\n "max_output_tokens": 1e2, "user": "u-1", "store": false,
        "input": [{"role": "user", "content": [{"type": "input_text", "text": "\\u00e9 \\/", "surprise": 1.0}]}, {"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"}],
        "include": ["reasoning.encrypted_content"], "surprise": {"model": 1.50} }`,
    );
    expect(entry).toMatchObject({ externalUser: "u-1", sessionId: "s-1", trace: { trace_id: "t" } });
  });

  it.each([[{}], [{ store: null }]])("%j asks a vendor that keeps answers not to keep this one", async (given) => {
    const { sent } = await ask({ ...plain, ...given });
    expect(JSON.parse(sent[0]?.body ?? "")).toEqual({ model: "upstream-model", input: words, store: false });
    expect(sent[0]?.headers).toMatchObject({ accept: "application/json" });
  });

  it("has a maximum where a limit counts the call and the caller gives none", async () => {
    const { sent } = await ask(plain, { limit: 1 });
    expect(JSON.parse(sent[0]?.body ?? "")).toMatchObject({ max_output_tokens: 8_192 });
  });

  it("a body in which a member comes twice is written anew, so that what is billed is what was checked", async () => {
    const text = JSON.stringify("x".repeat(1_000));
    const { sent } = await ask(
      `{"model":"acme/talk","max_output_tokens":50,"store":false,"input":${text},"input":"hi"}`,
    );
    expect(sent[0]?.body).toBe('{"model":"upstream-model","max_output_tokens":50,"store":false,"input":"hi"}');
  });

  it.each([
    ["a file", { type: "input_file", file_data: "data:application/pdf;base64,AAAA", filename: "a.pdf" }],
    ["a part that nobody knows", { type: "hologram" }],
  ])("402: %s may have as many tokens as the context, and costs too much", async (_, part) => {
    const input = [{ role: "user", content: [part] }];
    const { status, sent } = await ask({ ...plain, max_output_tokens: 16, input }, { limit: 0.01 });
    expect([status, sent]).toEqual([402, []]);
  });

  it.each([
    ["a tool that the provider runs", { tools: [{ type: "web_search" }] }],
    ["one in a namespace", { tools: [{ type: "namespace", name: "n", tools: [{ type: "code_interpreter" }] }] }],
    ["a faster tier", { service_tier: "priority" }],
    ["a mode that thinks several times", { reasoning: { mode: "pro" } }],
    ["a prompt that the provider keeps", { prompt: { id: "pmpt_1" } }],
    ["a context that is compacted", { context_management: [{ type: "compaction" }] }],
    ["images in the answer", { modalities: ["text", "image"] }],
    ["sound", { input: [{ role: "user", content: [{ type: "input_audio", input_audio: { data: "AAAA" } }] }] }],
  ])("402: %s has no price, so a limit cannot count it", async (_, more) => {
    const { status, refusal } = await ask({ ...plain, ...more }, { limit: 1 });
    expect([status, refusal?.message]).toEqual([402, expect.stringMatching(/has no price/)]);
    expect((await ask({ ...plain, ...more })).status).toBe(200);
  });

  it.each([5_000, null])("402: a limit that %s tokens do not fit into, and nothing is sent", async (longest) => {
    const { status, sent } = await ask({ ...plain, max_output_tokens: longest }, { limit: 0.001 });
    expect([status, sent]).toEqual([402, []]);
    expect((await ask({ ...plain, ...most }, { limit: 0.001 })).status).toBe(200);
  });

  const cat = { type: "input_image", image_url: "http://127.0.0.1/cat.png" };
  const saying = (part: object) => ({ input: [{ role: "user", content: [part] }] });
  const screen = { type: "computer_call_output", call_id: "c", output: { image_url: "http://127.0.0.1/" } };
  const mcp = { type: "mcp", server_label: "m", server_url: "http://127.0.0.1/mcp" };
  it.each([
    ["an image", saying(cat), /input\.0\.content\.0\.image_url/],
    ["a file", saying({ type: "input_file", file_url: "http://127.0.0.1/a" }), /input\.0\.content\.0\.file_url/],
    ["an unknown part", saying({ type: "x", y: { url: "http://127.0.0.1/" } }), /input\.0\.content\.0\.y\.url/],
    [
      "a tool's output",
      { input: [{ type: "function_call_output", call_id: "c", output: [cat] }] },
      /input\.0\.output\.0\.image_url/,
    ],
    ["an unknown item", { input: [screen] }, /input\.0\.output\.image_url/],
    ["a tool", { tools: [mcp] }, /tools\.0\.server_url/],
  ])("400: %s in a private network, by its place in the request", async (_, more, place) => {
    const { status, refusal } = await ask({ ...plain, ...more });
    expect([status, refusal?.message]).toEqual([400, expect.stringMatching(place)]);
  });

  it("what a tool is called with, and what it answers, is text, whatever it looks like", async () => {
    const call = { type: "function_call", call_id: "a", name: "open", arguments: "http://127.0.0.1:3000/" };
    const said = { type: "function_call_output", call_id: "a", output: "http://127.0.0.1:3000/" };
    expect((await ask({ ...plain, input: [call, said] })).status).toBe(200);
  });

  it("a model that nobody offers is passed over for the next one", async () => {
    const { status, entry } = await ask({ ...plain, model: "acme/none", models: ["acme/talk"] });
    expect(status).toBe(200);
    expect(entry?.attempts).toMatchObject([{ model: "acme/none", status: 404 }, { model: "acme/talk" }]);
  });

  it("an answer that is incomplete says so on the ledger", async () => {
    const cut = whole
      .replace('"status": "completed",', '"status": "incomplete",')
      .replace('"incomplete_details": null', '"incomplete_details": {"reason": "max_output_tokens"}');
    const { text, entry } = await ask(plain, {}, answeringWhole(cut));
    expect([text, entry?.finishReason]).toEqual([named(cut), "length"]);
  });

  it("events that it does not know are passed on", async () => {
    const unknown = 'event: response.hologram.partial\ndata: {"type":"response.hologram.partial", "a": 1.0}\n\n';
    const events = [...stream.slice(0, 8), unknown, ...stream.slice(8)];
    const { text } = await ask({ ...plain, stream: true }, {}, answering(events));
    expect(text).toBe(named(events.join("")) + done);
  });

  it("a stream's last event says how it was routed where the caller asks for that", async () => {
    const asking = { headers: { "x-openrouter-metadata": "enabled" } };
    const { text } = await ask({ ...plain, stream: true }, asking, answering(stream));
    const last = text.split("\n\n").at(-3) ?? "";
    const data = JSON.parse(last.slice(last.indexOf("data: ") + 6));
    expect(data).toMatchObject({ type: "response.completed", openrouter_metadata: { attempt: 1 } });
  });
});
