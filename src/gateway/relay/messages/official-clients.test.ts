import Anthropic from "anthropic-sdk-1-12-0";
import Anthropic071 from "anthropic-sdk-0-71-2";
import { beforeEach, describe, expect, it } from "vitest";
import { streamedChat, chunk, wholeChat } from "../../testing/chat-answers.ts";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { makeKey } from "../../testing/factories.ts";
import { answering, answeringWhole, streamedMessage } from "../../testing/messages-answers.ts";
import type { Answer } from "../../testing/gateway.ts";
import { withClaude } from "../../testing/scripted-setup.ts";

const clients: [string, typeof Anthropic][] = [
  ["1.12.0", Anthropic],
  ["0.71.2", Anthropic071 as unknown as typeof Anthropic],
];
const ask = {
  model: "acme/claude",
  max_tokens: 200,
  messages: [{ role: "user" as const, content: "What is the weather? ".repeat(10) }],
};
const tools = [{ name: "get_weather", input_schema: { type: "object" as const, properties: {} } }];

describeGateway("Anthropic's own clients", (gateway) => {
  const vendor = withClaude(gateway);
  const chat = withClaude(gateway, {
    slug: "chat",
    provider: { kind: "openai-compatible", preset: "custom" },
    model: { id: "acme/chat" },
  });

  describe.each(clients)("@anthropic-ai/sdk %s", (_, Client) => {
    let client: Anthropic;
    beforeEach(async () => {
      const { key } = await makeKey(gateway());
      client = new Client({ apiKey: key, baseURL: `${gateway().url}/api`, maxRetries: 0 });
    });

    it("takes a whole answer that is passed on, with thinking, tools and usage", async () => {
      vendor().answer(answeringWhole());
      const message = await client.messages.create({ ...ask, tools });
      expect(message.model).toBe("acme/claude");
      expect(message.content.map(({ type }) => type)).toEqual([
        "thinking",
        "text",
        "server_tool_use",
        "hologram",
        "tool_use",
      ]);
      expect(message.usage).toMatchObject({ input_tokens: 100, output_tokens: 50 });
      expect(message).toHaveProperty("_request_id", "req_018EeWyXxfu5pfWkrYcMdjWG");
    });

    it("takes a stream that is passed on, to its final message", async () => {
      vendor().answer(answering(streamedMessage));
      const stream = client.messages.stream({ ...ask, tools });
      const message = await stream.finalMessage();
      expect(message.content).toMatchObject([
        {
          type: "thinking",
          thinking: "Let me see \u2026",
          signature: "EqQBCgIYAhIM1gbcDa9GJwZA2b3hGgxBdjrkzLoky3dl1pki==",
        },
        { type: "text", text: "I'll check the weather." },
        { type: "tool_use", id: "toolu_01", name: "get_weather", input: { location: "San Francisco" } },
      ]);
      expect(message.stop_reason).toBe("tool_use");
      expect(message.usage.output_tokens).toBe(50);
    });

    it("takes a chat's answer and its stream, put into the dialect", async () => {
      chat().answer(wholeChat({ content: "Hello", reasoning: "Hm" }));
      const whole = await client.messages.create({ ...ask, model: "acme/chat" });
      expect(whole.content).toMatchObject([{ type: "thinking" }, { type: "text", text: "Hello" }]);
      chat().answer(streamedChat(chunk({ content: "Hel" }), chunk({ content: "lo" }, "stop")));
      const streamed = await client.messages.stream({ ...ask, model: "acme/chat" }).finalMessage();
      expect(streamed).toMatchObject({ content: [{ text: "Hello" }], stop_reason: "end_turn" });
      expect(streamed.usage.output_tokens).toBe(30);
    });

    it("gets the exception that belongs to an error, and its words", async () => {
      const failed = async (work: Promise<unknown>) =>
        await work.then(
          () => null,
          (error: unknown) => error,
        );
      const error = await failed(client.messages.create({ ...ask, model: "acme/none" }));
      expect(error).toBeInstanceOf(Client.NotFoundError);
      expect(error).toMatchObject({ status: 404, error: { type: "error", error: { type: "not_found_error" } } });
      const stranger = new Client({ apiKey: "sk-gh-v1-nonsense", baseURL: `${gateway().url}/api`, maxRetries: 0 });
      expect(await failed(stranger.messages.create(ask))).toBeInstanceOf(Client.AuthenticationError);
      expect(await failed(client.messages.create({ ...ask, messages: [] }))).toBeInstanceOf(Client.BadRequestError);
    });
  });

  it("the key is taken from x-api-key as well, and the bearer's first", async () => {
    const { key } = await makeKey(gateway());
    vendor().answer(answeringWhole());
    const send = async (headers: Record<string, string>) =>
      (await gateway().call("POST", "/messages", { key: null, body: ask, headers })).status;
    expect(await send({ "x-api-key": key })).toBe(200);
    expect(await send({ "x-api-key": "sk-gh-v1-nonsense" })).toBe(401);
    expect(await send({ "x-api-key": "sk-gh-v1-nonsense", authorization: `Bearer ${key}` })).toBe(200);
    expect(await send({})).toBe(401);
  });

  it("a refusal before the relay has the dialect's envelope", async () => {
    const { key } = await makeKey(gateway(), { requests_per_minute: 1 });
    const call = async (method: string, path: string, options: object) => await gateway().call(method, path, options);
    const refusals: [Answer, number, string, RegExp][] = [
      [await call("POST", "/messages", { key: null, body: ask }), 401, "authentication_error", /API key/],
      [await call("POST", "/messages", { key, body: { ...ask, model: "acme/none" } }), 404, "not_found_error", /none/],
      [await call("POST", "/messages/batches", { key }), 400, "invalid_request_error", /body is missing/],
      [await call("GET", "/messages", { key }), 405, "invalid_request_error", /GET/],
      [await call("POST", "/messages", { key, raw: Buffer.alloc(33 * 1_048_576) }), 413, "request_too_large", /32 MB/],
    ];
    vendor().answer(answeringWhole());
    expect((await call("POST", "/messages", { key, body: ask })).status).toBe(200);
    const slow = await call("POST", "/messages", { key, body: ask });
    expect(Number(slow.headers.get("retry-after"))).toBeGreaterThan(0);
    for (const [answer, status, type, message] of [...refusals, [slow, 429, "rate_limit_error", /./] as const]) {
      const { type: name, error, request_id } = answer.json;
      expect([answer.status, name, error.type]).toEqual([status, "error", type]);
      expect(error.message).toMatch(message);
      expect(request_id).toBe(answer.headers.get("x-request-id"));
    }
  });

  it("a call is listed as the operation that it was, and by the public API as a completion", async () => {
    const { key } = await makeKey(gateway());
    vendor().answer(answeringWhole());
    const { headers } = await gateway().call("POST", "/messages", { key, body: ask });
    const id = headers.get("x-generation-id") ?? "";
    expect((await gateway().call("GET", `/generations?id=${id}`)).json.data).toMatchObject([{ api_type: "messages" }]);
    expect((await gateway().call("GET", `/generation?id=${id}`)).json.data.api_type).toBe("completions");
  });
});
