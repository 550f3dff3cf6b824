import OpenAI from "openai";
import { OpenRouter } from "openrouter-sdk-1-3-19";
import { beforeEach, expect, it } from "vitest";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { makeKey } from "../../testing/factories.ts";
import { withMediaVendor } from "../../testing/scripted-setup.ts";

const png = "iVBORw0KGgoAAAANSUhEUg==";
const usage = { input_tokens: 12, output_tokens: 1_056, total_tokens: 1_068 };
const whole = {
  headers: { "content-type": "application/json" },
  pieces: [JSON.stringify({ created: 1_700_000_000, data: [{ b64_json: png }], usage })],
};
const image = { b64_json: png, created_at: 1_700_000_000, size: "1024x1024", quality: "low", background: "opaque" };
const events = {
  headers: { "content-type": "text/event-stream" },
  pieces: [
    { type: "image_generation.partial_image", partial_image_index: 0, ...image },
    { type: "image_generation.completed", ...image, usage },
  ].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`),
};
const prompt = "A red gate in the snow";

describeGateway("images by the clients that people use", (gateway) => {
  const vendor = withMediaVendor(gateway, {
    slug: "acme",
    preset: "openai",
    models: [
      {
        id: "acme/painter",
        upstream_id: "gpt-image-1",
        type: "image",
        name: "Painter",
        pricing: { prompt: "0", output_image: "0.04" },
      },
    ],
  });
  let key = "";
  beforeEach(async () => {
    ({ key } = await makeKey(gateway(), { limit: 1 }));
    vendor().answer(whole);
  });

  it("openai 7: images.generate, its stream, and its errors", async () => {
    const client = new OpenAI({ apiKey: key, baseURL: `${gateway().url}/v1`, maxRetries: 0 });
    const asked = { model: "acme/painter", prompt } as const;
    const made = await client.images.generate(asked);
    expect(made).toMatchObject({ created: 1_700_000_000, data: [{ b64_json: png }], usage });
    vendor().answer(events);
    const heard = [];
    for await (const event of await client.images.generate({ ...asked, stream: true })) heard.push(event);
    expect(heard).toMatchObject([
      { type: "image_generation.partial_image", b64_json: png },
      { type: "image_generation.completed", b64_json: png, usage },
    ]);
    await expect(client.images.generate({ ...asked, prompt: "" })).rejects.toMatchObject({ status: 400 });
    await expect(client.images.generate({ ...asked, model: "acme/none" })).rejects.toThrow(OpenAI.NotFoundError);
  });

  it("@openrouter/sdk 1.3.19: images, their stream, their lists, and their errors", async () => {
    const serverURL = `${gateway().url}/api/v1`;
    const { images } = new OpenRouter({ apiKey: key, serverURL, retryConfig: { strategy: "none" } });
    const imageGenerationRequest = { model: "acme/painter", prompt };
    const made = await images.generate({ imageGenerationRequest: { ...imageGenerationRequest, stream: false } });
    expect(made).toMatchObject({
      created: 1_700_000_000,
      data: [{ b64Json: png, mediaType: "image/png" }],
      usage: { promptTokens: 12, completionTokens: 1_056, cost: 0.04, isByok: false },
    });
    vendor().answer(events);
    const stream = await images.generate({ imageGenerationRequest: { ...imageGenerationRequest, stream: true } });
    const heard = [];
    for await (const event of stream as AsyncIterable<unknown>) heard.push(event);
    expect(heard).toMatchObject([
      { type: "image_generation.partial_image", b64Json: png },
      { type: "image_generation.completed", b64Json: png, usage: { cost: 0.04 } },
    ]);
    const { data } = await images.listModels();
    expect(data).toMatchObject([{ id: "acme/painter", supportsStreaming: true }]);
    const { endpoints } = await images.listModelEndpoints({ author: "acme", slug: "painter" });
    expect(endpoints).toMatchObject([
      { providerSlug: "acme", pricing: [{ billable: "output_image", unit: "image", costUsd: 0.04 }] },
    ]);
    await expect(
      images.generate({ imageGenerationRequest: { ...imageGenerationRequest, prompt: "", stream: false } }),
    ).rejects.toMatchObject({ statusCode: 400 });
  });
});
