import { describe, expect, it } from "vitest";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { makeKey } from "../../testing/factories.ts";
import { vendorsKey, withMediaVendor } from "../../testing/scripted-setup.ts";
import { json, type ScriptedAnswer, type ScriptedVendor } from "../../testing/scripted-vendor.ts";

const prompt = "A red gate opens";
const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]).toString("base64");
const url = `data:image/png;base64,${png}`;
const frame = (type: string) => ({ type: "image_url", image_url: { url }, frame_type: type });
const reference = { type: "image_url", image_url: { url } };
const film = Buffer.from("00000018667479706d703432", "hex");
const filmed: ScriptedAnswer = { headers: { "content-type": "video/mp4" }, pieces: [film] };

describeGateway("videos in each vendor's dialect", (gateway) => {
  const filmsAt = (slug: string, preset: "openai" | "xai" | "openrouter" | "gemini") =>
    withMediaVendor(gateway, {
      slug,
      preset,
      ...(preset === "gemini" && { kind: "gemini" as const }),
      models: [
        {
          id: `${slug}/camera`,
          upstream_id: "camera",
          type: "video" as const,
          name: "Camera",
          pricing: { prompt: "0", second: "0.1" },
        },
      ],
    });
  const openai = filmsAt("openai", "openai");
  const xai = filmsAt("xai", "xai");
  const router = filmsAt("router", "openrouter");
  const google = filmsAt("google", "gemini");

  const film1 = async (vendor: () => ScriptedVendor, body: object, answers: readonly ScriptedAnswer[]) => {
    const { key } = await makeKey(gateway());
    const left = [...answers];
    vendor().requests.length = 0;
    vendor().answer(() => left.shift() ?? json({}, 500));
    const begun = await gateway().call("POST", "/videos", { key, body: { prompt, ...body } });
    if (begun.status !== 202) return { begun, done: null, content: null };
    gateway().clock.advance(1_500);
    const done = (await gateway().call("GET", `/videos/${begun.json.id}`, { key })).json;
    const content =
      done.status === "completed" ? await gateway().call("GET", `/videos/${begun.json.id}/content`, { key }) : null;
    return { begun, done, content };
  };
  const bodyAt = (vendor: () => ScriptedVendor) => JSON.parse(vendor().requests[0]?.body ?? "{}");
  const pathsAt = (vendor: () => ScriptedVendor) => vendor().requests.map(({ path }) => path);

  it("OpenAI: a form, with an image as its file, and pixels for a resolution", async () => {
    const { content } = await film1(
      openai,
      {
        model: "openai/camera",
        duration: 12,
        aspect_ratio: "9:16",
        frame_images: [frame("first_frame")],
        mood: "calm",
      },
      [json({ id: "video/1", status: "queued" }), json({ id: "video/1", status: "completed" }), filmed],
    );
    expect(content?.status).toBe(200);
    expect(pathsAt(openai)).toEqual(["/v1/videos", "/v1/videos/video%2F1", "/v1/videos/video%2F1/content"]);
    const body = openai().requests[0]?.body ?? "";
    for (const [name, value] of Object.entries({
      model: "camera",
      prompt,
      seconds: "12",
      size: "720x1280",
      mood: "calm",
    }))
      expect(body).toContain(`name="${name}"\r\n\r\n${value}\r\n`);
    expect(body).toContain('name="input_reference"; filename="image-0.png"');
    const two = await film1(openai, { model: "openai/camera", input_references: [reference, reference] }, []);
    expect(two.begun.json.error.message).toMatch(/takes one image/);
  });

  it("xAI: JSON, proportions and a resolution, and a video at an address of its own", async () => {
    const { done, content } = await film1(
      xai,
      { model: "xai/camera", duration: 10, size: "1280x720", frame_images: [frame("first_frame")] },
      [
        json({ request_id: "r-1" }),
        json({
          status: "done",
          video: { url: `${xai().url}/v1/films/1.mp4`, duration: 9 },
          usage: { cost_in_usd_ticks: -1 },
        }),
        filmed,
      ],
    );
    expect(pathsAt(xai)).toEqual(["/v1/videos/generations", "/v1/videos/r-1", "/v1/films/1.mp4"]);
    expect(bodyAt(xai)).toEqual({
      model: "camera",
      prompt,
      duration: 10,
      aspect_ratio: "16:9",
      resolution: "720p",
      image: { url },
    });
    expect(done.usage.cost).toBe(0.9);
    expect(content?.status).toBe(200);
    for (const [body, message] of [
      [{ duration: 16 }, /at most 15 seconds/],
      [{ resolution: "4K" }, /480p and 720p/],
      [{ frame_images: [frame("last_frame")] }, /no last_frame/],
    ] as const)
      expect((await film1(xai, { model: "xai/camera", ...body }, [])).begun.json.error.message).toMatch(message);
    const withheld = json({ status: "done", video: { url: "https://example.com", respect_moderation: false } });
    const kept = await film1(xai, { model: "xai/camera", input_references: [reference] }, [
      json({ request_id: "r-2" }),
      withheld,
    ]);
    expect(kept.done).toMatchObject({ status: "failed", usage: { cost: 0 }, error: /moderation/ });
    expect(bodyAt(xai).reference_images).toEqual([{ url }]);
  });

  it("OpenRouter: the same form, accepted with 202, and a video by its number", async () => {
    const body = {
      duration: 5,
      resolution: "1080p",
      aspect_ratio: "21:9",
      seed: 3,
      generate_audio: true,
      frame_images: [frame("first_frame"), frame("last_frame")],
    };
    const { content } = await film1(router, { model: "router/camera", ...body }, [
      json({ id: "gen-vid-9", polling_url: "https://example.com", status: "pending" }, 202),
      json({ id: "gen-vid-9", status: "completed", unsigned_urls: ["https://example.com/a", "https://example.com/b"] }),
      filmed,
    ]);
    expect(content?.status).toBe(200);
    expect(bodyAt(router)).toEqual({ model: "camera", prompt, ...body });
    expect(pathsAt(router)).toEqual(["/v1/videos", "/v1/videos/gen-vid-9", "/v1/videos/gen-vid-9/content"]);
    const dead = await film1(router, { model: "router/camera" }, [
      json({ id: "x" }, 202),
      json({ status: "dead", error: "no" }),
    ]);
    expect(dead.done).toMatchObject({ status: "failed", error: "no" });
  });

  it("Veo: an operation, both frames inline, and a video behind the vendor's key and a redirect", async () => {
    const name = "models/camera/operations/op_1";
    const { content } = await film1(
      google,
      {
        model: "google/camera",
        duration: 6,
        resolution: "1080p",
        aspect_ratio: "16:9",
        seed: 4,
        frame_images: [frame("first_frame"), frame("last_frame")],
        provider: { options: { google: { negativePrompt: "snow" } } },
      },
      [
        json({ name }),
        json({
          name,
          done: true,
          response: {
            generateVideoResponse: {
              generatedSamples: [{ video: { uri: `${google().url}/v1/files/f:download?alt=media` } }],
            },
          },
        }),
        { status: 302, headers: { location: "/stored/f" }, pieces: [] },
        filmed,
      ],
    );
    const image = { bytesBase64Encoded: png, mimeType: "image/png" };
    expect(bodyAt(google)).toEqual({
      instances: [{ prompt, image, lastFrame: image }],
      parameters: {
        negativePrompt: "snow",
        sampleCount: 1,
        durationSeconds: 6,
        aspectRatio: "16:9",
        resolution: "1080p",
        seed: 4,
      },
    });
    expect(pathsAt(google)).toEqual([
      "/v1/models/camera:predictLongRunning",
      `/v1/${name}`,
      "/v1/files/f:download?alt=media",
      "/stored/f",
    ]);
    expect(google().requests.every(({ headers }) => headers["x-goog-api-key"] === vendorsKey)).toBe(true);
    expect(content?.status).toBe(200);
    const filtered = { generateVideoResponse: { raiMediaFilteredReasons: ["It shows a person"] } };
    const refused = await film1(google, { model: "google/camera" }, [
      json({ name }),
      json({ done: true, response: filtered }),
    ]);
    expect(refused.done).toMatchObject({ status: "failed", error: "It shows a person" });
    const failed = await film1(google, { model: "google/camera" }, [
      json({ name }),
      json({ done: true, error: { code: 3, message: "no" } }),
    ]);
    expect(failed.done).toMatchObject({ status: "failed", error: "no", usage: { cost: 0 } });
    const stray = await film1(google, { model: "google/camera" }, [json({ name: "../../other" })]);
    expect(stray.begun.status).toBe(502);
  });

  describe("an address elsewhere", () => {
    it("is not fetched with the vendor's key, nor in a private network", async () => {
      const elsewhere = { status: "done", video: { url: "http://127.0.0.1:9/f.mp4" } };
      const { content } = await film1(xai, { model: "xai/camera" }, [json({ request_id: "r" }), json(elsewhere)]);
      expect(content?.status).toBe(502);
      expect(content?.text).toMatch(/private network/);
    });
  });
});
