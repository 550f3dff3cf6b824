import { createOpenRouter } from "@openrouter/ai-sdk-provider";
import { experimental_generateVideo as generateVideo } from "ai";
import { OpenRouter } from "openrouter-sdk-1-3-19";
import { beforeEach, expect, it } from "vitest";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { makeKey } from "../../testing/factories.ts";
import { withMediaVendor } from "../../testing/scripted-setup.ts";

const film = Buffer.from("000000186674797069736f6d", "hex");

describeGateway("videos by the clients that people use", (gateway) => {
  const vendor = withMediaVendor(gateway, {
    slug: "acme",
    preset: "openai",
    models: [
      {
        id: "acme/camera",
        upstream_id: "sora-2",
        type: "video",
        name: "Camera",
        pricing: { prompt: "0", second: "0.1" },
      },
    ],
  });
  let key = "";
  beforeEach(async () => {
    ({ key } = await makeKey(gateway(), { limit: 2 }));
    vendor().answer(({ path }) =>
      path.includes("/content")
        ? { headers: { "content-type": "video/mp4" }, pieces: [film] }
        : {
            headers: { "content-type": "application/json" },
            pieces: [JSON.stringify({ id: "video_1", status: path.endsWith("/videos") ? "queued" : "completed" })],
          },
    );
  });

  it("@openrouter/sdk 1.3.19: a job, its state, its video, and the list of models", async () => {
    const serverURL = `${gateway().url}/api/v1`;
    const { videoGeneration } = new OpenRouter({ apiKey: key, serverURL, retryConfig: { strategy: "none" } });
    const job = await videoGeneration.generate({
      videoGenerationRequest: { model: "acme/camera", prompt: "A red gate opens", duration: 4 },
    });
    expect(job.status).toBe("pending");
    gateway().clock.advance(1_500);
    const done = await videoGeneration.getGeneration({ jobId: job.id });
    expect(done).toMatchObject({ status: "completed", usage: { cost: 0.4, isByok: false } });
    const content = await videoGeneration.getVideoContent({ jobId: job.id });
    expect(Buffer.from(await new Response(content).arrayBuffer())).toEqual(film);
    const { data } = await videoGeneration.listVideosModels();
    expect(data).toMatchObject([{ id: "acme/camera", supportedDurations: [4, 8, 12, 16, 20] }]);
    await expect(videoGeneration.getGeneration({ jobId: "gen-vid-0" })).rejects.toMatchObject({ statusCode: 404 });
  });

  it("the AI SDK: a video by its own polling, fetched without a key", async () => {
    const provider = createOpenRouter({ apiKey: key, baseURL: `${gateway().url}/api/v1` });
    const moving = setInterval(() => gateway().clock.advance(1_000), 500);
    try {
      const { video } = await generateVideo({
        model: provider.videoModel("acme/camera", { pollIntervalMs: 100 }),
        prompt: "A red gate opens",
        duration: 4,
        // Its own one refuses the addresses of this machine.
        download: async ({ url }) => {
          const answer = await fetch(url);
          return { data: await answer.bytes(), mediaType: answer.headers.get("content-type") ?? undefined };
        },
      });
      expect(Buffer.from(video.uint8Array)).toEqual(film);
    } finally {
      clearInterval(moving);
    }
  });
});
