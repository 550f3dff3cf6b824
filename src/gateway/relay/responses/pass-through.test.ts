import { beforeEach, describe, expect, it } from "vitest";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { ledgerRow } from "../../testing/ledger-calls.ts";
import { makeKey } from "../../testing/factories.ts";
import {
  answering,
  answeringWhole,
  streamedResponse,
  vendorHeaders,
  wholeResponse,
} from "../../testing/responses-answers.ts";
import { vendorsKey, withResponder } from "../../testing/scripted-setup.ts";

/** Long enough for the usage that the vendor reports to be believed. */
const input = "Say hello. ".repeat(40);
const named = (text: string) => text.replaceAll("upstream-model", "acme/thinker");
const end = "data: [DONE]\n\n";

describeGateway("createResponse, passed through", (gateway) => {
  const vendor = withResponder(gateway);
  let key = "";
  beforeEach(async () => {
    ({ key } = await makeKey(gateway()));
    vendor().requests.length = 0;
    vendor().answer(answeringWhole());
  });
  const post = async (raw: string | object, headers: Record<string, string> = {}) =>
    await gateway().call("POST", "/responses", {
      key,
      raw: typeof raw === "string" ? raw : JSON.stringify(raw),
      headers,
    });
  const ask = async (body: object, headers = {}) => await post({ model: "acme/thinker", input, ...body }, headers);
  const row = async (id: string | null) => await ledgerRow(gateway(), id);

  describe("the request", () => {
    it("is the caller's bytes, but for the model's name and the gateway's own members", async () => {
      const answer = await post(
        `{ "model" : "acme/thinker", "provider": {"order": ["responder"]},\n "max_output_tokens": 1e2, "session_id": "s-1", "user": "u-1", "store": false,
          "input": [{"role": "user", "content": [{"type": "input_text", "text": "\\u00e9 \\/", "surprise": 1.0}]}, {"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"}],
          "include": ["reasoning.encrypted_content"], "trace": {"trace_id": "t"}, "surprise": {"model": 1.50}, "models": ["acme/thinker"] }`,
      );
      expect(answer.status).toBe(200);
      expect(vendor().requests[0]?.body).toBe(
        `{ "model" : "upstream-model",\n "max_output_tokens": 1e2, "user": "u-1", "store": false,
          "input": [{"role": "user", "content": [{"type": "input_text", "text": "\\u00e9 \\/", "surprise": 1.0}]}, {"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"}],
          "include": ["reasoning.encrypted_content"], "surprise": {"model": 1.50} }`,
      );
      expect(await row(answer.headers.get("x-generation-id"))).toMatchObject({
        external_user: "u-1",
        session_id: "s-1",
        trace: { trace_id: "t" },
      });
    });

    it("goes to the vendor's operation with the gateway's own key", async () => {
      await ask({}, { "x-secret": "mine" });
      const { path, headers } = vendor().requests[0] ?? {};
      expect(path).toBe("/v1/responses");
      expect(headers).toMatchObject({ authorization: `Bearer ${vendorsKey}`, accept: "application/json" });
      expect(headers).not.toHaveProperty("x-secret");
    });

    it.each([[{}], [{ store: null }]])("asks a vendor that keeps answers not to keep this one: %j", async (given) => {
      await ask(given);
      expect(JSON.parse(vendor().requests[0]?.body ?? "")).toEqual({ model: "upstream-model", input, store: false });
    });

    it("has a maximum where a limit counts the call and the caller gives none", async () => {
      ({ key } = await makeKey(gateway(), { limit: 1 }));
      await ask({});
      expect(JSON.parse(vendor().requests[0]?.body ?? "")).toMatchObject({ max_output_tokens: 8_192 });
    });

    it("is completed by the preset that it names", async () => {
      const { record } = await makeKey(gateway());
      const workspace_id = (await gateway().call("GET", `/keys/${record.hash}`)).json.data.workspace_id;
      const config = { model: "acme/thinker", max_tokens: 70, reasoning_effort: "low" };
      const made = await gateway().call("POST", "/presets", {
        body: { slug: "brief", name: "Brief", workspace_id, config, system_prompt: "Be brief." },
      });
      expect(made.status).toBeLessThan(300);
      const answer = await post({ model: "@preset/brief", input });
      expect(answer.status).toBe(200);
      expect(JSON.parse(vendor().requests[0]?.body ?? "")).toEqual({
        model: "upstream-model",
        input,
        instructions: "Be brief.",
        max_output_tokens: 70,
        reasoning: { effort: "low" },
        store: false,
      });
      await gateway().call("DELETE", `/presets/brief?workspace_id=${workspace_id}`);
    });

    it("is written anew where a member comes twice, so that what is billed is what was checked", async () => {
      const text = JSON.stringify("x".repeat(1_000));
      await post(`{"model":"acme/thinker","max_output_tokens":50,"store":false,"input":${text},"input":"hi"}`);
      expect(vendor().requests[0]?.body).toBe(
        '{"model":"upstream-model","max_output_tokens":50,"store":false,"input":"hi"}',
      );
    });

    it.each([
      ["a file", { type: "input_file", file_data: "data:application/pdf;base64,AAAA", filename: "a.pdf" }],
      ["a part that nobody knows", { type: "hologram" }],
    ])("402: %s may have as many tokens as the context, and costs too much", async (_, part) => {
      ({ key } = await makeKey(gateway(), { limit: 0.01 }));
      const answer = await ask({ max_output_tokens: 16, input: [{ role: "user", content: [part] }] });
      expect(answer.status).toBe(402);
      expect(vendor().requests).toHaveLength(0);
    });
  });

  describe("a whole answer", () => {
    it("is the vendor's bytes, but for the model's name, with its headers and its usage on the ledger", async () => {
      const answer = await ask({});
      expect(answer.text).toBe(named(wholeResponse));
      expect(answer.headers.get("openai-processing-ms")).toBe(vendorHeaders["openai-processing-ms"]);
      expect(answer.headers.get("openai-organization")).toBeNull();
      expect(answer.headers.get("x-internal")).toBeNull();
      expect(await row(answer.headers.get("x-generation-id"))).toMatchObject({
        api_type: "responses",
        model: "acme/thinker",
        provider: "responder",
        status: 200,
        prompt_tokens: 160,
        completion_tokens: 50,
        reasoning_tokens: 12,
        cached_tokens: 20,
        metered_by: "upstream",
        finish_reason: "tool_calls",
        upstream_id: "resp_67ccd3a9da748190baa7f1570fe91ac604becb25c45c1d41",
        cost: 260_000n,
      });
    });

    it("that is incomplete says so on the ledger", async () => {
      const cut = wholeResponse
        .replace('"status": "completed",', '"status": "incomplete",')
        .replace('"incomplete_details": null', '"incomplete_details": {"reason": "max_output_tokens"}');
      vendor().answer(answeringWhole(cut));
      const answer = await ask({});
      expect(answer.text).toBe(named(cut));
      expect(await row(answer.headers.get("x-generation-id"))).toMatchObject({ finish_reason: "length" });
    });

    it("of 2 MB is passed on the same way", async () => {
      const long = wholeResponse.replace("I'll check", `I'll ${"check \\u2026 ".repeat(200_000)}`);
      vendor().answer(answeringWhole(long));
      expect((await ask({})).text === named(long)).toBe(true);
    });

    it.each([64, 300_000])("has the vendor's key blotted out, %i bytes on", async (after) => {
      vendor().answer(answeringWhole(wholeResponse.replace("I'll check", `${"x".repeat(after)} ${vendorsKey}`)));
      const answer = await ask({});
      expect(answer.status).toBe(200);
      expect(answer.text).not.toContain(vendorsKey);
      expect(JSON.parse(answer.text).output[2].content[0].text).toContain("[key]");
    });

    it("says how it was routed where the caller asks for that, and nothing else", async () => {
      const answer = await ask({}, { "x-openrouter-metadata": "enabled" });
      expect(answer.json.openrouter_metadata).toMatchObject({ requested: "acme/thinker", attempt: 1 });
      expect(answer.text.startsWith(named(wholeResponse).slice(0, -2))).toBe(true);
    });
  });

  describe("a stream", () => {
    it("is the vendor's events in their order, but for the model's name, with their usage on the ledger", async () => {
      vendor().answer(answering(streamedResponse));
      const answer = await ask({ stream: true });
      expect(answer.text).toBe(named(streamedResponse.join("")) + end);
      expect(answer.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
      expect(answer.headers.get("openai-version")).toBe(vendorHeaders["openai-version"]);
      expect(await row(answer.headers.get("x-generation-id"))).toMatchObject({
        api_type: "responses",
        streamed: true,
        prompt_tokens: 160,
        completion_tokens: 50,
        reasoning_tokens: 12,
        cached_tokens: 20,
        metered_by: "upstream",
        finish_reason: "tool_calls",
        upstream_id: "resp_67c9fdcecf488190bdd9a0409de3a1ec07b8b0ad4e5eb654",
        cost: 260_000n,
      });
    });

    it("ends once, where the vendor ends it like a chat", async () => {
      vendor().answer(answering([...streamedResponse, end]));
      expect((await ask({ stream: true })).text).toBe(named(streamedResponse.join("")) + end);
    });

    it("is the same byte by byte, and with an event of 200 kB", async () => {
      const long = streamedResponse.map((frame) => frame.replace("the weather.", `${"\\u2026 word ".repeat(16_000)}.`));
      const whole = Buffer.from(long.join(""));
      const some = Array.from({ length: 400 }, (_, at) => whole.subarray(at, at + 1));
      vendor().answer(answering([...some, whole.subarray(400)]));
      expect((await ask({ stream: true })).text === named(long.join("")) + end).toBe(true);
    });

    it("gets the names of its events where the vendor leaves them out", async () => {
      vendor().answer(answering(streamedResponse.map((frame) => frame.replace(/^event: .*\n/, ""))));
      expect((await ask({ stream: true })).text).toBe(named(streamedResponse.join("")) + end);
    });

    it("passes on events that it does not know, and counts what they hold", async () => {
      const unknown = 'event: response.hologram.partial\ndata: {"type":"response.hologram.partial", "a": 1.0}\n\n';
      const events = [...streamedResponse.slice(0, 8), unknown, ...streamedResponse.slice(8)];
      vendor().answer(answering(events));
      expect((await ask({ stream: true })).text).toBe(named(events.join("")) + end);
    });

    it("says how it was routed where the caller asks for that, on its last event", async () => {
      vendor().answer(answering(streamedResponse));
      const { text } = await ask({ stream: true }, { "x-openrouter-metadata": "enabled" });
      const last = text.split("\n\n").at(-3) ?? "";
      const data = JSON.parse(last.slice(last.indexOf("data: ") + 6));
      expect(data).toMatchObject({ type: "response.completed", openrouter_metadata: { attempt: 1 } });
    });

    it("has the vendor's key blotted out, in one event and across several", async () => {
      const delta = (text: string) =>
        `event: response.output_text.delta\ndata: ${JSON.stringify({ type: "response.output_text.delta", sequence_number: 1, item_id: "msg_1", output_index: 1, content_index: 0, delta: text, logprobs: [{ token: text, logprob: -1 }] })}\n\n`;
      const parts = [
        `a ${vendorsKey} b `,
        vendorsKey.slice(0, 9),
        vendorsKey.slice(9, 20),
        `${vendorsKey.slice(20)} c`,
        vendorsKey.slice(0, 7),
      ];
      vendor().answer(
        answering([...streamedResponse.slice(0, 10), ...parts.map(delta), ...streamedResponse.slice(12)]),
      );
      const answer = await ask({ stream: true });
      const events = answer.text
        .split("\n\n")
        .filter((frame) => frame.startsWith("event: response.output_text.delta"))
        .map((frame) => JSON.parse(frame.slice(frame.indexOf("data: ") + 6)));
      expect(events.map(({ delta: text }) => text).join("")).toBe(`a [key] b [key] c${vendorsKey.slice(0, 7)}`);
      expect(answer.text).not.toContain(vendorsKey.slice(9, 20));
      expect(gateway().log()).not.toContain(vendorsKey);
    });
  });
});
