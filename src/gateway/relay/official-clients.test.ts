import OpenAI from "openai";
import { OpenRouter as OpenRouter128 } from "openrouter-sdk-1-2-8";
import { OpenRouter } from "openrouter-sdk-1-3-19";
import { describe, expect, it } from "vitest";
import { describeGateway } from "../testing/describe-gateway.ts";
import { makeKey } from "../testing/factories.ts";
import { withVendor } from "../testing/vendor-setup.ts";

const official: [string, typeof OpenRouter][] = [
  ["1.2.8", OpenRouter128 as unknown as typeof OpenRouter],
  ["1.3.19", OpenRouter],
];
const messages = [{ role: "user" as const, content: "Say hello" }];
const said = "Hello from the fake vendor.";

describeGateway("model calls by the clients that people use", (gateway) => {
  const first = withVendor(gateway, { slug: "first" });
  withVendor(gateway, { slug: "second" });
  const base = () => `${gateway().url}/api/v1`;

  describe.each(official)("@openrouter/sdk %s", (_, Client) => {
    const client = async () =>
      new Client({ apiKey: (await makeKey(gateway())).key, serverURL: base(), retryConfig: { strategy: "none" } });

    it("takes a whole answer, and how it was routed where it asks for that", async () => {
      const { chat } = await client();
      first().fail({ type: "status", status: 500 }, 1);
      const result = await chat.send({
        xOpenRouterMetadata: "enabled",
        chatRequest: { model: "acme/talk", messages, provider: { order: ["first", "second"] } },
      });
      if (!("choices" in result)) throw new Error("a stream came");
      expect(result.choices[0]?.message.content).toBe(said);
      expect(result.openrouterMetadata).toMatchObject({
        requested: "acme/talk",
        strategy: "direct",
        attempt: 2,
        attempts: [
          { provider: "first", status: 500 },
          { provider: "second", status: 200 },
        ],
        endpoints: {
          total: 2,
          available: [
            { provider: "first", model: "acme/talk", selected: false },
            { provider: "second", model: "acme/talk", selected: true },
          ],
        },
        isByok: false,
      });
      gateway().clock.advance(3_600_000);
    });

    it("takes a stream to its end, with usage", async () => {
      const { chat } = await client();
      const stream = await chat.send({ chatRequest: { model: "acme/talk", messages, stream: true } });
      if ("choices" in stream) throw new Error("no stream came");
      let text = "";
      let tokens = 0;
      for await (const chunk of stream) {
        text += chunk.choices[0]?.delta.content ?? "";
        tokens = chunk.usage?.totalTokens ?? tokens;
      }
      expect([text, tokens]).toEqual([said, 8]);
    });

    it("takes embeddings", async () => {
      const { embeddings } = await client();
      const result = await embeddings.generate({ requestBody: { model: "acme/embed", input: ["one", "two"] } });
      if (typeof result === "string") throw new Error("text came");
      expect(result.data.map(({ index, embedding }) => [index, embedding.length])).toEqual([
        [0, 4],
        [1, 4],
      ]);
    });
  });

  it("openai: chat whole and streamed, and embeddings in its own format", async () => {
    const client = new OpenAI({ apiKey: (await makeKey(gateway())).key, baseURL: base(), maxRetries: 0 });
    const whole = await client.chat.completions.create({ model: "acme/talk", messages });
    expect(whole.choices[0]?.message.content).toBe(said);
    let text = "";
    for await (const chunk of await client.chat.completions.create({ model: "acme/talk", messages, stream: true }))
      text += chunk.choices[0]?.delta.content ?? "";
    expect(text).toBe(said);
    const { data } = await client.embeddings.create({ model: "acme/embed", input: ["three", "four"] });
    expect(data.map(({ embedding }) => embedding.length)).toEqual([4, 4]);
    const failed = await client.embeddings
      .create({ model: "acme/nothing", input: "a" })
      .catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(OpenAI.NotFoundError);
  });
});
