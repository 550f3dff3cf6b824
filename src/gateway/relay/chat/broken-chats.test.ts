import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { exchange, type ExchangePartner } from "../../testing/exchange.ts";
import { json, type ScriptedAnswer } from "../../testing/scripted-vendor.ts";
import { messagesForm } from "../messages/messages-form.ts";
import { responsesForm } from "../responses/responses-form.ts";
import { chatForm } from "./chat-form.ts";

/** Of a prompt and an answer: nano-dollars for a token are 1,000 and 2,000. */
const costOf = (prompt: number, completion: number) => BigInt(prompt * 1_000 + completion * 2_000);
const event = (data: object | string) => `data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`;
const said = (content: string, index = 0, finish: string | null = null) => ({
  choices: [{ index, delta: { content }, finish_reason: finish }],
});
const usage = (prompt: number, completion: number) => ({
  usage: { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion },
});
const google = (index: number, text: string, finishReason?: string) => ({
  candidates: [{ index, content: { role: "model", parts: [{ text }] }, ...(finishReason ? { finishReason } : {}) }],
});
const message = (given: object) => ({
  choices: [{ index: 0, message: { role: "assistant", ...given }, finish_reason: "stop" }],
});
const hello = message({ content: "Hello" });
const eventStream = { "content-type": "text/event-stream" };
const stream = (events: readonly (object | string)[], more: Partial<ScriptedAnswer> = {}): ScriptedAnswer => ({
  headers: eventStream,
  pieces: events.map(event),
  ...more,
});
const cut = { end: "cut" } as const;
/** An event that breaks off in its text. */
const torn = `data: {"choices":[{"delta":{"content":"${"x".repeat(3_000)}`;
const gemini: ExchangePartner = { kind: "gemini", preset: "gemini" };

/** Asks within a limit, unless it is null. */
async function ask(body: object, answer: ScriptedAnswer, limit: number | null = 1, partner: ExchangePartner = {}) {
  const asked = { model: "acme/talk", messages: [{ role: "user", content: "Say hello" }], ...body };
  const made = await exchange(chatForm, asked, answer, { ...partner, ...(limit !== null && { limit }) });
  return { ...made, charged: made.entry?.cost ?? 0n };
}

describe("a stream of several choices", () => {
  const asked = { stream: true, n: 2, max_tokens: 1_000 };
  const long = "z".repeat(500);

  it("goes on after the first of them has ended", async () => {
    const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 503 };
    const events = [google(0, "A"), google(1, "B"), google(0, ".", "STOP"), google(1, long)];
    const { text, charged } = await ask(
      asked,
      stream([...events, { ...google(1, "!", "MAX_TOKENS"), usageMetadata }]),
      1,
      gemini,
    );
    expect(text).toMatch(/zzz.*"!".*\[DONE\]/s);
    expect(charged).toBe(costOf(10, 503));
  });

  it.each([
    ["ends in good order without the end of one", {}, {}],
    ["is cut, after an early count", usage(10, 1), cut],
  ])("that %s has broken off, and a limit counts all that came", async (_, early, end) => {
    const events = [{ ...said("A"), ...early }, said("", 0, "stop"), said(long, 1)];
    const { text, entry, charged } = await ask(asked, stream(events, end));
    expect(text).not.toMatch(/\[DONE\]/);
    expect(entry).toMatchObject({ status: 502, meteredBy: "gateway" });
    expect(charged).toBeGreaterThan(costOf(10, 500));
  });

  it("may have fewer of them than were asked for", async () => {
    expect((await ask(asked, stream([google(0, "A", "STOP")]), 1, gemini)).text).toMatch(/\[DONE\]/);
  });
});

describe("a stream that gives no event", () => {
  const asked = { stream: true, max_tokens: 4_000 };

  it.each([1, null])("but comes whole is a stream charged by its count, with the limit %s", async (limit) => {
    const { text, entry, charged } = await ask(asked, json({ ...hello, ...usage(10, 3_000) }), limit);
    expect(text).toMatch(/"delta":\{[^}]*"content":.*"completion_tokens":3000.*\[DONE\]/s);
    expect(entry).toMatchObject({ status: 200, meteredBy: "upstream" });
    expect(charged).toBe(costOf(10, 3_000));
  });

  it("but comes whole and of no use is charged by its count", async () => {
    const { refusal, charged } = await ask(asked, json({ choices: [], ...usage(10, 3_000) }));
    expect(refusal?.message).toMatch(/no choices/);
    expect(charged).toBe(costOf(10, 3_000));
  });

  it("but breaks off within the first is charged at least a token for each byte, where a limit counts it", async () => {
    const broken = { headers: eventStream, pieces: [torn], ...cut };
    expect((await ask(asked, broken)).charged).toBeGreaterThan(costOf(10, 3_000));
    expect((await ask(asked, broken, null)).charged).toBe(0n);
  });

  it("that breaks off within a later one is charged for what came of it", async () => {
    const broken = { headers: eventStream, pieces: [event(said("one")), torn], ...cut };
    expect((await ask(asked, broken)).charged).toBeGreaterThan(costOf(10, 3_000));
  });

  it("without a finish reason is charged by the count that it gave, where no limit counts the call", async () => {
    const { text, charged } = await ask(asked, stream([said("one"), { choices: [], ...usage(20, 500) }]), null);
    expect(text).toMatch(/the stream broke off/);
    expect(charged).toBe(costOf(20, 500));
  });
});

describe("a whole answer", () => {
  it.each([1, null])("of no use is charged by its count, with the limit %s", async (limit) => {
    const { refusal, charged } = await ask({ max_tokens: 4_000 }, json({ choices: [], ...usage(20, 3_500) }), limit);
    expect(refusal?.message).toMatch(/no choices/);
    expect(charged).toBe(costOf(20, 3_500));
  });

  it.each([1, null])("under the status 201 is none, charged by its count with the limit %s", async (limit) => {
    for (const is of [false, true]) {
      const { status, charged } = await ask(
        { max_tokens: 4_000, stream: is },
        json({ ...hello, ...usage(10, 900) }, 201),
        limit,
      );
      expect(status).toBeGreaterThanOrEqual(500);
      expect(charged).toBe(costOf(10, 900));
    }
  });

  it.each([
    [400, "invalid_request"],
    [429, "rate_limit_exceeded"],
  ])("of the status %i is that error, however long it is, and costs nothing", async (status, type) => {
    const detail = [{ msg: "Field wrong", input: "y".repeat(1_000_000) }];
    for (const is of [false, true]) {
      const { refusal, charged } = await ask({ stream: is }, json({ detail }, status, { "retry-after": "7" }));
      expect([refusal?.type, charged]).toEqual([type, 0n]);
      expect(refusal?.message).toMatch(/Field wrong/);
      if (status === 429) expect(refusal?.details.retryAfterSeconds).toBe(7);
    }
  });
});

describe("what an answer says beside its content", () => {
  const text = "zqxv ".repeat(100);

  it.each([
    { refusal: text },
    { function_call: { name: "f", arguments: text } },
    { audio: { id: "a", transcript: text } },
    { audio: { id: "a", data: text } },
    { reasoning_details: [{ type: "reasoning.text", text }] },
    { images: [{ image_url: { url: `data:image/png;base64,${text}` } }] },
    { thinking: text },
  ])("is counted where it breaks off, and where it ends without a count: %j", async (delta) => {
    const piece = (given: object, finish_reason: string | null = null) => ({
      choices: [{ index: 0, delta: given, finish_reason }],
    });
    const four = Array.from({ length: 4 }, () => piece(delta));
    const asked = { stream: true, max_tokens: 4_000 };
    expect((await ask(asked, stream(four, cut))).charged).toBeGreaterThan(costOf(0, 4 * text.length));
    const ended = await ask(asked, stream([...four, piece({}, "stop"), "[DONE]"]));
    expect(ended.charged).toBeGreaterThan(costOf(0, 390));
  });

  it.each([{ refusal: text }, { function_call: { name: "f", arguments: text } }])(
    "is counted in a whole answer: %j",
    async (given) => {
      expect((await ask({}, json(message({ content: null, ...given })))).charged).toBeGreaterThan(costOf(0, 100));
    },
  );
});

describe("a stream whose vendor is slow", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
  afterEach(() => void vi.useRealTimers());
  /** A minute and a half, in which the relay has had its turns. */
  const aWhile = async () => {
    for (let turn = 0; turn < 300; turn += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      await vi.advanceTimersByTimeAsync(300);
    }
  };
  const messages = [{ role: "user", content: "Say hello" }];
  const asked = { model: "acme/talk", max_tokens: 9, messages, stream: true };

  it("speaks again and again before it refuses", async () => {
    const { promise: refused, resolve: refuse } = Promise.withResolvers<ScriptedAnswer>();
    const asking = exchange(chatForm, asked, () => refused);
    await aWhile();
    refuse(json({ error: { message: "No" } }, 400));
    const { status, text } = await asking;
    expect(status).toBe(200);
    expect(text).toMatch(/^(: GATEHOUSE PROCESSING\n\n){2,}data: \{.*"code":400/s);
  });

  it.each([
    ["chat", chatForm, /one.*\n\n(: GATEHOUSE PROCESSING\n\n){2,}data: .*two/s],
    ["messages", messagesForm, /one.*\n\n(event: ping\ndata: \{"type":"ping"\}\n\n){2,}event: .*two/s],
    ["responses", responsesForm, /one.*\n\n(: GATEHOUSE PROCESSING\n\n){2,}event: .*two/s],
  ])("%s: speaks again and again between two events", async (_, form, expected) => {
    const { promise: late, resolve: goOn } = Promise.withResolvers<void>();
    const slow = stream([said("one"), said("two", 0, "stop"), "[DONE]"], { hold: { from: 1, until: late } });
    const asking = exchange(form, { ...asked, input: "Say hello" }, slow);
    await aWhile();
    goOn();
    expect((await asking).text).toMatch(expected);
  });
});
