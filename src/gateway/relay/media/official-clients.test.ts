import { createOpenRouter } from "@openrouter/ai-sdk-provider";
import { experimental_generateVideo as generateVideo } from "ai";
import OpenAI from "openai";
import { OpenRouter as OpenRouter128 } from "openrouter-sdk-1-2-8";
import { OpenRouter } from "openrouter-sdk-1-3-19";
import { beforeEach, describe, expect, it } from "vitest";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { makeKey } from "../../testing/factories.ts";
import { withMediaVendor } from "../../testing/scripted-setup.ts";
import { json } from "../../testing/scripted-vendor.ts";
import { wave } from "../../testing/wave.ts";

const model = (type: "image" | "speech" | "transcription" | "video" | "rerank", pricing: object) => ({
  id: `acme/${type}`,
  upstream_id: type === "image" ? "gpt-image-1" : type === "video" ? "sora-2" : type,
  type,
  pricing: { prompt: "0", ...pricing },
});

const prompt = "A red gate in the snow";
const png = "iVBORw0KGgoAAAANSUhEUg==";
const usage = { input_tokens: 12, output_tokens: 1_056, total_tokens: 1_068 };
const image = { b64_json: png, created_at: 1_700_000_000, size: "1024x1024", quality: "low", background: "opaque" };
const painted = json({ created: 1_700_000_000, data: [{ b64_json: png }], usage });
const painting = {
  headers: { "content-type": "text/event-stream" },
  pieces: [
    { type: "image_generation.partial_image", partial_image_index: 0, ...image },
    { type: "image_generation.completed", ...image, usage },
  ].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`),
};
const sound = Buffer.from([0xff, 0xf3, 0x00, 0x80, 0xfe, 0x0d, 0x0a]);
const spoken = { headers: { "content-type": "audio/mpeg" }, pieces: [sound] };
const text = "The gate is red.";
const recording = wave(3);
const heard = json({ text, usage: { type: "duration", seconds: 3 } });
const heardVerbosely = json({ task: "transcribe", language: "english", duration: 3, text, segments: [] });
const film = Buffer.from("000000186674797069736f6d", "hex");
const filmed = ({ path }: { path: string }) =>
  path.includes("/content")
    ? { headers: { "content-type": "video/mp4" }, pieces: [film] }
    : json({ id: "video_1", status: path.endsWith("/videos") ? "queued" : "completed" });

async function all(stream: AsyncIterable<unknown>): Promise<unknown[]> {
  const events = [];
  for await (const event of stream) events.push(event);
  return events;
}

describeGateway("media and reranking by the clients that people use", (gateway) => {
  const vendor = withMediaVendor(gateway, {
    slug: "acme",
    preset: "openai",
    models: [
      model("image", { output_image: "0.04" }),
      model("speech", { character: "0.000001" }),
      model("transcription", { second: "0.000001" }),
      model("video", { second: "0.1" }),
    ],
  });
  const ranker = withMediaVendor(gateway, { slug: "ranker", models: [model("rerank", { prompt: "0.000001" })] });
  let key = "";
  beforeEach(async () => {
    ({ key } = await makeKey(gateway(), { limit: 2 }));
  });

  describe("openai 7", () => {
    const client = () => new OpenAI({ apiKey: key, baseURL: `${gateway().url}/v1`, maxRetries: 0 });

    it("images.generate, its stream, and its errors", async () => {
      const { images } = client();
      const asked = { model: "acme/image", prompt } as const;
      vendor().answer(painted);
      const made = await images.generate(asked);
      expect(made).toMatchObject({ created: 1_700_000_000, data: [{ b64_json: png }], usage });
      vendor().answer(painting);
      expect(await all(await images.generate({ ...asked, stream: true }))).toMatchObject([
        { type: "image_generation.partial_image", b64_json: png },
        { type: "image_generation.completed", b64_json: png, usage },
      ]);
      await expect(images.generate({ ...asked, prompt: "" })).rejects.toMatchObject({ status: 400 });
      await expect(images.generate({ ...asked, model: "acme/none" })).rejects.toThrow(OpenAI.NotFoundError);
    });

    it("audio.speech, and its errors", async () => {
      const { speech } = client().audio;
      vendor().answer(spoken);
      const asked = { model: "acme/speech", voice: "alloy", input: text, response_format: "mp3" } as const;
      expect(Buffer.from(await (await speech.create(asked)).arrayBuffer())).toEqual(sound);
      await expect(speech.create({ ...asked, input: "" })).rejects.toMatchObject({ status: 400 });
      await expect(speech.create({ ...asked, model: "acme/none" })).rejects.toThrow(OpenAI.NotFoundError);
    });

    it("audio.transcriptions, plain and verbose, and its errors", async () => {
      const { transcriptions } = client().audio;
      const file = new File([new Uint8Array(recording)], "a.wav");
      vendor().answer(heard);
      expect((await transcriptions.create({ model: "acme/transcription", file })).text).toBe(text);
      vendor().answer(heardVerbosely);
      const verbose = await transcriptions.create({
        model: "acme/transcription",
        file,
        response_format: "verbose_json",
        timestamp_granularities: ["segment"],
      });
      expect([verbose.text, verbose.duration, verbose.language]).toEqual([text, 3, "english"]);
      await expect(transcriptions.create({ model: "acme/none", file })).rejects.toThrow(OpenAI.NotFoundError);
    });
  });

  describe.each([
    ["1.2.8", OpenRouter128 as unknown as typeof OpenRouter],
    ["1.3.19", OpenRouter],
  ])("@openrouter/sdk %s", (version, Client) => {
    const client = () =>
      new Client({ apiKey: key, serverURL: `${gateway().url}/api/v1`, retryConfig: { strategy: "none" } });

    it("tts.createSpeech, and its errors", async () => {
      const { tts } = client();
      vendor().answer(spoken);
      const speechRequest = { model: "acme/speech", voice: "alloy", input: text };
      const stream = await tts.createSpeech({ speechRequest });
      expect(Buffer.from(await new Response(stream).arrayBuffer())).toEqual(sound);
      expect(JSON.parse(vendor().requests.at(-1)?.body ?? "")).toMatchObject({ response_format: "pcm" });
      const wrong = tts.createSpeech({ speechRequest: { ...speechRequest, input: "" } });
      await expect(wrong).rejects.toMatchObject({ statusCode: 400 });
    });

    it("rerank", async () => {
      const scores = [0.1, 0.9].map((relevance_score, index) => ({ index, relevance_score }));
      ranker().answer(json({ results: scores, usage: { total_tokens: 15 } }));
      const documents = ["a blue door", "the red gate"];
      const result = await client().rerank.rerank({ requestBody: { model: "acme/rerank", query: "red", documents } });
      if (typeof result === "string") throw new Error("a stream came");
      expect(result.results.map(({ index, document }) => [index, document.text])).toEqual([
        [1, "the red gate"],
        [0, "a blue door"],
      ]);
      expect(result.usage).toMatchObject({ totalTokens: 15 });
    });

    if (version === "1.2.8") return;

    it("images, their stream, their lists, and their errors", async () => {
      const { images } = client();
      const generate = async (more: { stream: boolean; prompt?: string }) =>
        await images.generate({ imageGenerationRequest: { model: "acme/image", prompt, ...more } });
      vendor().answer(painted);
      expect(await generate({ stream: false })).toMatchObject({
        created: 1_700_000_000,
        data: [{ b64Json: png, mediaType: "image/png" }],
        usage: { promptTokens: 12, completionTokens: 1_056, cost: 0.04, isByok: false },
      });
      vendor().answer(painting);
      expect(await all((await generate({ stream: true })) as AsyncIterable<unknown>)).toMatchObject([
        { type: "image_generation.partial_image", b64Json: png },
        { type: "image_generation.completed", b64Json: png, usage: { cost: 0.04 } },
      ]);
      expect((await images.listModels()).data).toMatchObject([{ id: "acme/image", supportsStreaming: true }]);
      const { endpoints } = await images.listModelEndpoints({ author: "acme", slug: "image" });
      const price = { billable: "output_image", unit: "image", costUsd: 0.04 };
      expect(endpoints).toMatchObject([{ providerSlug: "acme", pricing: [price] }]);
      await expect(generate({ stream: false, prompt: "" })).rejects.toMatchObject({ statusCode: 400 });
    });

    it("stt as JSON and as a form", async () => {
      const { stt } = client();
      vendor().answer(heard);
      const inputAudio = { data: recording.toString("base64"), format: "wav" };
      const result = await stt.createTranscription({ sttRequest: { model: "acme/transcription", inputAudio } });
      expect([result.text, result.usage?.seconds, result.usage?.cost]).toEqual([text, 3, 0.000003]);
      const file = { fileName: "a.wav", content: new Uint8Array(recording) };
      const requestBody = { model: "acme/transcription", file };
      expect((await stt.createTranscriptionMultipart({ requestBody })).text).toBe(text);
    });

    it("a video job, its state, its video, and the list of models", async () => {
      const { videoGeneration } = client();
      vendor().answer(filmed);
      const videoGenerationRequest = { model: "acme/video", prompt, duration: 4 };
      const job = await videoGeneration.generate({ videoGenerationRequest });
      expect(job.status).toBe("pending");
      gateway().clock.advance(1_500);
      const done = await videoGeneration.getGeneration({ jobId: job.id });
      expect(done).toMatchObject({ status: "completed", usage: { cost: 0.4, isByok: false } });
      const content = await videoGeneration.getVideoContent({ jobId: job.id });
      expect(Buffer.from(await new Response(content).arrayBuffer())).toEqual(film);
      const { data } = await videoGeneration.listVideosModels();
      expect(data).toMatchObject([{ id: "acme/video", supportedDurations: [4, 8, 12, 16, 20] }]);
      await expect(videoGeneration.getGeneration({ jobId: "gen-vid-0" })).rejects.toMatchObject({ statusCode: 404 });
    });
  });

  it("the AI SDK: a video by its own polling, fetched without a key", async () => {
    vendor().answer((request) => {
      // Time passes from one of its questions to the next.
      gateway().clock.advance(1_000);
      return filmed(request);
    });
    const provider = createOpenRouter({ apiKey: key, baseURL: `${gateway().url}/api/v1` });
    const { video } = await generateVideo({
      model: provider.videoModel("acme/video", { pollIntervalMs: 100 }),
      prompt,
      duration: 4,
      // Its own one refuses the addresses of this machine.
      download: async ({ url }) => {
        gateway().clock.advance(1_000);
        const answer = await fetch(url);
        return { data: await answer.bytes(), mediaType: answer.headers.get("content-type") ?? undefined };
      },
    });
    expect(Buffer.from(video.uint8Array)).toEqual(film);
  });
});
