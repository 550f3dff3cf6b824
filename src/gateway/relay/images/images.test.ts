import { beforeEach, describe, expect, it } from "vitest";
import { ImageResult } from "#contract/images.ts";
import { caughtUp } from "../../testing/caught-up.ts";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { expectError, expectIssues } from "../../testing/expect-error.ts";
import { makeKey } from "../../testing/factories.ts";
import { rounds } from "../../testing/rounds.ts";
import { withMediaVendor, withOperation } from "../../testing/scripted-setup.ts";
import { json, type ScriptedAnswer } from "../../testing/scripted-vendor.ts";

const prompt = "A red gate in the snow";
/** 40,000,000 nano-dollars an image */
const pricing = { prompt: "0", output_image: "0.04" };
const paints = (id: string, more: object = {}) => ({
  id,
  upstream_id: "gpt-image-1",
  type: "image" as const,
  pricing,
  ...more,
});

/** The beginning of a PNG; no vendor's image is needed to carry one. */
const bytes = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 1, 2, 3, 4, 5, 6]);
const png = bytes.toString("base64");
const made = (count = 1, more: object = {}) =>
  json({ created: 1_700_000_000, data: Array.from({ length: count }, () => ({ b64_json: png })), ...more });
const usage = { input_tokens: 12, output_tokens: 1_056, total_tokens: 1_068 };
const url = (address: string) => ({ type: "image_url", image_url: { url: address } });
const shown = url(`data:image/png;base64,${png}`);

const event = (data: object) => `data: ${JSON.stringify(data)}\n\n`;
const partial = event({ type: "image_generation.partial_image", partial_image_index: 0, b64_json: png, size: "x" });
const completed = event({ type: "image_generation.completed", b64_json: png, created_at: 1_700_000_000, usage });
const streaming = (pieces: readonly string[], more: Partial<ScriptedAnswer> = {}): ScriptedAnswer => ({
  headers: { "content-type": "text/event-stream" },
  pieces,
  ...more,
});

function eventsIn(text: string): Record<string, unknown>[] {
  const data = text.split("\n\n").flatMap((block) => (block.startsWith("data: ") ? [block.slice(6)] : []));
  expect(data.at(-1)).toBe("[DONE]");
  return data.slice(0, -1).map((each) => JSON.parse(each));
}

describeGateway(
  "createImage",
  (gateway) => {
    const models = [
      paints("acme/painter"),
      paints("acme/unpriced", { pricing: null }),
      paints("acme/by-kind", {
        pricing: {
          ...pricing,
          output_images: [
            { quality: "high", price: "0.17" },
            { size: "1536x1024", price: "0.06" },
          ],
        },
      }),
      { id: "acme/talk", upstream_id: "talk", type: "chat" as const, pricing: { prompt: "0.000001" } },
    ];
    const { vendor, second, key, ask, begin, row, ended, spent, sent } = withOperation(gateway, {
      path: "/images",
      preset: "openai",
      body: { prompt },
      models,
      answer: made(),
    });

    it("200: the images, what they cost, and the row, the event and the public record", async () => {
      vendor().answer(made(2, { usage }));
      const answer = await ask({ n: 2 });
      expect(answer.status, answer.text).toBe(200);
      const image = { b64_json: png, media_type: "image/png" };
      expect(ImageResult.parse(answer.json)).toMatchObject({
        created: 1_700_000_000,
        data: [image, image],
        usage: { prompt_tokens: 12, completion_tokens: 1_056, total_tokens: 1_068, cost: 0.08, is_byok: false },
      });
      const id = answer.headers.get("x-generation-id");
      expect(await row(answer)).toMatchObject({
        api_type: "images",
        model: "acme/painter",
        cost: 80_000_000n,
        unit: "image",
        units: 2,
        prompt_tokens: 12,
        completion_tokens: 1_056,
        metered_by: "upstream",
        upstream_id: "req_1",
      });
      expect(await spent()).toBe(0.08);
      const { data } = (await gateway().call("GET", `/generation?id=${id}`)).json;
      expect(data).toMatchObject({ api_type: "image", total_cost: 0.08 });
      const [call] = (await gateway().call("GET", `/generations?id=${id}`)).json.data;
      expect(call).toMatchObject({ api_type: "images", unit: "image", units: 2 });
    });

    it("is the same at createImageByOpenAiPath, for OpenAI's clients", async () => {
      const body = { model: "acme/painter", prompt, provider: { only: ["acme"] } };
      const answer = await gateway().call("POST", "/images/generations", { key: key(), body });
      expect(answer.status, answer.text).toBe(200);
      expect(await row(answer)).toMatchObject({ api_type: "images", units: 1 });
    });

    it("sends images to work from as files of a form, where the vendor takes them so", async () => {
      expect((await ask({ input_references: [shown], quality: "low" })).status).toBe(200);
      const { path, headers, body } = vendor().requests.at(-1) ?? { path: "", headers: {}, body: "" };
      expect(path).toBe("/v1/images/edits");
      expect(headers["content-type"]).toMatch(/^multipart\/form-data; boundary=/);
      expect(body).toContain('name="image[]"; filename="image-0.png"\r\nContent-Type: image/png');
      expect(body).toMatch(/name="quality"\r\n\r\nlow\r\n/);
    });

    it("carries several images of 4 MB, and refuses an answer beyond 56 MB", async () => {
      const count = rounds(10);
      const big = "A".repeat(4_000_000);
      vendor().answer(json({ data: Array.from({ length: count }, () => ({ b64_json: big })) }));
      const answer = await ask({ n: count });
      expect(answer.json.data.map((one: { b64_json: string }) => one.b64_json === big)).toEqual(
        Array(count).fill(true),
      );
      vendor().answer({ headers: { "content-type": "application/json" }, pieces: Array(15).fill(Buffer.from(big)) });
      expectError(await ask({ n: 10 }), "provider_unavailable", /longer than/);
    });

    it("400, and nothing is sent or charged: addresses in a private network, a file that is no base64, too long a form", async () => {
      const inside = "http://169.254.169.254/latest";
      expectIssues(await ask({ input_references: [url(inside)] }), "input_references.0.image_url.url");
      expectIssues(await ask({ mask: "http://127.0.0.1/" }), "mask");
      expectError(await ask({ mask: { file_id: "file-1" } }), "not_found", /needs the workspace's own key there/);
      const broken = url("data:image/png;base64,%%%");
      expectIssues(await ask({ input_references: [broken] }), "input_references.0.image_url.url");
      const long = await ask({ input_references: [shown], own: { a: "a".repeat(1_100_000) } });
      expectError(long, "invalid_request", /may have 1 MB together/);
      expect([vendor().requests.length, await spent()]).toEqual([0, 0]);
    });

    it("is bounded by max_price.image", async () => {
      const provider = (image: string) => ({ only: ["acme"], max_price: { image } });
      expect((await ask({ provider: provider("0.05") })).status).toBe(200);
      expectError(await ask({ provider: provider("0.03") }), "not_found", /max_price\.image/);
    });

    describe("a stream", () => {
      const streamed = async (body: object = {}) => {
        const answer = await begin({ stream: true, ...body });
        expect(answer.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
        const events = eventsIn(await answer.text());
        return { events, found: await row(answer) };
      };

      it("200: parts as they come, and the last image once it is charged, with its cost", async () => {
        vendor().answer(streaming([partial, completed, "data: [DONE]\n\n"]));
        const { found, events } = await streamed({ partial_images: 1 });
        expect(sent()).toMatchObject({ stream: true, partial_images: 1 });
        expect(events).toEqual([
          { type: "image_generation.partial_image", partial_image_index: 0, b64_json: png },
          {
            type: "image_generation.completed",
            created: 1_700_000_000,
            b64_json: png,
            media_type: "image/png",
            usage: expect.objectContaining({ prompt_tokens: 12, completion_tokens: 1_056, cost: 0.04 }),
          },
        ]);
        expect(found).toMatchObject({ streamed: true, cost: 40_000_000n, metered_by: "upstream", status: 200 });
      });

      it("is JSON where the provider has none, or sends none", async () => {
        const answer = await begin({ stream: true, provider: { only: ["second"] } });
        expect(ImageResult.parse(await answer.json()).data).toHaveLength(1);
        expect(JSON.parse(second().requests.at(-1)?.body ?? "")).not.toHaveProperty("stream");
        const ignored = await begin({ stream: true });
        expect(ImageResult.parse(await ignored.json()).data).toHaveLength(1);
      });

      it("is heard to its end when its caller leaves: what was made is known then", async () => {
        const { promise: until, resolve: goOn } = Promise.withResolvers<void>();
        vendor().answer(streaming([partial, completed], { hold: { from: 1, until } }));
        const leaving = new AbortController();
        const answer = await begin({ stream: true }, leaving.signal);
        leaving.abort();
        await caughtUp(gateway(), key());
        goOn();
        const found = await ended(answer);
        expect(found).toMatchObject({ status: 200, cancelled: true, completion_tokens: 1_056, cost: 40_000_000n });
        expect(await spent()).toBe(0.04);
      });

      it("whose caller stops reading is let go, heard to its end, and charged", async () => {
        const big = { type: "image_generation.partial_image", partial_image_index: 0, b64_json: "A".repeat(1_000_000) };
        vendor().answer(streaming([...Array.from({ length: 16 }, () => event(big)), completed]));
        const answer = await begin({ stream: true });
        const found = await ended(answer);
        expect(found).toMatchObject({ cancelled: true, status: 200, completion_tokens: 1_056, cost: 40_000_000n });
        await expect(answer.text()).rejects.toThrow("terminated");
      });
    });

    it("listImageModels has what its providers take, and models lists it with its members and price", async () => {
      const { data } = (await gateway().call("GET", "/images/models", { key: null })).json;
      const painter = data.find(({ id }: { id: string }) => id === "acme/painter");
      expect(painter).toMatchObject({
        architecture: { input_modalities: ["text"], output_modalities: ["image"] },
        supports_streaming: true,
        endpoints: "/api/v1/images/models/acme/painter/endpoints",
        supported_parameters: {
          n: { type: "range", min: 1, max: 10 },
          quality: { type: "enum", values: ["auto", "low", "medium", "high"] },
        },
      });
      const listed = await gateway().call("GET", "/models?output_modalities=image", { key: null });
      const record = listed.json.data.find(({ id }: { id: string }) => id === "acme/painter");
      expect(record.supported_parameters).toEqual(expect.arrayContaining(["n", "quality", "input_references"]));
    });

    it("listImageModelEndpoints says each provider's price, by quality and size too", async () => {
      const path = (id: string) => `/images/models/${id}/endpoints`;
      const { json: answer } = await gateway().call("GET", path("acme/by-kind"), { key: null });
      const price = { billable: "output_image", unit: "image" };
      expect(answer.endpoints).toMatchObject([
        {
          provider_slug: "acme",
          supports_streaming: true,
          pricing: [
            { ...price, cost_usd: 0.04 },
            { ...price, cost_usd: 0.17, variant: "high" },
            { ...price, cost_usd: 0.06, variant: "1536x1024" },
          ],
        },
      ]);
      const unpriced = await gateway().call("GET", path("acme/unpriced"), { key: null });
      expect(unpriced.json.endpoints[0].pricing).toEqual([]);
      expectError(await gateway().call("GET", path("acme/talk"), { key: null }), "not_found", /image model/);
    });
  },
  { env: { GATEHOUSE_UPSTREAM_TIMEOUT: "2" } },
);

describeGateway(
  "createImage, with images by address",
  (gateway) => {
    const { vendor, ask, row, spent } = withOperation(gateway, {
      path: "/images",
      preset: "openai",
      body: { prompt },
      models: [paints("acme/painter")],
      answer: made(),
    });
    const google = withMediaVendor(gateway, {
      slug: "google",
      kind: "gemini",
      preset: "gemini",
      models: [paints("google/painter")],
    });
    // Images have a host of their own, which is asked as a vendor is.
    const host = withMediaVendor(gateway, { slug: "host", models: [] });
    beforeEach(() => host().answer({ headers: { "content-type": "image/png" }, pieces: [bytes] }));
    const address = () => `${host().url}/a.png`;

    it("200: what a vendor gives an address of is fetched, and in the answer", async () => {
      vendor().answer(json({ data: [{ url: address() }, { b64_json: png }] }));
      const answer = await ask({ n: 2 });
      expect(answer.status, answer.text).toBe(200);
      const image = { b64_json: png, media_type: "image/png" };
      expect(answer.json.data).toEqual([image, image]);
      expect(host().requests.at(-1)?.headers).not.toHaveProperty("authorization");
    });

    it.each<[string, ScriptedAnswer]>([
      ["is gone", { status: 404, headers: {}, pieces: [] }],
      ["is no image", { headers: { "content-type": "text/html" }, pieces: ["<html>"] }],
    ])("502: one that %s is the vendor's fault, and may be billed", async (_, fault) => {
      host().answer(fault);
      vendor().answer(json({ data: [{ url: address() }] }));
      const answer = await ask();
      expect(answer.status, answer.text).toBe(502);
      expect(await row(answer)).toMatchObject({ cost: 40_000_000n, status: 502 });
    });

    it("200: one to work from is fetched once, and sent to OpenAI as a file, to Gemini inline", async () => {
      const before = host().requests.length;
      expect((await ask({ input_references: [url(address()), url(address())] })).status).toBe(200);
      expect(vendor().requests.at(-1)?.body).toContain('filename="image-1.png"\r\nContent-Type: image/png');
      expect(host().requests.length).toBe(before + 1);
      google().answer(json({ candidates: [{ content: { parts: [{ inlineData: { data: png } }] } }] }));
      const { key } = await makeKey(gateway());
      const more = { model: "google/painter", provider: {}, input_references: [url(address()), url(address())] };
      const answer = await ask(more, { key });
      expect(answer.status, answer.text).toBe(200);
      const { contents } = JSON.parse(google().requests.at(-1)?.body ?? "{}");
      const inline = { inlineData: { mimeType: "image/png", data: png } };
      expect(contents[0].parts.slice(0, 2)).toEqual([inline, inline]);
      expect(host().requests.length).toBe(before + 2);
    });

    it("400: one to work from that is gone is the caller's fault, and free", async () => {
      host().answer({ status: 404, headers: {}, pieces: [] });
      const answer = await ask({ input_references: [url(address())] });
      expect(answer.status, answer.text).toBe(400);
      expect([vendor().requests.length, await spent()]).toEqual([0, 0]);
    });
  },
  { env: { GATEHOUSE_PRIVATE_NETWORKS: "127.0.0.0/8" } },
);
