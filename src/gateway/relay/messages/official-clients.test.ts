import Anthropic from "anthropic-sdk-1-12-0";
import Anthropic071 from "anthropic-sdk-0-71-2";
import { beforeEach, describe, expect, it } from "vitest";
import { streamedChat, chunk, wholeChat } from "../../testing/chat-answers.ts";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { makeKey } from "../../testing/factories.ts";
import { answering, answeringWhole, streamedMessage } from "../../testing/messages-answers.ts";
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
});
