import OpenAI from "openai";
import { beforeEach, describe, expect, it } from "vitest";
import { ledgerRows } from "../../domain/ledger/columns.ts";
import { caughtUp } from "../../testing/caught-up.ts";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { ledgerRow } from "../../testing/ledger-calls.ts";
import { eventually } from "../../testing/eventually.ts";
import { makeKey } from "../../testing/factories.ts";
import type { Answer } from "../../testing/gateway.ts";
import { answering, answeringWhole, streamedResponse, wholeResponse } from "../../testing/responses-answers.ts";
import { withResponder } from "../../testing/scripted-setup.ts";
import { json, type ScriptedAnswer } from "../../testing/scripted-vendor.ts";

const input = "Say hello. ".repeat(40);
/** Seconds; more than one, as in hostile.test.ts. */
const upstreamTimeout = 2;
const named = (text: string) => text.replaceAll("upstream-model", "acme/thinker");
const end = "data: [DONE]\n\n";

/** Expects the whole envelope, whose code is the status. */
function expectRefusal(answer: Answer, status: number, type: string, message: RegExp): void {
  const { error } = answer.json;
  expect([answer.status, error.code, error.metadata.error_type]).toEqual([status, status, type]);
  expect(error.message).toMatch(message);
  expect(error.metadata.request_id).toBe(answer.headers.get("x-request-id"));
}

const failedIn = (text: string) =>
  text
    .split("\n\n")
    .filter((frame) => frame.startsWith("event: response.failed\n"))
    .map((frame) => JSON.parse(frame.slice("event: response.failed\ndata: ".length)));

const openais = (type: string, code: string | null, message: string) => ({
  error: { message, type, param: null, code },
});

describeGateway(
  "createResponse, when something goes wrong",
  (gateway) => {
    const first = withResponder(gateway, { slug: "first" });
    const second = withResponder(gateway, { slug: "second" });
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
      await gateway().call("POST", "/responses", {
        key: more.key === undefined ? key : more.key,
        body: { model: "acme/thinker", max_output_tokens: 100, input, provider: { only: order, order }, ...body },
      });
    const row = async (id: string | null) => await ledgerRow(gateway(), id);
    const usage = async () => (await gateway().call("GET", `/keys/${hash}`)).json.data;

    describe("a refusal has the public form", () => {
      it.each([
        ["no input", { input: undefined }, /input/],
        ["an input that is neither text nor a list", { input: 5 }, /input must be a text or a list of items/],
        ["an empty list", { input: [] }, /input must have at least 1 element/],
        ["an item without a type", { input: [{ text: "a" }] }, /input\.0 must be an item with a type, or a message/],
        ["a message without content", { input: [{ role: "user" }] }, /input\.0/],
        ["a part without a type", { input: [{ role: "user", content: [{ text: "a" }] }] }, /input\.0/],
        ["a model that is no text", { model: 5 }, /model/],
        ["no tokens", { max_output_tokens: 0 }, /max_output_tokens/],
        ["too many tokens", { max_output_tokens: 1e9 }, /max_output_tokens must be at most 10000000/],
        ["a tool without a type", { tools: [{ name: "f" }] }, /tools\.0\.type/],
        ["a routing preference that nobody knows", { provider: { surprise: 1 } }, /provider/],
        ["a session id of 300 characters", { session_id: "s".repeat(300) }, /session_id/],
        ["stream that is no flag", { stream: "yes" }, /stream/],
        ["9,000 items", { input: Array.from({ length: 9_000 }, () => ({ role: "user", content: "a" })) }, /8192/],
      ])("400: %s", async (_, body, message) => {
        expectRefusal(await ask(body), 400, "invalid_request", message);
        expect(first().requests).toEqual([]);
      });

      it.each([
        ["an image", { type: "input_image", image_url: "http://127.0.0.1/cat.png" }, /input\.0\.content\.0\.image_url/],
        ["a file", { type: "input_file", file_url: "http://127.0.0.1/a.pdf" }, /input\.0\.content\.0\.file_url/],
        ["an unknown part", { type: "x", y: { url: "http://127.0.0.1/" } }, /input\.0\.content\.0\.y\.url/],
      ])("400: %s in a private network, by its place in the request", async (_, part, place) => {
        const content = [part];
        expectRefusal(await ask({ input: [{ role: "user", content }] }), 400, "invalid_request", place);
      });

      it("400: the same in a tool's output, in an unknown item and in a tool", async () => {
        const image = { type: "input_image", image_url: "http://127.0.0.1/cat.png" };
        const output = [{ type: "function_call_output", call_id: "c", output: [image] }];
        expectRefusal(await ask({ input: output }), 400, "invalid_request", /input\.0\.output\.0\.image_url/);
        const screen = { type: "computer_call_output", call_id: "c", output: { image_url: "http://127.0.0.1/" } };
        expectRefusal(await ask({ input: [screen] }), 400, "invalid_request", /input\.0\.output\.image_url/);
        const tools = [{ type: "mcp", server_label: "m", server_url: "http://127.0.0.1/mcp" }];
        expectRefusal(await ask({ tools }), 400, "invalid_request", /tools\.0\.server_url/);
        // What a tool is called with, and what it answers, is text, whatever it looks like.
        const call = { type: "function_call", call_id: "a", name: "open", arguments: "http://127.0.0.1:3000/" };
        const said = { type: "function_call_output", call_id: "a", output: "http://127.0.0.1:3000/" };
        expect((await ask({ input: [call, said] })).status).toBe(200);
      });

      it("401, 404, 405 and 413", async () => {
        expectRefusal(await ask({}, ["first"], { key: null }), 401, "authentication", /API key/);
        expectRefusal(await ask({ model: "acme/none" }), 404, "not_found", /acme\/none/);
        const kept = await gateway().call("GET", "/responses/resp_1", { key });
        expectRefusal(kept, 404, "not_found", /does not serve kept answers .*previous_response_id/);
        expectRefusal(await gateway().call("GET", "/responses", { key }), 405, "invalid_request", /GET/);
        const raw = Buffer.alloc(33 * 1_048_576, " ");
        const long = await gateway().call("POST", "/responses", { key, raw });
        expectRefusal(long, 413, "payload_too_large", /at most 32 MB/);
      });

      it("402: a limit that the longest answer does not fit into, and nothing is sent", async () => {
        const { key: poor } = await makeKey(gateway(), { limit: 0.001 });
        const refusal = [402, "payment_required", /limit/] as const;
        expectRefusal(await ask({ max_output_tokens: 5_000 }, ["first"], { key: poor }), ...refusal);
        // Without a maximum it is the model's that is sent, and reserved for.
        expectRefusal(await ask({ max_output_tokens: null }, ["first"], { key: poor }), ...refusal);
        expect(first().requests).toEqual([]);
        expect((await ask({ max_output_tokens: 100 }, ["first"], { key: poor })).status).toBe(200);
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
      ])("402: %s has no price, so a limit cannot count it", async (_, body) => {
        expectRefusal(await ask(body), 402, "payment_required", /has no price/);
        const { key: unlimited } = await makeKey(gateway());
        expect((await ask(body, ["first"], { key: unlimited })).status).toBe(200);
      });

      it("429: a rate limit, with Retry-After, counted as a refused call", async () => {
        const { key: slow } = await makeKey(gateway(), { requests_per_minute: 1 });
        expect((await ask({}, ["first"], { key: slow })).status).toBe(200);
        const answer = await ask({}, ["first"], { key: slow });
        expectRefusal(answer, 429, "rate_limit_exceeded", /./);
        expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
      });
    });

    describe("a provider's refusal", () => {
      it.each([
        [400, openais("invalid_request_error", null, "input is too odd"), 400, "invalid_request", "invalid_request"],
        [
          400,
          openais("invalid_request_error", "context_length_exceeded", "too long"),
          400,
          "context_length_exceeded",
          "context_length_exceeded",
        ],
        [
          401,
          openais("invalid_request_error", "invalid_api_key", "bad key"),
          502,
          "provider_unavailable",
          "provider_unavailable",
        ],
        [
          429,
          openais("requests", "rate_limit_exceeded", "slow down"),
          429,
          "rate_limit_exceeded",
          "rate_limit_exceeded",
        ],
        [500, openais("server_error", null, "oops"), 502, "provider_unavailable", "provider_unavailable"],
        [503, openais("server_error", null, "Overloaded"), 503, "provider_overloaded", "provider_busy"],
      ])("%i %j is answered %i %s", async (status, body, expected, type, own) => {
        first().answer(json(body, status, { "retry-after": "7" }));
        const answer = await ask();
        expectRefusal(answer, expected, type, new RegExp(body.error.message));
        expect(await row(answer.headers.get("x-generation-id"))).toMatchObject({
          api_type: "responses",
          status: expected,
          error_type: own,
          cost: 0n,
        });
      });

      it("leads to the next provider, and to the next model, before the first byte", async () => {
        first().answer(json(openais("server_error", null, "Overloaded"), 503));
        second().answer(answering(streamedResponse));
        const answer = await ask({ stream: true }, ["first", "second"]);
        expect(answer.text).toBe(named(streamedResponse.join("")) + end);
        const { attempts } = (await row(answer.headers.get("x-generation-id"))) ?? {};
        expect(attempts).toMatchObject([
          { provider: "first", status: 503 },
          { provider: "second", status: 200 },
        ]);
        second().answer(answeringWhole());
        const other = await ask({ model: "acme/none", models: ["acme/thinker"] }, ["second"]);
        expect([other.status, second().requests.length]).toEqual([200, 2]);
      });

      it("in a stream's first event leads to the next provider as well", async () => {
        const error = 'event: error\ndata: {"type":"error","code":"server_error","message":"oops","param":null}\n\n';
        first().answer(answering([error]));
        second().answer(answering(streamedResponse));
        expect((await ask({ stream: true }, ["first", "second"])).status).toBe(200);
        const failed = `event: response.failed\ndata: {"type":"response.failed","response":{"error":{"code":"rate_limit_exceeded","message":"slow"},"usage":{"input_tokens":5,"output_tokens":0}}}\n\n`;
        first().answer(answering([failed]));
        expectRefusal(await ask({ stream: true }), 429, "rate_limit_exceeded", /slow/);
      });
    });

    describe("a whole answer", () => {
      const failed = { status: "failed", error: { code: "server_error", message: "It broke" }, output: [] };
      it.each([
        ["is no JSON", "<html>"],
        ["has no output", '{"object":"response","usage":{"input_tokens":1,"output_tokens":1}}'],
        ["breaks off", wholeResponse.slice(0, 300)],
        ["failed", JSON.stringify({ ...JSON.parse(wholeResponse), ...failed })],
        ["is not finished", wholeResponse.replace('"status": "completed",', '"status": "queued",')],
        ["has 5,000 items", JSON.stringify({ object: "response", output: Array.from({ length: 5_000 }, () => ({})) })],
      ])("that %s: the next provider is asked", async (_, body) => {
        first().answer(answeringWhole(body));
        expect((await ask({}, ["first", "second"])).status).toBe(200);
        expectRefusal(await ask(), 502, "provider_unavailable", /first/);
      });

      it("that does not come in time: 524, and the limit counts what may be billed", async () => {
        first().answer({ pieces: [], end: "hang" });
        const answer = await ask();
        expectRefusal(answer, 524, "timeout", /first/);
        expect(await row(answer.headers.get("x-generation-id"))).toMatchObject({ status: 524, error_type: "timeout" });
        expect((await usage()).usage).toBeGreaterThan(0);
      });

      it.each([
        ["absent", { usage: undefined }],
        ["null", { usage: null }],
        ["negative", { usage: { input_tokens: -5, output_tokens: 1 } }],
        ["immense", { usage: { input_tokens: 1e15, output_tokens: 1e15 } }],
        ["no object", { usage: "many" }],
      ])("whose usage is %s is counted by the gateway, and passed on all the same", async (_, more) => {
        const body = JSON.stringify({ ...JSON.parse(wholeResponse), ...more });
        first().answer(answeringWhole(body));
        const answer = await ask();
        expect(answer.text).toBe(named(body));
        const { metered_by, cost } = (await row(answer.headers.get("x-generation-id"))) ?? {};
        expect(metered_by).toBe("gateway");
        expect(cost).toBeLessThan(1_000_000n);
      });
    });

    describe("a stream", () => {
      it("that breaks off ends with response.failed, and is charged for what came", async () => {
        first().answer(answering(streamedResponse.slice(0, 11), { end: "cut" }));
        const answer = await ask({ stream: true });
        expect(answer.status).toBe(200);
        expect(answer.text.startsWith(named(streamedResponse.slice(0, 11).join("")))).toBe(true);
        expect(answer.text.endsWith(end)).toBe(true);
        const id = answer.headers.get("x-generation-id");
        expect(failedIn(answer.text)).toMatchObject([
          {
            type: "response.failed",
            sequence_number: 11,
            response: {
              id: "resp_67c9fdcecf488190bdd9a0409de3a1ec07b8b0ad4e5eb654",
              status: "failed",
              model: "acme/thinker",
              error: { code: "server_error", message: expect.any(String) },
              error_type: "provider_unavailable",
            },
          },
        ]);
        expect(answer.text).not.toContain("response.completed");
        expect((await row(id))?.cost).toBeGreaterThan(160_000n);
      });

      it("that ends without its last event has failed", async () => {
        first().answer(answering(streamedResponse.slice(0, -1)));
        expect(failedIn((await ask({ stream: true })).text)).toHaveLength(1);
      });

      it.each([
        [
          "response.failed",
          '"response":{"id":"resp_1","status":"failed","error":{"code":"rate_limit_exceeded","message":"Too fast"},"usage":{"input_tokens":160,"output_tokens":7}}',
          "rate_limit_exceeded",
          /Too fast/,
        ],
        ["error", '"code":"server_error","message":"It broke","param":null', "server_error", /It broke/],
        ["error", '"error":{"code":"context_length_exceeded","message":"Too long"}', "invalid_prompt", /Too long/],
      ])("with the vendor's %s ends with that error, in the gateway's words", async (type, members, code, message) => {
        const frame = `event: ${type}\ndata: {"type":"${type}","sequence_number":10,${members}}\n\n`;
        first().answer(answering([...streamedResponse.slice(0, 10), frame]));
        const answer = await ask({ stream: true });
        const [event] = failedIn(answer.text);
        expect(event.response.error).toEqual({ code, message: expect.stringMatching(message) });
        expect((await row(answer.headers.get("x-generation-id")))?.cost).toBeGreaterThan(100_000n);
      });

      it.each([
        ["with an event that is no JSON", "event: response.output_text.delta\ndata: {oops\n\n"],
        ["with an event of 17 MB", `event: x\ndata: {"a":"${"x".repeat(17 * 1_048_576)}"}\n\n`],
      ])("%s ends with response.failed", async (_, frame) => {
        first().answer(answering([...streamedResponse.slice(0, 10), frame]));
        expect(failedIn((await ask({ stream: true })).text)).toHaveLength(1);
      });

      it("that falls silent ends with response.failed", async () => {
        first().answer(answering(streamedResponse.slice(0, 10), { end: "hang" }));
        const [event] = failedIn((await ask({ stream: true })).text);
        expect(event.response.error_type).toBe("timeout");
      });

      it.each([
        ["absent", "null"],
        ["negative", '{"input_tokens":-1,"output_tokens":5}'],
        ["immense", '{"input_tokens":1e15,"output_tokens":1e15}'],
      ])("whose usage is %s is counted by the gateway", async (_, counted) => {
        const last = (streamedResponse.at(-1) ?? "").replace(
          /"usage":\{"input_tokens":.*?"total_tokens":210\}/,
          () => `"usage":${counted}`,
        );
        first().answer(answering([...streamedResponse.slice(0, -1), last]));
        const answer = await ask({ stream: true });
        expect(answer.text.endsWith(named(last) + end)).toBe(true);
        const { metered_by, cost } = (await row(answer.headers.get("x-generation-id"))) ?? {};
        expect(metered_by).toBe("gateway");
        expect(cost).toBeLessThan(2_000_000n);
      });

      it("whose reader leaves is read for its usage, charged, and recorded as left", async () => {
        const { promise: until, resolve: goOn } = Promise.withResolvers<void>();
        first().answer(answering(streamedResponse, { hold: { from: 10, until } }));
        const client = new OpenAI({ apiKey: key, baseURL: `${gateway().url}/v1`, maxRetries: 0 });
        const asked = { model: "acme/thinker", max_output_tokens: 100, input, stream: true as const };
        const provider = { only: ["first"] };
        const stream = await client.responses.create({ ...asked, provider } as typeof asked);
        const heard: string[] = [];
        for await (const { type } of stream) if (heard.push(type) === 3) break;
        await caughtUp(gateway(), key);
        goOn();
        const found = await eventually(
          async () => await ledgerRows(gateway().deps.store.db).selectAll().where("key_hash", "=", hash).execute(),
          (rows) => rows.length > 0,
        );
        expect(found).toMatchObject([{ status: 499, cancelled: true, api_type: "responses", prompt_tokens: 160 }]);
        expect((await usage()).usage).toBeGreaterThan(0);
      });
    });

    describe("a translated stream", () => {
      const chat = withResponder(gateway, {
        slug: "chat",
        provider: { preset: "custom" },
        model: { id: "acme/chat" },
      });
      const chunk = (delta: object, finish: string | null = null) =>
        `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
      const translated = async () => await ask({ model: "acme/chat", stream: true }, ["chat"]);

      it.each<[string, readonly string[], Partial<ScriptedAnswer>]>([
        ["breaks off", [chunk({ content: "Hel" })], { end: "cut" }],
        ["falls silent", [chunk({ content: "Hel" })], { end: "hang" }],
        ["has an event that is no JSON", [chunk({ content: "Hel" }), "data: {oops\n\n"], {}],
        ["has the vendor's error", [chunk({ content: "Hel" }), 'data: {"error":{"message":"oops"}}\n\n'], {}],
        [
          "calls 5,000 tools",
          Array.from({ length: 5_000 }, (_, index) => chunk({ tool_calls: [{ index, function: { name: "f" } }] })),
          {},
        ],
      ])("that %s ends with response.failed, in order", async (_, pieces, more) => {
        chat().answer({ headers: { "content-type": "text/event-stream" }, pieces, ...more });
        const answer = await translated();
        const numbers = [...answer.text.matchAll(/"sequence_number":(\d+)/g)].map(([, number]) => Number(number));
        expect(numbers).toEqual(numbers.map((_number, at) => at));
        expect(failedIn(answer.text)).toHaveLength(1);
        expect(answer.text.endsWith(end)).toBe(true);
        expect((await usage()).usage).toBeGreaterThan(0);
      });
    });

    it("a call is forwarded as one event that says which operation it was", async () => {
      const answer = await ask();
      const id = answer.headers.get("x-generation-id") ?? "";
      const { data } = (await gateway().call("GET", `/generations?id=${id}`)).json;
      expect(data).toMatchObject([{ api_type: "responses" }]);
      expect((await gateway().call("GET", `/generation?id=${id}`)).json.data.api_type).toBe("completions");
    });
  },
  { env: { GATEHOUSE_UPSTREAM_TIMEOUT: String(upstreamTimeout) } },
);
