import OpenAI from "openai";
import { OpenRouter as OpenRouter128 } from "openrouter-sdk-1-2-8";
import { OpenRouter } from "openrouter-sdk-1-3-19";
import { beforeEach, expect, it } from "vitest";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { makeKey } from "../../testing/factories.ts";
import { withMediaVendor } from "../../testing/scripted-setup.ts";

const sound = Buffer.from([0xff, 0xf3, 0x00, 0x80, 0xfe, 0x0d, 0x0a]);

describeGateway("speech by the clients that people use", (gateway) => {
  const vendor = withMediaVendor(gateway, {
    slug: "acme",
    preset: "openai",
    models: [
      { id: "acme/voice", upstream_id: "tts-1", type: "speech", pricing: { prompt: "0", character: "0.000001" } },
    ],
  });
  let key = "";
  beforeEach(async () => {
    ({ key } = await makeKey(gateway(), { limit: 1 }));
    vendor().answer({ headers: { "content-type": "audio/mpeg" }, pieces: [sound] });
  });

  it("openai 7: audio.speech, and its errors", async () => {
    const client = new OpenAI({ apiKey: key, baseURL: `${gateway().url}/v1`, maxRetries: 0 });
    const asked = { model: "acme/voice", voice: "alloy", input: "Red.", response_format: "mp3" } as const;
    const response = await client.audio.speech.create(asked);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(sound);
    await expect(client.audio.speech.create({ ...asked, input: "" })).rejects.toMatchObject({ status: 400 });
    await expect(client.audio.speech.create({ ...asked, model: "acme/none" })).rejects.toThrow(OpenAI.NotFoundError);
  });

  it.each([
    ["1.2.8", OpenRouter128 as unknown as typeof OpenRouter],
    ["1.3.19", OpenRouter],
  ])("@openrouter/sdk %s: tts.createSpeech, and its errors", async (_, Client) => {
    const client = new Client({ apiKey: key, serverURL: `${gateway().url}/api/v1`, retryConfig: { strategy: "none" } });
    const speechRequest = { model: "acme/voice", voice: "alloy", input: "Red." };
    const stream = await client.tts.createSpeech({ speechRequest });
    expect(Buffer.from(await new Response(stream).arrayBuffer())).toEqual(sound);
    expect(JSON.parse(vendor().requests.at(-1)?.body ?? "")).toMatchObject({ response_format: "pcm" });
    await expect(client.tts.createSpeech({ speechRequest: { ...speechRequest, input: "" } })).rejects.toMatchObject({
      statusCode: 400,
    });
  });
});
