import OpenAI from "openai";
import { zodTextFormat } from "openai/helpers/zod";
import { OpenRouter } from "openrouter-sdk-1-3-19";
import { beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { callChunk, chunk, streamedChat, wholeChat } from "../../testing/chat-answers.ts";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { makeKey } from "../../testing/factories.ts";
import { answering, answeringWhole, streamedResponse } from "../../testing/responses-answers.ts";
import { withResponder } from "../../testing/scripted-setup.ts";

const input = "What is the weather? ".repeat(10);
const tools = [
  {
    type: "function" as const,
    name: "get_weather",
    strict: true,
    parameters: {
      type: "object",
      properties: { location: { type: "string" } },
      required: ["location"],
      additionalProperties: false,
    },
  },
];

const called = {
  index: 0,
  id: "call_1",
  type: "function",
  function: { name: "get_weather", arguments: '{"location":"San Francisco"}' },
};
const streamed = streamedChat(
  chunk({ reasoning: "Let me " }),
  chunk({ reasoning: "see" }),
  chunk({ content: "I'll check " }),
  chunk({ content: "the weather." }),
  callChunk(0, { ...called, function: { name: "get_weather", arguments: '{"location":"San' } }),
  callChunk(0, { function: { arguments: ' Francisco"}' } }),
  chunk({}, "tool_calls"),
);

const failed = async (work: Promise<unknown>) =>
  await work.then(
    () => null,
    (error: unknown) => error,
  );

describeGateway("responses by the clients that people use", (gateway) => {
  const speaker = withResponder(gateway, { slug: "speaker" });
  const chat = withResponder(gateway, {
    slug: "chat",
    provider: { preset: "custom" },
    model: { id: "acme/chat" },
  });
  let key = "";
  beforeEach(async () => void ({ key } = await makeKey(gateway())));
  const base = () => `${gateway().url}/api/v1`;

  describe.each([
    ["passed through", "acme/thinker"],
    ["translated", "acme/chat"],
  ])("openai 7, %s", (way, model) => {
    const isPassed = way === "passed through";
    let client: OpenAI;
    beforeEach(() => {
      client = new OpenAI({ apiKey: key, baseURL: base(), maxRetries: 0 });
      speaker().answer(answeringWhole());
    });

    it("takes a whole answer, with its text, thoughts, tools and usage", async () => {
      chat().answer(
        wholeChat({ content: "I'll check the weather.", reasoning: "Let me see", tool_calls: [called] }, "tool_calls"),
      );
      const response = await client.responses.create({ model, input, tools });
      expect(response.model).toBe(model);
      expect(response.output_text).toBe("I'll check the weather.");
      const types = ["reasoning", ...(isPassed ? ["hologram"] : []), "message", "function_call"];
      expect(response.output.map(({ type }) => type)).toEqual(types);
      expect(response.usage).toMatchObject(isPassed ? { total_tokens: 210 } : { total_tokens: 130 });
    });

    it("takes a stream, event by event", async () => {
      speaker().answer(answering(streamedResponse));
      chat().answer(streamed);
      const heard: string[] = [];
      let text = "";
      for await (const event of await client.responses.create({ model, input, tools, stream: true })) {
        heard.push(event.type);
        if (event.type === "response.output_text.delta") text += event.delta;
      }
      expect(text).toBe("I'll check the weather.");
      expect(heard.slice(0, 2)).toEqual(["response.created", "response.in_progress"]);
      expect(heard.at(-1)).toBe("response.completed");
    });

    it("takes a stream by its helper, which checks the order, to the final answer", async () => {
      speaker().answer(answering(streamedResponse));
      chat().answer(streamed);
      const stream = client.responses.stream({ model, input, tools });
      const response = await stream.finalResponse();
      expect(response.status).toBe("completed");
      expect(response.output_text).toBe("I'll check the weather.");
      const call = response.output.find((item) => item.type === "function_call");
      expect(call).toMatchObject({ name: "get_weather", parsed_arguments: { location: "San Francisco" } });
    });

    it("takes the items of an answer back, with what a tool said", async () => {
      chat().answer(wholeChat({ content: null, tool_calls: [called] }, "tool_calls"));
      speaker().answer(answeringWhole());
      const first = await client.responses.create({ model, input, tools, include: ["reasoning.encrypted_content"] });
      const call = first.output.find((item) => item.type === "function_call");
      const output = { type: "function_call_output" as const, call_id: call?.call_id ?? "", output: "sunny" };
      const known = first.output.filter(({ type }) => (type as string) !== "hologram");
      chat().answer(wholeChat({ content: "It is sunny." }, "stop"));
      const next = [{ role: "user" as const, content: input }, ...known, output];
      const second = await client.responses.create({ model, input: next as OpenAI.Responses.ResponseInput, tools });
      expect(second.status).toBe("completed");
      const sent = JSON.parse((isPassed ? speaker() : chat()).requests.at(-1)?.body ?? "");
      expect(JSON.stringify(sent)).toContain("sunny");
    });

    it("takes structured output, parsed", async () => {
      const words = JSON.stringify({ place: "Paris", degrees: 21 });
      chat().answer(wholeChat({ content: words }, "stop"));
      const { text } = { text: JSON.stringify(words).slice(1, -1) };
      speaker().answer(answeringWhole(wholeWith(text)));
      const weather = z.object({ place: z.string(), degrees: z.number() });
      const format = zodTextFormat(weather, "weather");
      const response = await client.responses.parse({ model, input, text: { format } });
      expect(response.output_parsed).toEqual({ place: "Paris", degrees: 21 });
      const sent = JSON.parse((isPassed ? speaker() : chat()).requests.at(-1)?.body ?? "");
      const schema = isPassed ? sent.text.format : sent.response_format.json_schema;
      expect(schema).toMatchObject({ name: "weather", strict: true, schema: { required: ["place", "degrees"] } });
    });

    it("gets the exception that belongs to an error, and its words", async () => {
      const unknown = await failed(client.responses.create({ model: "acme/none", input }));
      expect(unknown).toBeInstanceOf(OpenAI.NotFoundError);
      expect(unknown).toMatchObject({ status: 404, code: 404, message: expect.stringMatching(/acme\/none/) });
      const stranger = new OpenAI({ apiKey: "sk-gh-v1-nonsense", baseURL: base(), maxRetries: 0 });
      expect(await failed(stranger.responses.create({ model, input }))).toBeInstanceOf(OpenAI.AuthenticationError);
      expect(await failed(client.responses.create({ model, input: [] }))).toBeInstanceOf(OpenAI.BadRequestError);
      expect(await failed(client.responses.retrieve("resp_1"))).toMatchObject({
        status: 404,
        message: expect.stringMatching(/previous_response_id/),
      });
    });

    it("learns from a stream that broke off that it failed", async () => {
      speaker().answer(answering(streamedResponse.slice(0, 11), { end: "cut" }));
      chat().answer({ ...streamed, pieces: streamed.pieces.slice(0, 3), end: "cut" });
      const response = await client.responses.stream({ model, input }).finalResponse();
      expect(response.status).toBe("failed");
      expect(response.error).toMatchObject({ code: "server_error" });
    });
  });

  describe.each([
    ["passed through", "acme/thinker"],
    ["translated", "acme/chat"],
  ])("@openrouter/sdk 1.3.19, %s", (_, model) => {
    const client = () => new OpenRouter({ apiKey: key, serverURL: base(), retryConfig: { strategy: "none" } });

    it("takes a whole answer, which it validates", async () => {
      speaker().answer(answeringWhole());
      chat().answer(wholeChat({ content: "I'll check the weather.", tool_calls: [called] }, "tool_calls"));
      const response = await client().responses.send({ responsesRequest: { model, input, tools, stream: false } });
      if (!("output" in response)) throw new Error("a stream came");
      expect(response.status).toBe("completed");
      expect(response.output.map(({ type }) => type as string)).toContain("function_call");
      expect(response.usage?.inputTokens).toBeGreaterThan(99);
    });

    it("takes a stream, all of whose events it knows", async () => {
      speaker().answer(answering(streamedResponse));
      chat().answer(streamed);
      const stream = await client().responses.send({ responsesRequest: { model, input, tools, stream: true } });
      if ("output" in stream) throw new Error("no stream came");
      const heard: object[] = [];
      for await (const event of stream) heard.push(event);
      expect(heard.filter((event) => "isUnknown" in event && event.isUnknown)).toEqual([]);
      expect(heard.length).toBeGreaterThan(15);
    });
  });
});

/** A whole answer that says this. @param text as JSON writes it, without quotes */
function wholeWith(text: string): string {
  return `{"id":"resp_1","object":"response","created_at":1,"status":"completed","model":"upstream-model","error":null,"incomplete_details":null,
    "output":[{"type":"message","id":"msg_1","role":"assistant","status":"completed","content":[{"type":"output_text","text":"${text}","annotations":[]}]}],
    "usage":{"input_tokens":60,"input_tokens_details":{"cached_tokens":0},"output_tokens":12,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":72}}`;
}
