import Anthropic from "anthropic-sdk-1-12-0";
import { beforeEach, describe, expect, it } from "vitest";
import { ledgerRows } from "../../domain/ledger/columns.ts";
import { caughtUp } from "../../testing/caught-up.ts";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { ledgerRow } from "../../testing/ledger-calls.ts";
import { eventually } from "../../testing/eventually.ts";
import { makeKey } from "../../testing/factories.ts";
import type { Answer } from "../../testing/gateway.ts";
import { answering, answeringWhole, streamedMessage, wholeMessage } from "../../testing/messages-answers.ts";
import { withClaude } from "../../testing/scripted-setup.ts";
import { json } from "../../testing/scripted-vendor.ts";

const messages = [{ role: "user" as const, content: "Say hello. ".repeat(40) }];
/** Seconds; more than one, as in hostile.test.ts. */
const upstreamTimeout = 2;

/** Expects the whole envelope of the dialect. */
function expectRefusal(answer: Answer, status: number, type: string, message: RegExp): void {
  expect([answer.status, answer.json.type, answer.json.error.type]).toEqual([status, "error", type]);
  expect(answer.json.error.message).toMatch(message);
  const id = answer.headers.get("x-generation-id") ?? answer.headers.get("x-request-id");
  expect(answer.json.request_id).toBe(id);
}

const errorsIn = (text: string) =>
  text
    .split("\n\n")
    .filter((frame) => frame.startsWith("event: error\n"))
    .map((frame) => JSON.parse(frame.slice("event: error\ndata: ".length)));

const anthropics = (type: string, message: string) => ({
  type: "error",
  error: { type, message },
  request_id: "req_1",
});

describeGateway(
  "createMessage, when something goes wrong",
  (gateway) => {
    const first = withClaude(gateway, { slug: "first" });
    const second = withClaude(gateway, { slug: "second" });
    let key = "";
    let hash = "";
    beforeEach(async () => {
      const made = await makeKey(gateway(), { limit: 1 });
      key = made.key;
      hash = made.record.hash;
      for (const vendor of [first(), second()]) {
        vendor.requests.length = 0;
        vendor.answer(answeringWhole());
      }
      gateway().clock.advance(3_600_000);
    });
    const ask = async (body: object = {}, order: string[] = ["first"], more: { key?: string | null } = {}) =>
      await gateway().call("POST", "/messages", {
        key: more.key === undefined ? key : more.key,
        body: { model: "acme/claude", max_tokens: 100, messages, provider: { only: order, order }, ...body },
      });
    const row = async (id: string | null) => await ledgerRow(gateway(), id);
    const usage = async () => (await gateway().call("GET", `/keys/${hash}`)).json.data;

    describe("a refusal has the dialect's form", () => {
      it("400: a member that is wrong", async () => {
        expectRefusal(await ask({ messages: "hello" }), 400, "invalid_request_error", /messages/);
        expectRefusal(await ask({ provider: { surprise: 1 } }), 400, "invalid_request_error", /provider/);
        const both = { fallbacks: [{ model: "a" }], models: ["b"] };
        expectRefusal(await ask(both), 400, "invalid_request_error", /fallbacks cannot be combined with models/);
        const odd = { fallbacks: [{ model: "a", max_tokens: 1 }] };
        expectRefusal(await ask(odd), 400, "invalid_request_error", /max_tokens/);
        const far = { fallbacks: [1, 2, 3, 4].map((at) => ({ model: `a/${at}` })) };
        expectRefusal(await ask(far), 400, "invalid_request_error", /fallbacks/);
      });

      it("400: an image in a private network, by its place in the request", async () => {
        const source = { type: "url", url: "http://127.0.0.1/cat.png" };
        const inside = [{ type: "tool_result", tool_use_id: "a", content: [{ type: "image", source }] }];
        const answer = await ask({ messages: [{ role: "user", content: inside }] });
        expectRefusal(answer, 400, "invalid_request_error", /messages\.0\.content\.0\.content\.0\.source\.url/);
        // What a tool was called with is text, whatever it looks like.
        const call = { type: "tool_use", id: "a", name: "open", input: { url: "http://127.0.0.1:3000/" } };
        expect((await ask({ messages: [...messages, { role: "assistant", content: [call] }] })).status).toBe(200);
      });

      it("401, 404, 405 and 413", async () => {
        expectRefusal(await ask({}, ["first"], { key: null }), 401, "authentication_error", /API key/);
        expectRefusal(await ask({ model: "acme/none" }), 404, "not_found_error", /acme\/none/);
        const batches = await gateway().call("POST", "/messages/batches", { key });
        expectRefusal(batches, 400, "invalid_request_error", /body is missing/);
        expectRefusal(await gateway().call("GET", "/messages", { key }), 405, "invalid_request_error", /GET/);
        const raw = Buffer.alloc(33 * 1_048_576, " ");
        const long = await gateway().call("POST", "/messages", { key, raw });
        expectRefusal(long, 413, "request_too_large", /at most 32 MB/);
      });

      it("402: a limit that the longest answer does not fit into, and nothing is sent", async () => {
        const { key: poor } = await makeKey(gateway(), { limit: 0.001 });
        expectRefusal(await ask({ max_tokens: 5_000 }, ["first"], { key: poor }), 402, "billing_error", /limit/);
        // Without a maximum it is the model's that is sent, and reserved for.
        expectRefusal(await ask({ max_tokens: null }, ["first"], { key: poor }), 402, "billing_error", /limit/);
        const thinking = { type: "enabled", budget_tokens: 4_000 };
        expectRefusal(await ask({ thinking }, ["first"], { key: poor }), 402, "billing_error", /limit/);
        expect(first().requests).toEqual([]);
        expect((await ask({ max_tokens: 100 }, ["first"], { key: poor })).status).toBe(200);
      });

      it.each([
        ["a tool that the provider runs", { tools: [{ type: "web_search_20250305", name: "web_search" }] }],
        ["a faster mode", { speed: "fast" }],
        ["a region", { inference_geo: "us" }],
        ["a server of tools", { mcp_servers: [{ type: "url", url: "https://93.184.216.34", name: "m" }] }],
        ["a context that is compacted", { context_management: { edits: [{ type: "compact_20260112" }] } }],
      ])("402: %s has no price, so a limit cannot count it", async (_, body) => {
        expectRefusal(await ask(body), 402, "billing_error", /has no price/);
        const { key: unlimited } = await makeKey(gateway());
        expect((await ask(body, ["first"], { key: unlimited })).status).toBe(200);
      });

      it("429: a rate limit, with Retry-After, counted as a refused call", async () => {
        const { key: slow } = await makeKey(gateway(), { requests_per_minute: 1 });
        expect((await ask({}, ["first"], { key: slow })).status).toBe(200);
        const answer = await ask({}, ["first"], { key: slow });
        expectRefusal(answer, 429, "rate_limit_error", /./);
        expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
      });
    });

    describe("a provider's refusal", () => {
      it.each([
        [
          400,
          anthropics("invalid_request_error", "prompt is too odd"),
          400,
          "invalid_request_error",
          "invalid_request",
        ],
        [401, anthropics("authentication_error", "invalid x-api-key"), 502, "api_error", "provider_unavailable"],
        [429, anthropics("rate_limit_error", "slow down"), 429, "rate_limit_error", "rate_limit_exceeded"],
        [500, anthropics("api_error", "oops"), 502, "api_error", "provider_unavailable"],
        [529, anthropics("overloaded_error", "Overloaded"), 529, "overloaded_error", "provider_overloaded"],
      ])("%i %j is answered %i %s", async (status, body, expected, type, own) => {
        first().answer(json(body, status, { "retry-after": "7" }));
        const answer = await ask();
        expectRefusal(answer, expected, type, new RegExp(body.error.message));
        expect(await row(answer.headers.get("x-generation-id"))).toMatchObject({
          api_type: "messages",
          status: expected,
          error_type: own,
          cost: 0n,
        });
      });

      it("leads to the next provider, and to the next model, before the first byte", async () => {
        first().answer(json(anthropics("overloaded_error", "Overloaded"), 529));
        second().answer(answering(streamedMessage));
        const answer = await ask({ stream: true }, ["first", "second"]);
        expect(answer.text).toBe(streamedMessage.join("").replaceAll("claude-upstream", "acme/claude"));
        const { attempts } = (await row(answer.headers.get("x-generation-id"))) ?? {};
        expect(attempts).toMatchObject([
          { provider: "first", status: 529 },
          { provider: "second", status: 200 },
        ]);
        second().answer(answeringWhole());
        const other = await ask({ model: "acme/none", fallbacks: [{ model: "acme/claude" }] }, ["second"]);
        expect([other.status, second().requests.length]).toEqual([200, 2]);
      });
    });

    describe("a whole answer", () => {
      it.each([
        ["is no JSON", "<html>"],
        ["is no message", '{"type":"message","usage":{"input_tokens":1,"output_tokens":1}}'],
        ["breaks off", wholeMessage.slice(0, 300)],
      ])("that %s: the next provider is asked", async (_, body) => {
        first().answer(answeringWhole(body));
        expect((await ask({}, ["first", "second"])).status).toBe(200);
        expectRefusal(await ask(), 502, "api_error", /first/);
      });

      it("that does not come in time: 504, and the limit counts what may be billed", async () => {
        first().answer({ pieces: [], end: "hang" });
        const answer = await ask();
        expectRefusal(answer, 504, "timeout_error", /first/);
        expect(await row(answer.headers.get("x-generation-id"))).toMatchObject({ status: 504, error_type: "timeout" });
        expect((await usage()).usage).toBeGreaterThan(0);
      });

      it.each([
        ["absent", { usage: undefined }],
        ["negative", { usage: { input_tokens: -5, output_tokens: 1 } }],
        ["immense", { usage: { input_tokens: 1e15, output_tokens: 1e15 } }],
        ["no object", { usage: "many" }],
      ])("whose usage is %s is counted by the gateway, and passed on all the same", async (_, more) => {
        const body = JSON.stringify({ ...JSON.parse(wholeMessage), ...more });
        first().answer(answeringWhole(body));
        const answer = await ask();
        expect(answer.text).toBe(body.replaceAll("claude-upstream", "acme/claude"));
        const { metered_by, cost } = (await row(answer.headers.get("x-generation-id"))) ?? {};
        expect(metered_by).toBe("gateway");
        expect(cost).toBeLessThan(1_000_000n);
      });
    });

    describe("a stream", () => {
      it("that breaks off ends with the dialect's error event, and is charged for what came", async () => {
        first().answer(answering(streamedMessage.slice(0, 9), { end: "cut" }));
        const answer = await ask({ stream: true });
        expect(answer.status).toBe(200);
        expect(answer.text.startsWith(streamedMessage[0]?.replace("claude-upstream", "acme/claude") ?? "?")).toBe(true);
        const id = answer.headers.get("x-generation-id");
        expect(errorsIn(answer.text)).toEqual([
          {
            type: "error",
            error: { type: "api_error", message: expect.any(String), error_type: "provider_unavailable" },
            request_id: id,
          },
        ]);
        expect(answer.text).not.toContain("message_stop");
        expect((await row(id))?.cost).toBeGreaterThan(160_000n);
      });

      it("with the vendor's error ends with that error, in the gateway's words", async () => {
        const failed = `event: error\ndata: ${JSON.stringify(anthropics("overloaded_error", "Overloaded"))}\n\n`;
        first().answer(answering([...streamedMessage.slice(0, 8), failed]));
        const [error] = errorsIn((await ask({ stream: true })).text);
        expect(error.error).toMatchObject({ type: "overloaded_error", message: expect.stringMatching(/Overloaded/) });
      });

      it.each([
        ["with an event that is no JSON", "event: content_block_delta\ndata: {oops\n\n"],
        ["with an event of 17 MB", `event: x\ndata: {"a":"${"x".repeat(17 * 1_048_576)}"}\n\n`],
      ])("%s ends with an error event", async (_, frame) => {
        first().answer(answering([...streamedMessage.slice(0, 8), frame]));
        expect(errorsIn((await ask({ stream: true })).text)).toHaveLength(1);
      });

      it("that falls silent ends with an error event", async () => {
        first().answer(answering(streamedMessage.slice(0, 8), { end: "hang" }));
        const [error] = errorsIn((await ask({ stream: true })).text);
        expect(error.error.type).toBe("timeout_error");
      });

      it("whose reader leaves is read for its usage, charged, and recorded as left", async () => {
        const { promise: until, resolve: goOn } = Promise.withResolvers<void>();
        first().answer(answering(streamedMessage, { hold: { from: 8, until } }));
        const client = new Anthropic({ apiKey: key, baseURL: gateway().url, maxRetries: 0 });
        const stream = client.messages.stream({ model: "acme/claude", max_tokens: 100, messages });
        const heard: string[] = [];
        for await (const { type } of stream) if (heard.push(type) === 3) break;
        stream.abort();
        await caughtUp(gateway(), key);
        goOn();
        const found = await eventually(
          async () => await ledgerRows(gateway().deps.store.db).selectAll().where("key_hash", "=", hash).execute(),
          (rows) => rows.length > 0,
        );
        expect(found).toMatchObject([{ status: 499, cancelled: true, api_type: "messages", prompt_tokens: 160 }]);
        expect((await usage()).usage).toBeGreaterThan(0);
      });
    });

    it("a call is forwarded as one event that says which operation it was", async () => {
      const answer = await ask();
      const { data } = (await gateway().call("GET", `/generations?id=${answer.headers.get("x-generation-id") ?? ""}`))
        .json;
      expect(data).toMatchObject([{ api_type: "messages" }]);
      const id = answer.headers.get("x-generation-id") ?? "";
      expect((await gateway().call("GET", `/generation?id=${id}`)).json.data.api_type).toBe("completions");
    });
  },
  { env: { GATEHOUSE_UPSTREAM_TIMEOUT: String(upstreamTimeout) } },
);
