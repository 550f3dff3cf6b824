import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { createCohere } from "@ai-sdk/cohere";
import { ChatOpenAI, OpenAIEmbeddings } from "@langchain/openai";
import { ChatOpenRouter } from "@langchain/openrouter";
import { OpenAI as LlamaOpenAI, OpenAIEmbedding as LlamaEmbedding } from "@llamaindex/openai";
import { createOpenRouter } from "@openrouter/ai-sdk-provider";
import { embedMany, generateText, rerank, streamText } from "ai";
import Anthropic from "anthropic-sdk-1-12-0";
import { CohereClient, CohereClientV2 } from "cohere-ai";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import OpenAI from "openai";
import { OpenRouter } from "openrouter-sdk-1-3-19";
import { resetEnv } from "openrouter-sdk-1-3-19/lib/env.js";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { claudeCodeBody, claudeCodeHeaders, codexBody, codexHeaders, toolTurns } from "../testing/agent-requests.ts";
import { describeGateway } from "../testing/describe-gateway.ts";
import { makeKey, makeProvider } from "../testing/factories.ts";
import { answering, streamedMessage } from "../testing/messages-answers.ts";
import { withClaude, withMediaVendor, withResponder } from "../testing/scripted-setup.ts";
import { answering as answeringResponse, streamedResponse } from "../testing/responses-answers.ts";
import { withVendor } from "../testing/vendor-setup.ts";
import { wave } from "../testing/wave.ts";

const said = "Hello from the fake vendor.";
const prompt = "Say hello";
const png = "iVBORw0KGgo=";
const painted = {
  headers: { "content-type": "application/json" },
  pieces: [JSON.stringify({ created: 1, data: [{ b64_json: png }] })],
};
const read = async (path: string) =>
  await readFile(fileURLToPath(new URL(`../../../${path}`, import.meta.url)), "utf8");

it("docs/clients.md lists the programs that are run below", async () => {
  const [page, tests] = await Promise.all([read("docs/clients.md"), read("src/gateway/http/drop-in.test.ts")]);
  const rows = [...page.matchAll(/^\| (?:`([^`]+)`|(Claude Code|Codex))/gm)].map(
    ([, quoted, plain]) => quoted ?? plain ?? "",
  );
  expect(rows.length).toBeGreaterThan(10);
  expect(rows.filter((name) => !new RegExp(`^\\s*(it|describe)\\("${name}[ :,"]`, "m").test(tests))).toEqual([]);
});

/** Each row of docs/clients.md: the real client with the two settings that the row names, and nothing else. */
describeGateway("a program that is given the gateway's address and a key", (gateway) => {
  const vendor = withVendor(gateway);
  const claude = withClaude(gateway);
  const responder = withResponder(gateway);
  const priced = { prompt: "0", character: "0.000001", second: "0.0001", output_image: "0.04" };
  const studio = withMediaVendor(gateway, {
    slug: "studio",
    models: (["speech", "transcription", "image"] as const).map((type) => ({
      id: `studio/${type}`,
      upstream_id: type,
      type,
      pricing: priced,
    })),
  });
  let key = "";
  /** of the base URLs: clients differ in what they put behind them */
  let address = "";

  beforeEach(async () => {
    ({ key } = await makeKey(gateway()));
    address = gateway().url;
  });
  afterEach(() => vi.unstubAllEnvs());

  describe("with OPENAI_BASE_URL and OPENAI_API_KEY", () => {
    beforeEach(() => {
      vi.stubEnv("OPENAI_BASE_URL", `${address}/v1`);
      vi.stubEnv("OPENAI_API_KEY", key);
    });

    it("openai: chat, streams, responses, embeddings, models", async () => {
      const client = new OpenAI({ maxRetries: 0 });
      const messages = [{ role: "user" as const, content: prompt }];
      const whole = await client.chat.completions.create({ model: "acme/talk", messages });
      expect(whole.choices[0]?.message.content).toBe(said);
      let text = "";
      for await (const chunk of await client.chat.completions.create({ model: "acme/talk", messages, stream: true }))
        text += chunk.choices[0]?.delta.content ?? "";
      expect(text).toBe(said);
      expect((await client.responses.create({ model: "acme/talk", input: prompt })).output_text).toBe(said);
      const { data } = await client.embeddings.create({ model: "acme/embed", input: ["one", "two"] });
      expect(data.map(({ embedding }) => embedding.length)).toEqual([4, 4]);
      expect((await client.models.retrieve("acme/talk")).id).toBe("acme/talk");
      const listed: string[] = [];
      for await (const model of await client.models.list()) listed.push(model.id);
      expect(listed).toEqual(expect.arrayContaining(["acme/claude", "acme/talk"]));
    });

    it("openai: completions of before there was chat, and their streams", async () => {
      const client = new OpenAI({ maxRetries: 0 });
      const whole = await client.completions.create({ model: "acme/talk", prompt });
      expect(whole.choices[0]?.text).toBe(said);
      let text = "";
      for await (const chunk of await client.completions.create({ model: "acme/talk", prompt, stream: true }))
        text += chunk.choices[0]?.text ?? "";
      expect(text).toBe(said);
    });

    it("openai: images, speech and recordings", async () => {
      const client = new OpenAI({ maxRetries: 0 });
      studio().answer(painted);
      const { data } = await client.images.generate({ model: "studio/image", prompt });
      expect(data?.map(({ b64_json }) => b64_json)).toEqual([png]);
      studio().answer({ headers: { "content-type": "audio/mpeg" }, pieces: ["sound"] });
      const spoken = await client.audio.speech.create({ model: "studio/speech", voice: "alloy", input: prompt });
      expect(await spoken.text()).toBe("sound");
      studio().answer({ headers: { "content-type": "application/json" }, pieces: [JSON.stringify({ text: said })] });
      const file = new File([new Uint8Array(wave(1))], "a.wav");
      expect((await client.audio.transcriptions.create({ model: "studio/transcription", file })).text).toBe(said);
    });

    it("openai: files, and a call that names one", async () => {
      const client = new OpenAI({ maxRetries: 0 });
      const file = await client.files.create({ file: new File(["a,b\n1,2\n"], "a.csv"), purpose: "user_data" });
      const content = [{ type: "input_file" as const, file_id: file.id }];
      const asked = await client.responses.create({ model: "acme/talk", input: [{ role: "user", content }] });
      expect(asked.output_text).toBe(said);
      expect(JSON.stringify(vendor().requests.at(-1)?.body)).toContain("a,b\\n1,2");
      expect(await client.files.delete(file.id)).toMatchObject({ id: file.id });
    });

    it("@ai-sdk/openai: text and streams of both its kinds, embeddings", async () => {
      const openai = createOpenAI();
      for (const model of [openai("acme/talk"), openai.chat("acme/talk")]) {
        expect((await generateText({ model, prompt, maxRetries: 0 })).text).toBe(said);
        expect(await streamText({ model, prompt, maxRetries: 0 }).text).toBe(said);
      }
      const { embeddings } = await embedMany({ model: openai.embedding("acme/embed"), values: ["one", "two"] });
      expect(embeddings.map((vector) => vector.length)).toEqual([4, 4]);
    });

    it("@langchain/openai: a chat model, its stream and embeddings", async () => {
      const chat = new ChatOpenAI({ model: "acme/talk", maxRetries: 0 });
      expect((await chat.invoke(prompt)).text).toBe(said);
      let text = "";
      for await (const chunk of await chat.stream(prompt)) text += chunk.text;
      expect(text).toBe(said);
      const vectors = await new OpenAIEmbeddings({ model: "acme/embed", maxRetries: 0 }).embedDocuments(["one", "two"]);
      expect(vectors.map((vector) => vector.length)).toEqual([4, 4]);
    });

    it("@llamaindex/openai: a chat model and embeddings", async () => {
      const llm = new LlamaOpenAI({ model: "acme/talk", maxRetries: 0 });
      const { message } = await llm.chat({ messages: [{ role: "user", content: prompt }] });
      expect(message.content).toBe(said);
      const embedding = new LlamaEmbedding({ model: "acme/embed", maxRetries: 0 });
      expect(await embedding.getTextEmbedding("one")).toHaveLength(4);
    });
  });

  it("@ai-sdk/openai-compatible: text and embeddings", async () => {
    const acme = createOpenAICompatible({ name: "gatehouse", baseURL: `${address}/v1`, apiKey: key });
    expect((await generateText({ model: acme("acme/talk"), prompt, maxRetries: 0 })).text).toBe(said);
    const { embeddings } = await embedMany({ model: acme.embeddingModel("acme/embed"), values: ["one"] });
    expect(embeddings[0]).toHaveLength(4);
  });

  it("@openrouter/ai-sdk-provider: text with its cost, and a stream", async () => {
    const openrouter = createOpenRouter({ baseURL: `${address}/api/v1`, apiKey: key });
    const { text, providerMetadata } = await generateText({ model: openrouter("acme/talk"), prompt, maxRetries: 0 });
    expect(text).toBe(said);
    expect(providerMetadata).toMatchObject({ openrouter: { usage: { cost: expect.any(Number) } } });
    expect(await streamText({ model: openrouter("acme/talk"), prompt, maxRetries: 0 }).text).toBe(said);
  });

  it("@langchain/openrouter: a chat model, and its stream", async () => {
    const chat = new ChatOpenRouter({ model: "acme/talk", apiKey: key, baseURL: `${address}/api/v1`, maxRetries: 0 });
    expect((await chat.invoke(prompt)).text).toBe(said);
    let text = "";
    for await (const chunk of await chat.stream(prompt)) text += chunk.text;
    expect(text).toBe(said);
  });

  it("@openrouter/sdk with OPENROUTER_BASE_URL and OPENROUTER_API_KEY", async () => {
    resetEnv();
    vi.stubEnv("OPENROUTER_BASE_URL", `${address}/api/v1`);
    vi.stubEnv("OPENROUTER_API_KEY", key);
    const client = new OpenRouter({ retryConfig: { strategy: "none" } });
    const result = await client.chat.send({
      chatRequest: { model: "acme/talk", messages: [{ role: "user", content: prompt }] },
    });
    expect("choices" in result && result.choices[0]?.message.content).toBe(said);
    studio().answer(painted);
    const made = await client.images.generate({ imageGenerationRequest: { model: "studio/image", prompt } });
    expect(made).toMatchObject({ data: [{ b64Json: png }] });
  });

  describe("with ANTHROPIC_BASE_URL and a key", () => {
    beforeEach(() => vi.stubEnv("ANTHROPIC_BASE_URL", address));

    it("@anthropic-ai/sdk with ANTHROPIC_API_KEY, and with ANTHROPIC_AUTH_TOKEN", async () => {
      for (const variable of ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"]) {
        vi.stubEnv("ANTHROPIC_API_KEY", undefined);
        vi.stubEnv(variable, key);
        claude().answer(answering(streamedMessage));
        const client = new Anthropic({ maxRetries: 0 });
        const message = await client.messages
          .stream({ model: "acme/claude", max_tokens: 100, messages: [{ role: "user", content: prompt }] })
          .finalMessage();
        expect(message.model).toBe("acme/claude");
        vi.stubEnv(variable, undefined);
      }
    });

    it("@ai-sdk/anthropic, of a model that speaks another dialect", async () => {
      vi.stubEnv("ANTHROPIC_BASE_URL", `${address}/v1`);
      vi.stubEnv("ANTHROPIC_API_KEY", key);
      const anthropic = createAnthropic();
      expect((await generateText({ model: anthropic("acme/talk"), prompt, maxRetries: 0 })).text).toBe(said);
      expect(await streamText({ model: anthropic("acme/talk"), prompt, maxRetries: 0 }).text).toBe(said);
    });
  });

  describe("Claude Code, with ANTHROPIC_BASE_URL and ANTHROPIC_AUTH_TOKEN", () => {
    const ask = async (body: object) =>
      await fetch(`${address}/v1/messages?beta=true`, {
        method: "POST",
        headers: { ...claudeCodeHeaders, "content-type": "application/json", authorization: `Bearer ${key}` },
        body: JSON.stringify(body),
      });

    it("its calls reach a provider of its dialect as they are, and the stream comes back as it is", async () => {
      claude().requests.length = 0;
      claude().answer(answering(streamedMessage));
      const body = claudeCodeBody("acme/claude", toolTurns("toolu_01ABC123"));
      const answer = await ask(body);
      expect(answer.status).toBe(200);
      expect(await answer.text()).toBe(streamedMessage.join("").replaceAll("claude-upstream", "acme/claude"));
      const [received] = claude().requests;
      expect(received?.body).toBe(JSON.stringify({ ...body, model: "claude-upstream" }));
      expect(received?.headers).toMatchObject({
        "anthropic-beta": claudeCodeHeaders["anthropic-beta"],
        "anthropic-version": "2023-06-01",
      });
    });

    it("a model of another dialect answers it in its own, a tool's result included", async () => {
      const answer = await ask(claudeCodeBody("acme/talk", toolTurns("toolu_01ABC123")));
      expect(answer.status).toBe(200);
      const events = [...(await answer.text()).matchAll(/^event: (\w+)$/gm)].map(([, name]) => name);
      expect([events[0], ...events.slice(-3)]).toEqual([
        "message_start",
        "content_block_stop",
        "message_delta",
        "message_stop",
      ]);
      const sent = vendor().requests.at(-1)?.body;
      expect(sent).toMatchObject({
        messages: [
          { role: "system" },
          { role: "user" },
          {
            role: "assistant",
            tool_calls: [{ function: { name: "Read", arguments: '{"file_path":"/a/package.json"}' } }],
          },
          { role: "tool", tool_call_id: "toolu_01ABC123" },
        ],
      });
    });

    it("count_tokens answers before it sends", async () => {
      const { max_tokens: _, stream: __, metadata: ___, ...body } = claudeCodeBody("acme/claude");
      const answer = await fetch(`${address}/v1/messages/count_tokens?beta=true`, {
        method: "POST",
        headers: { ...claudeCodeHeaders, "content-type": "application/json", authorization: `Bearer ${key}` },
        body: JSON.stringify(body),
      });
      expect(await answer.json()).toMatchObject({ input_tokens: expect.any(Number) });
    });
  });

  describe("Codex, with a provider of its own in config.toml", () => {
    const ask = async (body: object) =>
      await fetch(`${address}/v1/responses`, {
        method: "POST",
        headers: { ...codexHeaders, "content-type": "application/json", authorization: `Bearer ${key}` },
        body: JSON.stringify(body),
      });

    const patch = {
      type: "custom",
      name: "apply_patch",
      format: { type: "grammar", syntax: "lark", definition: "a: /b/" },
    };

    it("its calls reach a provider of its dialect as they are, and the stream comes back as it is", async () => {
      responder().requests.length = 0;
      responder().answer(answeringResponse(streamedResponse));
      const body = codexBody("acme/thinker", { tools: [...codexBody("").tools, patch, { type: "web_search" }] });
      const answer = await ask(body);
      expect(answer.status).toBe(200);
      const text = await answer.text();
      expect(text.startsWith(streamedResponse.join("").replaceAll("upstream-model", "acme/thinker"))).toBe(true);
      expect(responder().requests[0]?.body).toBe(JSON.stringify({ ...body, model: "upstream-model" }));
    });

    it("a model of another dialect answers it in its own, a tool's output included", async () => {
      const more = { type: "namespace", name: "mcp__crm", description: "Customers", tools: codexBody("").tools };
      const tools = [...codexBody("").tools, more, patch, { type: "web_search", external_web_access: false }];
      const answer = await ask(codexBody("acme/talk", { tools }));
      expect(answer.status).toBe(200);
      const events = [...(await answer.text()).matchAll(/^event: (\S+)$/gm)].map(([, name]) => name);
      expect([events[0], events.at(-1)]).toEqual(["response.created", "response.completed"]);
      expect(vendor().requests.at(-1)?.body).toMatchObject({
        messages: expect.arrayContaining([
          expect.objectContaining({ role: "assistant", tool_calls: [expect.objectContaining({ id: "call_1" })] }),
          expect.objectContaining({ role: "tool", tool_call_id: "call_1" }),
        ]),
      });
    });
  });

  describe("with a provider of Cohere's rerank", () => {
    beforeAll(
      async () =>
        void (await makeProvider(gateway(), {
          slug: "ranks",
          base_url: `${vendor().baseUrl.replace(/\/v1$/, "")}/v2`,
          kind: "cohere",
          preset: "cohere",
          api_key: "co-vendor-0123456789abcdef",
          models: [
            {
              id: "acme/rank",
              upstream_id: "rank",
              type: "rerank",
              name: "Rank",
              context_length: 4096,
              pricing: { prompt: "0", request: "0.001" },
            },
          ],
        })),
    );
    afterAll(async () => void (await gateway().call("DELETE", "/providers/ranks")));

    it("cohere-ai with CO_API_KEY: both versions of its rerank", async () => {
      vi.stubEnv("CO_API_KEY", key);
      const request = { model: "acme/rank", query: "a cat", documents: ["a dog", "a cat"], topN: 1 };
      const second = await new CohereClientV2({ environment: address }).rerank(request);
      expect(second.results).toMatchObject([{ index: expect.any(Number), relevanceScore: expect.any(Number) }]);
      const first = await new CohereClient({ environment: address }).rerank(request);
      expect(first.results.map(({ index }) => index)).toEqual(second.results.map(({ index }) => index));
      const units = { searchUnits: 1 };
      expect(first.meta).toMatchObject({ apiVersion: { version: "1" }, billedUnits: units });
      expect(second.meta).toMatchObject({ apiVersion: { version: "2" }, billedUnits: units });
      const wrong = new CohereClientV2({ environment: address }).rerank({ ...request, documents: [] });
      await expect(wrong).rejects.toMatchObject({
        statusCode: 400,
        body: { message: expect.stringMatching(/documents/) },
      });
    });

    it("@ai-sdk/cohere: rerank", async () => {
      const cohere = createCohere({ baseURL: `${address}/v2`, apiKey: key });
      const model = cohere.reranking("acme/rank");
      const { ranking } = await rerank({
        model,
        query: "a cat",
        documents: ["a dog", "a cat"],
        topN: 1,
        maxRetries: 0,
      });
      expect(ranking).toMatchObject([{ originalIndex: expect.any(Number), score: expect.any(Number) }]);
    });
  });
});
