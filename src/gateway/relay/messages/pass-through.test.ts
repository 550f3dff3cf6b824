import { beforeEach, describe, expect, it } from "vitest";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { ledgerRow } from "../../testing/ledger-calls.ts";
import { makeKey } from "../../testing/factories.ts";
import {
  answering,
  answeringWhole,
  streamedMessage,
  vendorHeaders,
  wholeMessage,
} from "../../testing/messages-answers.ts";
import { claudesKey, withClaude } from "../../testing/scripted-setup.ts";

/** Long enough for the usage that the vendor reports to be believed. */
const messages = [{ role: "user", content: "Say hello. ".repeat(40) }];
const named = (text: string) => text.replaceAll("claude-upstream", "acme/claude");

describeGateway("createMessage, passed through", (gateway) => {
  const vendor = withClaude(gateway);
  let key = "";
  beforeEach(async () => {
    ({ key } = await makeKey(gateway()));
    vendor().requests.length = 0;
    vendor().answer(answeringWhole());
  });
  const post = async (raw: string | object, headers: Record<string, string> = {}, path = "/messages") =>
    await gateway().call("POST", path, { key, raw: typeof raw === "string" ? raw : JSON.stringify(raw), headers });
  const ask = async (body: object, headers = {}) =>
    await post({ model: "acme/claude", max_tokens: 100, messages, ...body }, headers);
  const row = async (id: string | null) => await ledgerRow(gateway(), id);

  describe("the request", () => {
    it("is the caller's bytes, but for the model's name and the gateway's own members", async () => {
      const answer = await post(
        `{ "model" : "acme/claude", "provider": {"order": ["claude"]},\n "max_tokens": 1e2, "session_id": "s-1", "user": "u-1",
          "messages": [{"role": "user", "content": [{"type": "text", "text": "\\u00e9 \\/", "surprise": 1.0}]}],
          "thinking": {"type": "enabled", "budget_tokens": 1024}, "trace": {"trace_id": "t"}, "surprise": {"model": 1.50}, "models": ["acme/claude"] }`,
      );
      expect(answer.status).toBe(200);
      expect(vendor().requests[0]?.body).toBe(
        `{ "model" : "claude-upstream",\n "max_tokens": 1e2,
          "messages": [{"role": "user", "content": [{"type": "text", "text": "\\u00e9 \\/", "surprise": 1.0}]}],
          "thinking": {"type": "enabled", "budget_tokens": 1024}, "surprise": {"model": 1.50} }`,
      );
      expect(await row(answer.headers.get("x-generation-id"))).toMatchObject({
        external_user: "u-1",
        session_id: "s-1",
        trace: { trace_id: "t" },
      });
    });

    it("goes with the dialect's headers, and with the gateway's own key", async () => {
      await ask({}, { "anthropic-version": "2026-10-21", "anthropic-beta": "a-1,b-2", "x-secret": "mine" });
      const { path, headers } = vendor().requests[0] ?? {};
      expect(path).toBe("/v1/messages");
      expect(headers).toMatchObject({
        "anthropic-version": "2026-10-21",
        "anthropic-beta": "a-1,b-2",
        "x-api-key": claudesKey,
      });
      expect(headers).not.toHaveProperty("authorization");
      expect(headers).not.toHaveProperty("x-secret");
      await ask({});
      expect(vendor().requests[1]?.headers).toMatchObject({ "anthropic-version": "2023-06-01" });
    });

    it.each([[{}], [{ max_tokens: null }], [{ max_tokens: 0 }]])(
      "has the model's maximum where the caller gives none: %j",
      async (given) => {
        const { max_tokens: _, ...rest } = { model: "acme/claude", messages, max_tokens: null };
        await post({ ...rest, ...given });
        expect(JSON.parse(vendor().requests[0]?.body ?? "")).toEqual({
          model: "claude-upstream",
          messages,
          max_tokens: 8_192,
        });
      },
    );

    it("is written anew where a member comes twice, so that what is billed is what was checked", async () => {
      const text = JSON.stringify("x".repeat(1_000));
      await post(
        `{"model":"acme/claude","max_tokens":5,"messages":[{"role":"user","content":${text},"content":"hi"}],"thinking":{"type":"enabled","budget_tokens":9000,"budget_tokens":1024}}`,
      );
      expect(vendor().requests[0]?.body).toBe(
        '{"model":"claude-upstream","max_tokens":5,"messages":[{"role":"user","content":"hi"}],"thinking":{"type":"enabled","budget_tokens":1024}}',
      );
    });

    it.each([
      ["a document", { type: "document" }],
      ["a page that was fetched", { type: "web_fetch_tool_result", tool_use_id: "s" }],
    ])("402: a PDF in %s may have as many tokens as the context, and costs too much", async (_, block) => {
      const pdf = { source: { type: "base64", media_type: "application/pdf", data: "A".repeat(400) } };
      const page = { type: "web_fetch_result", url: "https://example.com", content: { type: "document", ...pdf } };
      const content = [{ ...block, ...(block.type === "document" ? pdf : { content: page }) }];
      ({ key } = await makeKey(gateway(), { limit: 0.01 }));
      expect((await ask({ max_tokens: 10, messages: [{ role: "assistant", content }] })).status).toBe(402);
      expect(vendor().requests).toHaveLength(0);
    });

    it("takes the key from x-api-key as well, and the bearer's first", async () => {
      const body = { model: "acme/claude", max_tokens: 1, messages };
      const send = async (headers: Record<string, string>) =>
        (await gateway().call("POST", "/messages", { key: null, body, headers })).status;
      expect(await send({ "x-api-key": key })).toBe(200);
      expect(await send({ "x-api-key": "sk-gh-v1-nonsense" })).toBe(401);
      expect(await send({ "x-api-key": "sk-gh-v1-nonsense", authorization: `Bearer ${key}` })).toBe(200);
      expect(await send({})).toBe(401);
    });
  });

  describe("a whole answer", () => {
    it("is the vendor's bytes, but for the model's name, with its headers and its usage on the ledger", async () => {
      const answer = await ask({});
      expect(answer.text).toBe(named(wholeMessage));
      const { "x-internal": _, ...passed } = vendorHeaders;
      for (const [name, value] of Object.entries(passed)) expect(answer.headers.get(name)).toBe(value);
      expect(answer.headers.get("x-internal")).toBeNull();
      expect(await row(answer.headers.get("x-generation-id"))).toMatchObject({
        api_type: "messages",
        model: "acme/claude",
        provider: "claude",
        status: 200,
        prompt_tokens: 160,
        completion_tokens: 50,
        reasoning_tokens: 12,
        cached_tokens: 20,
        metered_by: "upstream",
        finish_reason: "tool_calls",
        upstream_id: "msg_01XFDUDYJgAACzvnptvVoYEL",
        cost: 260_000n,
      });
    });

    it("charges what is written to the vendor's cache at its price: a quarter more for 5 minutes, twice for an hour", async () => {
      const cached = { type: "text", text: "x ".repeat(500), cache_control: { type: "ephemeral", ttl: "1h" } };
      const answer = await ask({ messages: [{ role: "user", content: [cached] }] });
      // 10 tokens for an hour and 30 for 5 minutes count as 17.5 more.
      expect(await row(answer.headers.get("x-generation-id"))).toMatchObject({ cost: 260_000n + 17_500n });
    });

    it("of 2 MB is passed on the same way", async () => {
      const long = wholeMessage.replace("I'll check", `I'll ${"check \\u2026 ".repeat(200_000)}`);
      vendor().answer(answeringWhole(long));
      expect((await ask({})).text === named(long)).toBe(true);
    });

    it.each([64, 300_000])("has the vendor's key blotted out, %i bytes on", async (after) => {
      const said = `${"x".repeat(after)} ${claudesKey}`;
      vendor().answer(answeringWhole(wholeMessage.replace("I'll check", said)));
      const answer = await ask({});
      expect(answer.status).toBe(200);
      expect(answer.text).not.toContain(claudesKey);
      expect(JSON.parse(answer.text)).toMatchObject({ model: "acme/claude", id: "msg_01XFDUDYJgAACzvnptvVoYEL" });
      expect(JSON.parse(answer.text).content[1].text).toContain("[key]");
    });

    it("says how it was routed where the caller asks for that, and nothing else", async () => {
      const answer = await ask({}, { "x-openrouter-metadata": "enabled" });
      expect(answer.json.openrouter_metadata).toMatchObject({ requested: "acme/claude", attempt: 1 });
      expect(answer.text.startsWith(named(wholeMessage).slice(0, -2))).toBe(true);
    });
  });

  describe("a stream", () => {
    it("is the vendor's events in their order, but for the model's name, with their usage on the ledger", async () => {
      vendor().answer(answering(streamedMessage));
      const answer = await ask({ stream: true });
      expect(answer.text).toBe(named(streamedMessage.join("")));
      expect(answer.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
      expect(answer.headers.get("request-id")).toBe(vendorHeaders["request-id"]);
      expect(await row(answer.headers.get("x-generation-id"))).toMatchObject({
        api_type: "messages",
        streamed: true,
        prompt_tokens: 160,
        completion_tokens: 50,
        reasoning_tokens: 12,
        cached_tokens: 20,
        metered_by: "upstream",
        finish_reason: "tool_calls",
        cost: 260_000n,
      });
    });

    it("is the same byte by byte, and with an event of 200 kB", async () => {
      const long = streamedMessage.map((frame) => frame.replace("the weather.", `${"\\u2026 word ".repeat(16_000)}.`));
      const whole = Buffer.from(long.join(""));
      const some = Array.from({ length: 400 }, (_, at) => whole.subarray(at, at + 1));
      vendor().answer(answering([...some, whole.subarray(400)]));
      expect((await ask({ stream: true })).text === named(long.join(""))).toBe(true);
    });

    it("gets the names of its events where the vendor leaves them out, since official clients need them", async () => {
      vendor().answer(answering(streamedMessage.map((frame) => frame.replace(/^event: .*\n/, ""))));
      expect((await ask({ stream: true })).text).toBe(named(streamedMessage.join("")));
    });

    it("gets its end where the vendor leaves it out, or ends it like a chat", async () => {
      for (const end of [[], ["data: [DONE]\n\n"]]) {
        vendor().answer(answering([...streamedMessage.slice(0, -1), ...end]));
        expect((await ask({ stream: true })).text).toBe(named(streamedMessage.join("")));
      }
    });

    it("has the vendor's key blotted out in an event's name, and no name without end", async () => {
      const events = [
        `event: ${claudesKey}\ndata: {"type":"x"}\n\n`,
        `event: ${"n".repeat(200)}\ndata: {"type":"long"}\n\n`,
      ];
      vendor().answer(answering([...events, ...streamedMessage]));
      expect((await ask({ stream: true })).text).toBe(
        `event: [key]\ndata: {"type":"x"}\n\nevent: long\ndata: {"type":"long"}\n\n${named(streamedMessage.join(""))}`,
      );
    });

    it("has the vendor's key blotted out, in one event and across several", async () => {
      const delta = (text: string) =>
        `event: content_block_delta\ndata: ${JSON.stringify({ type: "content_block_delta", index: 1, delta: { type: "text_delta", text } })}\n\n`;
      const parts = [
        `a ${claudesKey} b `,
        claudesKey.slice(0, 9),
        claudesKey.slice(9, 20),
        `${claudesKey.slice(20)} c`,
      ];
      const [start, end] = [streamedMessage.slice(0, 7), streamedMessage.slice(9)];
      vendor().answer(answering([...start, ...parts.map(delta), delta(claudesKey.slice(0, 7)), ...end]));
      const answer = await ask({ stream: true });
      const said = [...answer.text.matchAll(/"text_delta","text":("(?:[^"\\]|\\.)*")/g)].map(([, text]) =>
        JSON.parse(text ?? '""'),
      );
      expect(said.join("")).toBe(`a [key] b [key] c${claudesKey.slice(0, 7)}`);
      expect(answer.text).toContain(named(end.join("")).slice(0, 60));
      expect(gateway().log()).not.toContain(claudesKey);
    });
  });
});
