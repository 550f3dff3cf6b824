import { beforeEach, describe, expect, it } from "vitest";
import { ImageResult } from "#contract/images.ts";
import { caughtUp } from "../../testing/caught-up.ts";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { eventually } from "../../testing/eventually.ts";
import { expectError, expectIssues } from "../../testing/expect-error.ts";
import { makeKey, makeWorkspace } from "../../testing/factories.ts";
import { ledgerRow } from "../../testing/ledger-calls.ts";
import { vendorsKey, withMediaVendor } from "../../testing/scripted-setup.ts";
import { json, type ScriptedAnswer } from "../../testing/scripted-vendor.ts";

const prompt = "A red gate in the snow";
/** 40,000,000 nano-dollars an image */
const pricing = { prompt: "0", output_image: "0.04" };
const paints = (id: string, more: object = {}) => ({
  id,
  upstream_id: "gpt-image-1",
  type: "image" as const,
  name: "Painter",
  pricing,
  ...more,
});

/** The beginning of a PNG; no vendor's image is needed to carry one. */
const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]).toString("base64");
const made = (count = 1, more: object = {}) =>
  json({ created: 1_700_000_000, data: Array.from({ length: count }, () => ({ b64_json: png })), ...more });
const usage = { input_tokens: 12, output_tokens: 1_056, total_tokens: 1_068 };

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
    const byToken = { prompt: "0.000005", completion: "0.00004" };
    const vendor = withMediaVendor(gateway, {
      slug: "acme",
      preset: "openai",
      models: [
        paints("acme/painter"),
        paints("acme/unpriced", { pricing: null }),
        paints("acme/by-token", { pricing: byToken }),
        paints("acme/by-kind", {
          pricing: {
            prompt: "0",
            output_image: "0.04",
            output_images: [
              { quality: "high", price: "0.17" },
              { size: "1536x1024", price: "0.06" },
            ],
          },
        }),
        { id: "acme/talk", upstream_id: "talk", type: "chat", pricing: { prompt: "0.000001" } },
      ],
    });
    const second = withMediaVendor(gateway, { slug: "second", models: [paints("acme/painter")] });
    let key = "";
    let hash = "";
    beforeEach(async () => {
      const fresh = await makeKey(gateway(), { limit: 10 });
      key = fresh.key;
      hash = fresh.record.hash;
      for (const each of [vendor(), second()]) {
        each.requests.length = 0;
        each.answer(made());
      }
      gateway().clock.advance(3_600_000);
    });
    const only = (...order: string[]) => ({ only: order, order });
    const paint = async (body: object = {}, more: { key?: string | null } = {}) =>
      await gateway().call("POST", "/images", {
        key,
        body: { model: "acme/painter", prompt, provider: only("acme"), ...body },
        ...more,
      });
    const request = async (body: object, signal?: AbortSignal) =>
      await fetch(`${gateway().url}/api/v1/images`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({ model: "acme/painter", prompt, provider: only("acme"), ...body }),
        ...(signal !== undefined && { signal }),
      });
    const row = async (id: string | null) => await ledgerRow(gateway(), id);
    const spent = async () => (await gateway().call("GET", `/keys/${hash}`)).json.data.usage;
    const sent = () => JSON.parse(vendor().requests.at(-1)?.body ?? "{}");

    describe("one call", () => {
      it("200: the images, what they cost, and the row, the event and the public record", async () => {
        vendor().answer(made(2, { usage }));
        const answer = await paint({ n: 2 });
        expect(answer.status, answer.text).toBe(200);
        expect(ImageResult.parse(answer.json)).toMatchObject({
          created: 1_700_000_000,
          data: [
            { b64_json: png, media_type: "image/png" },
            { b64_json: png, media_type: "image/png" },
          ],
          usage: { prompt_tokens: 12, completion_tokens: 1_056, total_tokens: 1_068, cost: 0.08, is_byok: false },
        });
        const id = answer.headers.get("x-generation-id");
        expect(await row(id)).toMatchObject({
          api_type: "images",
          model: "acme/painter",
          provider: "acme",
          cost: 80_000_000n,
          unit: "image",
          units: 2,
          prompt_tokens: 12,
          completion_tokens: 1_056,
          metered_by: "upstream",
          status: 200,
          upstream_id: "req_1",
        });
        expect(await spent()).toBe(0.08);
        const { data } = (await gateway().call("GET", `/generation?id=${id}`)).json;
        expect(data).toMatchObject({ api_type: "image", total_cost: 0.08 });
        const [call] = (await gateway().call("GET", `/generations?id=${id}`)).json.data;
        expect(call).toMatchObject({ api_type: "images", unit: "image", units: 2 });
      });

      it("sends the vendor its name of the model, its own words for a shape, and members that are its own", async () => {
        await paint({
          aspect_ratio: "3:2",
          quality: "high",
          background: "transparent",
          output_format: "webp",
          output_compression: 80,
          seed: 7,
          moderation: "low",
          user: "u",
          session_id: "s",
          trace: { a: 1 },
        });
        expect(vendor().requests.at(-1)?.path).toBe("/v1/images/generations");
        expect(sent()).toEqual({
          model: "gpt-image-1",
          prompt,
          n: 1,
          size: "1536x1024",
          quality: "high",
          background: "transparent",
          output_format: "webp",
          output_compression: 80,
          moderation: "low",
        });
        await paint({ provider: only("second") });
        expect(JSON.parse(second().requests.at(-1)?.body ?? "")).toMatchObject({ response_format: "b64_json" });
      });

      it("takes images to work from: they are files of a form at OpenAI", async () => {
        const data = `data:image/png;base64,${png}`;
        const answer = await paint({
          input_references: [{ type: "image_url", image_url: { url: data } }],
          quality: "low",
        });
        expect(answer.status, answer.text).toBe(200);
        const { path, headers, body } = vendor().requests.at(-1) ?? { path: "", headers: {}, body: "" };
        expect(path).toBe("/v1/images/edits");
        expect(headers["content-type"]).toMatch(/^multipart\/form-data; boundary=/);
        expect(body).toContain('name="image[]"; filename="image-0.png"\r\nContent-Type: image/png');
        expect(body).toMatch(/name="quality"\r\n\r\nlow\r\n/);
      });

      it("is the same at createImageByOpenAiPath, for OpenAI's clients", async () => {
        const body = { model: "acme/painter", prompt, provider: only("acme") };
        const answer = await gateway().call("POST", "/images/generations", { key, body });
        expect(answer.status, answer.text).toBe(200);
        expect(await row(answer.headers.get("x-generation-id"))).toMatchObject({ api_type: "images", units: 1 });
      });

      it("passes options on to the provider that they are for, and never what the reservation rests on", async () => {
        await paint({ provider: { ...only("acme"), options: { acme: { moderation: "low" }, second: { a: 1 } } } });
        expect(sent()).toMatchObject({ moderation: "low" });
        expect(sent()).not.toHaveProperty("a");
        const own = { n: 10, size: "4096x4096", resolution: "4K", aspect_ratio: "8:1", input_references: [] };
        for (const [name, value] of Object.entries(own))
          expectIssues(
            await paint({ provider: { options: { acme: { [name]: value } } } }),
            `provider.options.acme.${name}`,
          );
      });

      it("refuses what it reserves by under a vendor's name for it, as a member or an option", async () => {
        const others: [string, object][] = [
          ["num_images", { num_images: 10 }],
          ["width", { width: 4_096 }],
          ["image_size", { image_size: "4K" }],
          ["sampleImageSize", { sampleImageSize: "2K" }],
          ["images", { images: ["https://example.com/a.png"] }],
          ["generationConfig.imageConfig.imageSize", { generationConfig: { imageConfig: { imageSize: "4K" } } }],
          ["generationConfig.candidateCount", { generationConfig: { candidateCount: 4 } }],
          ["list.0.upscaleFactor", { list: [{ upscaleFactor: "x4" }] }],
        ];
        vendor().requests.length = 0;
        for (const [path, members] of others) {
          expectIssues(await paint(members), path);
          expectIssues(await paint({ provider: { options: { acme: members } } }), `provider.options.acme.${path}`);
        }
        expect(vendor().requests).toHaveLength(0);
      });

      it("refuses further members that are too long for a form, before anything is sent", async () => {
        const input_references = [{ type: "image_url", image_url: { url: `data:image/png;base64,${png}` } }];
        vendor().requests.length = 0;
        const answer = await paint({ input_references, own: { a: "a".repeat(1_100_000) } });
        expectError(answer, "invalid_request", /may have 1 MB together/);
        expect(vendor().requests).toHaveLength(0);
        expect(await spent()).toBe(0);
      });

      it("is completed by a preset that names a model", async () => {
        const workspace = await makeWorkspace(gateway());
        const own = await makeKey(gateway(), { workspace_id: workspace.id });
        const config = { model: "acme/painter", temperature: 0.2 };
        const body = { workspace_id: workspace.id, slug: "studio", name: "Studio", config };
        expect((await gateway().call("POST", "/presets", { body })).status).toBe(201);
        const answer = await paint({ model: "@preset/studio" }, { key: own.key });
        expect(answer.status, answer.text).toBe(200);
        expect(sent()).not.toHaveProperty("temperature");
        expect(await row(answer.headers.get("x-generation-id"))).toMatchObject({ preset: "studio" });
      });

      it("keeps nothing of it, unless the workspace asks; and then the prompt alone", async () => {
        const plain = await paint();
        const id = (answer: typeof plain) => answer.headers.get("x-generation-id");
        expect((await gateway().call("GET", `/generation/content?id=${id(plain)}`)).status).toBe(404);
        const workspace = await makeWorkspace(gateway(), { is_observability_io_logging_enabled: true });
        const own = await makeKey(gateway(), { workspace_id: workspace.id });
        const kept = await paint({}, { key: own.key });
        const content = await gateway().call("GET", `/generation/content?id=${id(kept)}`);
        expect(content.json.data).toMatchObject({ input: { prompt }, output: { completion: null } });
        expect(content.text).not.toContain(png);
      });
    });

    describe("a stream", () => {
      const streamed = async (body: object = {}) => {
        const answer = await request({ stream: true, ...body });
        expect(answer.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
        return { id: answer.headers.get("x-generation-id"), events: eventsIn(await answer.text()) };
      };

      it("200: parts as they come, and the last image once it is charged, with its cost", async () => {
        vendor().answer(streaming([partial, completed, "data: [DONE]\n\n"]));
        const { id, events } = await streamed({ partial_images: 1 });
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
        expect(await row(id)).toMatchObject({ streamed: true, cost: 40_000_000n, metered_by: "upstream", status: 200 });
      });

      it("is JSON where the provider has none, or sends none", async () => {
        const answer = await request({ stream: true, provider: only("second") });
        expect(ImageResult.parse(await answer.json()).data).toHaveLength(1);
        expect(JSON.parse(second().requests.at(-1)?.body ?? "")).not.toHaveProperty("stream");
        const ignored = await request({ stream: true });
        expect(ImageResult.parse(await ignored.json()).data).toHaveLength(1);
      });

      it.each<[string, ScriptedAnswer, bigint]>([
        ["breaks off", streaming([partial], { end: "cut" }), 40_000_000n],
        ["ends without its image", streaming([partial]), 40_000_000n],
        ["stops", streaming([partial], { end: "hang" }), 40_000_000n],
        ["is no JSON", streaming([partial, "data: {\n\n"]), 40_000_000n],
        [
          "reports an error",
          streaming([partial, event({ type: "error", error: { message: "overloaded", code: 400 } })]),
          0n,
        ],
      ])("that %s ends with an error, and is charged unless the vendor refused", async (_, fault, cost) => {
        vendor().answer(fault);
        const { id, events } = await streamed();
        expect(events.at(-1)).toMatchObject({ type: "error", error: { message: expect.stringMatching(/./) } });
        const found = await row(id);
        expect(found?.status).toBeGreaterThanOrEqual(400);
        expect(found?.cost).toBe(cost);
      });

      it("whose first event is an error is asked of the next one", async () => {
        vendor().answer(streaming([event({ type: "error", error: { message: "overloaded", code: 503 } })]));
        const answer = await request({ stream: true, provider: only("acme", "second") });
        expect(ImageResult.parse(await answer.json()).data).toHaveLength(1);
      });

      it("is heard to its end when its caller leaves: what was made is known then", async () => {
        const { promise: until, resolve: goOn } = Promise.withResolvers<void>();
        vendor().answer(streaming([partial, completed], { hold: { from: 1, until } }));
        const leaving = new AbortController();
        const answer = await request({ stream: true }, leaving.signal);
        const id = answer.headers.get("x-generation-id");
        leaving.abort();
        await caughtUp(gateway(), key);
        goOn();
        const found = await eventually(
          async () => await row(id),
          (entry) => entry !== undefined,
        );
        expect(found).toMatchObject({ status: 200, cancelled: true, completion_tokens: 1_056, cost: 40_000_000n });
        expect(await spent()).toBe(0.04);
      });

      it("whose caller stops reading is let go, heard to its end, and charged", async () => {
        const big = { type: "image_generation.partial_image", partial_image_index: 0, b64_json: "A".repeat(1_000_000) };
        vendor().answer(streaming([...Array.from({ length: 16 }, () => event(big)), completed]));
        const answer = await request({ stream: true });
        const found = await eventually(
          async () => await row(answer.headers.get("x-generation-id")),
          (entry) => entry !== undefined,
        );
        expect(found).toMatchObject({ cancelled: true, status: 200, completion_tokens: 1_056, cost: 40_000_000n });
        await expect(answer.text()).rejects.toThrow("terminated");
      });

      it("carries an image of 12 MB in one event", async () => {
        const big = "A".repeat(12_000_000);
        vendor().answer(
          streaming([event({ type: "image_generation.completed", b64_json: big, created_at: 1, usage })]),
        );
        const { events } = await streamed();
        expect(String(events[0]?.["b64_json"]).length).toBe(12_000_000);
      });
    });

    describe("refusals", () => {
      const url = (address: string) => ({ type: "image_url", image_url: { url: address } });

      it("400: what is missing, empty, too much, or contradicts itself, and nothing is sent", async () => {
        expectIssues(await paint({ prompt: "" }), "prompt");
        expectIssues(await paint({ prompt: undefined }), "prompt");
        expectIssues(await paint({ prompt: "a".repeat(100_001) }), "prompt");
        expectIssues(await paint({ n: 0 }), "n");
        expectIssues(await paint({ n: 11 }), "n");
        expectIssues(await paint({ size: "big" }), "size");
        expectIssues(await paint({ size: "1024x1024", aspect_ratio: "16:9" }), "size");
        expectIssues(await paint({ size: "1024x1024", resolution: "4K" }), "size");
        expectIssues(await paint({ size: "2K", resolution: "4K" }), "size");
        expectIssues(await paint({ quality: "best" }), "quality");
        expectIssues(await paint({ background: "transparent", output_format: "jpeg" }), "output_format");
        expectIssues(await paint({ response_format: "url" }), "response_format");
        expectIssues(await paint({ input_references: Array(17).fill(url(png)) }), "input_references");
        expect((await gateway().call("POST", "/images", { key, raw: "{" })).status).toBe(400);
        expect(vendor().requests).toHaveLength(0);
      });

      it("400: addresses that lead into a private network, wherever they are", async () => {
        const inside = "http://169.254.169.254/latest";
        expectIssues(await paint({ input_references: [url(inside)] }), "input_references.0.image_url.url");
        expectIssues(await paint({ mask: "http://127.0.0.1/" }), "mask");
        const options = { acme: { callback: "http://127.0.0.1/" } };
        expectIssues(await paint({ provider: { options } }), "provider.options.acme.callback");
        expect(vendor().requests).toHaveLength(0);
      });

      it("400: a file that is no base64, and nothing is charged", async () => {
        const answer = await paint({ input_references: [url("data:image/png;base64,%%%")] });
        expectIssues(answer, "input_references.0.image_url.url");
        expect(vendor().requests).toHaveLength(0);
        expect(await spent()).toBe(0);
      });

      it("401 without a key, 403 with a management key", async () => {
        expectError(await paint({}, { key: null }), "authentication", /./);
        expectError(await paint({}, { key: gateway().managementKey }), "permission_denied", /./);
      });

      it("402: what the images may cost, and how many would fit", async () => {
        const poor = await makeKey(gateway(), { limit: 0.1 });
        const answer = await paint({ n: 5 }, { key: poor.key });
        expectError(answer, "payment_required", /may cost up to/);
        expect(answer.json.error.metadata.fits).toEqual({ images: 2 });
        expectError(await paint({ model: "acme/unpriced" }), "payment_required", /has no price/);
        expect(vendor().requests).toHaveLength(0);
      });

      it("404: a chat model here, an image model in chat, and a model that nobody offers", async () => {
        expectError(await paint({ model: "acme/talk" }), "not_found", /acme\/talk is not an image model/);
        expectError(await paint({ model: "acme/none" }), "not_found", /GET \/images\/models/);
        const body = { model: "acme/painter", messages: [{ role: "user", content: "a" }] };
        const chat = await gateway().call("POST", "/chat/completions", { key, body });
        expectError(chat, "not_found", /acme\/painter is not a chat model/);
      });

      it("413: a body beyond the bound", async () => {
        const raw = Buffer.alloc(33 * 1_048_576, " ");
        expectError(await gateway().call("POST", "/images", { key, raw }), "payload_too_large", /32 MB/);
      });

      it("429: beyond the key's rate", async () => {
        const slow = await makeKey(gateway(), { requests_per_minute: 1 });
        expect((await paint({}, { key: slow.key })).status).toBe(200);
        expectError(await paint({}, { key: slow.key }), "rate_limit_exceeded", /1 requests a minute/);
      });
    });

    describe("money", () => {
      const costOf = async (body: object) => {
        const answer = await paint(body);
        expect(answer.status, answer.text).toBe(200);
        return Number((await row(answer.headers.get("x-generation-id")))?.cost) / 1e9;
      };

      it("is by the token where the model's price is, and the most that it can be where nothing is reported", async () => {
        vendor().answer(made(1, { usage }));
        expect(await costOf({ model: "acme/by-token" })).toBeCloseTo(12 * 0.000005 + 1_056 * 0.00004, 9);
        vendor().answer(made());
        expect(await costOf({ model: "acme/by-token" })).toBeCloseTo(5 * 0.000005 + 8_192 * 0.00004, 4);
      });

      it.each([
        ["negative", { input_tokens: -1, output_tokens: 5 }],
        ["immense", { input_tokens: 1, output_tokens: 9_000_000_000 }],
        ["text", { input_tokens: "1", output_tokens: "1" }],
      ])("takes a count that is %s for none", async (_, counts) => {
        vendor().answer(made(1, { usage: counts }));
        expect(await costOf({ model: "acme/by-token" })).toBeCloseTo(8_192 * 0.00004, 3);
      });

      it("is by quality and size: what the vendor says of them, else what was asked for, else the dearest", async () => {
        const model = "acme/by-kind";
        expect(await costOf({ model })).toBe(0.17);
        expect(await costOf({ model, quality: "low", size: "1536x1024" })).toBe(0.06);
        vendor().answer(made(1, { quality: "low", size: "1024x1024" }));
        expect(await costOf({ model })).toBe(0.04);
      });

      it("is for as many images as were made", async () => {
        vendor().answer(made(3));
        expect(await costOf({ n: 1 })).toBe(0.12);
        vendor().answer(made(1));
        expect(await costOf({ n: 4 })).toBe(0.04);
      });

      it("20 at once spend no more than the limit", async () => {
        const { key: poor, record } = await makeKey(gateway(), { limit: 0.25 });
        const answers = await Promise.all(Array.from({ length: 20 }, async () => await paint({}, { key: poor })));
        expect(answers.filter(({ status }) => status === 200)).toHaveLength(6);
        expect(answers.filter(({ status }) => status === 402)).toHaveLength(14);
        expect((await gateway().call("GET", `/keys/${record.hash}`)).json.data.usage).toBeCloseTo(0.24, 9);
      });

      it("is bounded by max_price.image", async () => {
        const provider = (image: string) => ({ ...only("acme"), max_price: { image } });
        expect((await paint({ provider: provider("0.05") })).status).toBe(200);
        expectError(await paint({ provider: provider("0.03") }), "not_found", /max_price\.image/);
      });

      it("goes to the cheaper provider when it is sorted by price", async () => {
        const change = { models: [paints("acme/painter", { pricing: { prompt: "0", output_image: "0.01" } })] };
        expect((await gateway().call("PATCH", "/providers/second", { body: change })).status).toBe(200);
        await paint({ provider: { sort: "price" } });
        expect([vendor().requests.length, second().requests.length]).toEqual([0, 1]);
      });
    });

    describe("vendors that fail", () => {
      it.each<[string, ScriptedAnswer]>([
        ["a status of 500", json({ error: { message: "broken" } }, 500)],
        ["no images", json({ created: 1, data: [] })],
        ["an image without bytes", json({ data: [{ b64_json: "" }] })],
        ["an address in a private network", json({ data: [{ url: "http://127.0.0.1:9/a.png" }] })],
        ["text", { headers: { "content-type": "text/html" }, pieces: ["<html>"] }],
        ["an error with the status 200", json({ error: { message: "overloaded", code: 503 } })],
        ["an answer that breaks off", { ...made(), pieces: ['{"data":['], end: "cut" }],
      ])("%s: the next one is asked, and the failure is on the call", async (_, fault) => {
        vendor().answer(fault);
        const answer = await paint({ provider: only("acme", "second") });
        expect(answer.status, answer.text).toBe(200);
        const { attempts } = (await row(answer.headers.get("x-generation-id"))) ?? { attempts: [] };
        expect(attempts.map(({ provider, error }) => [provider, error === null])).toEqual([
          ["acme", false],
          ["second", true],
        ]);
        gateway().clock.advance(3_600_000);
        const alone = await paint();
        expect(alone.status, alone.text).toBeGreaterThanOrEqual(500);
        expect(alone.json.error.metadata.provider_name).toBe("acme");
      });

      it("400 by the vendor is the caller's, in the API's envelope, and its key is never said", async () => {
        vendor().answer(json({ error: { message: `rejected for ${vendorsKey}`, code: "moderation_blocked" } }, 400));
        const answer = await paint();
        expectError(answer, "invalid_request", /rejected/);
        expect(answer.text).not.toContain(vendorsKey);
        expect(await spent()).toBe(0);
      });

      it("a connection that breaks before the answer is charged at its most, within a limit", async () => {
        vendor().answer({ ...made(), pieces: [], end: "cut" });
        expect((await paint({ n: 2 })).status).toBeGreaterThanOrEqual(500);
        expect(await spent()).toBe(0.08);
      });

      it("a stream of comments alone is given up, and charged, however often they come", async () => {
        const comments = Array.from({ length: 200 }, () => ": working\n\n");
        vendor().answer(streaming(comments, { betweenMs: 100 }));
        const abandoned = vendor().abandoned();
        const answer = await paint({ stream: true });
        expectError(answer, "timeout", /did not end in time/);
        expect(await spent()).toBe(0.04);
        await eventually(vendor().abandoned, (count) => count > abandoned);
      });

      it("a caller who leaves pays what was made for nobody", async () => {
        vendor().answer({ ...made(), betweenMs: 500 });
        const leaving = new AbortController();
        const answer = request({}, leaving.signal).catch(() => null);
        await eventually(
          () => vendor().requests.length,
          (count) => count === 1,
        );
        leaving.abort();
        await answer;
        expect(await eventually(spent, (usd) => usd > 0)).toBe(0.04);
      });
    });

    describe("lists", () => {
      it("listImageModels has what its providers take, and models lists it among those of its kind alone", async () => {
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
        expect(record.pricing).toMatchObject({ prompt: "0", output_image: "0.04" });
        const plain = await gateway().call("GET", "/models", { key: null });
        expect(plain.json.data.map(({ id }: { id: string }) => id)).not.toContain("acme/painter");
      });

      it("listImageModelEndpoints says each provider's price, by quality and size too", async () => {
        const path = (id: string) => `/images/models/${id}/endpoints`;
        const { json: answer } = await gateway().call("GET", path("acme/by-kind"), { key: null });
        expect(answer.endpoints).toMatchObject([
          {
            provider_slug: "acme",
            supports_streaming: true,
            pricing: [
              { billable: "output_image", unit: "image", cost_usd: 0.04 },
              { billable: "output_image", unit: "image", cost_usd: 0.17, variant: "high" },
              { billable: "output_image", unit: "image", cost_usd: 0.06, variant: "1536x1024" },
            ],
          },
        ]);
        const unpriced = await gateway().call("GET", path("acme/unpriced"), { key: null });
        expect(unpriced.json.endpoints[0].pricing).toEqual([]);
        expectError(await gateway().call("GET", path("acme/talk"), { key: null }), "not_found", /image model/);
      });
    });
  },
  { env: { GATEHOUSE_UPSTREAM_TIMEOUT: "2" } },
);

describeGateway("images in each vendor's dialect", (gateway) => {
  const paintsAt = (slug: string, preset: "together" | "xai" | "openrouter" | "gemini", models: readonly string[]) =>
    withMediaVendor(gateway, {
      slug,
      preset,
      ...(preset === "gemini" && { kind: "gemini" as const }),
      models: models.map((name) => paints(`${slug}/${name}`, { upstream_id: name })),
    });
  const together = paintsAt("together", "together", ["flux"]);
  const xai = paintsAt("xai", "xai", ["grok"]);
  const router = paintsAt("router", "openrouter", ["painter"]);
  const google = paintsAt("google", "gemini", ["gemini-image", "imagen-4"]);
  const url = `data:image/png;base64,${png}`;
  const reference = { type: "image_url", image_url: { url } };
  const paint = async (body: object) => {
    const { key } = await makeKey(gateway());
    return await gateway().call("POST", "/images", { key, body: { prompt, ...body } });
  };
  const bodyAt = (vendor: () => { requests: readonly { body: string }[] }) =>
    JSON.parse(vendor().requests.at(-1)?.body ?? "{}");

  it("carries an answer of 40 MB whole, and refuses a longer one", async () => {
    const big = "A".repeat(10_000_000);
    together().answer(json({ data: Array.from({ length: 4 }, () => ({ b64_json: big })) }));
    const answer = await paint({ model: "together/flux", n: 4 });
    expect(answer.status).toBe(200);
    expect(answer.json.data.map((one: { b64_json: string }) => one.b64_json.length)).toEqual(Array(4).fill(10_000_000));
    together().answer(json({ data: Array.from({ length: 6 }, () => ({ b64_json: big })) }));
    expectError(await paint({ model: "together/flux", n: 6 }), "provider_unavailable", /longer than/);
  });

  it("Together: width and height, its word for base64, and references by their number", async () => {
    together().answer(made());
    const answer = await paint({ model: "together/flux", size: "1024x768", seed: 3, steps: 4 });
    expect(answer.json.data).toEqual([{ b64_json: png, media_type: "image/png" }]);
    const plain = { model: "flux", prompt, n: 1, response_format: "base64" };
    expect(bodyAt(together)).toEqual({ ...plain, width: 1_024, height: 768, seed: 3, steps: 4 });
    await paint({ model: "together/flux", input_references: [reference] });
    expect(bodyAt(together)).toEqual({ ...plain, image_url: url });
    await paint({ model: "together/flux", input_references: [reference, reference] });
    expect(bodyAt(together)).toEqual({ ...plain, reference_images: [url, url] });
    const clear = await paint({ model: "together/flux", background: "transparent" });
    expect(clear.json.error.message).toMatch(/makes no transparent background/);
  });

  it("xAI: proportions and a resolution, and edits as JSON", async () => {
    xai().answer(made());
    await paint({ model: "xai/grok", size: "1536x864", quality: "high" });
    const plain = { model: "grok", prompt, n: 1, response_format: "b64_json" };
    expect(xai().requests.at(-1)?.path).toBe("/v1/images/generations");
    expect(bodyAt(xai)).toEqual({ ...plain, aspect_ratio: "16:9", resolution: "1k" });
    await paint({ model: "xai/grok", input_references: [reference] });
    expect(xai().requests.at(-1)?.path).toBe("/v1/images/edits");
    expect(bodyAt(xai)).toEqual({ ...plain, image: { type: "image_url", url } });
    const refused = await paint({ model: "xai/grok", size: "1000x100" });
    expectIssues(refused, "model");
    expect(refused.json.error.message).toMatch(/send aspect_ratio and resolution/);
  });

  it("OpenRouter: the same form at the same path, streams too", async () => {
    const counted = { prompt_tokens: 4, completion_tokens: 5, total_tokens: 9 };
    const text = { type: "image_generation.text_chunk", phase: "draft", text: "<svg" };
    router().answer(
      streaming([
        event(text),
        event({
          type: "image_generation.completed",
          b64_json: png,
          created: 2,
          media_type: "image/png",
          usage: counted,
        }),
        "data: [DONE]\n\n",
      ]),
    );
    const body = { aspect_ratio: "9:21", resolution: "2K", quality: "low", seed: 1, input_references: [reference] };
    const answer = await paint({ model: "router/painter", stream: true, ...body });
    expect(router().requests.at(-1)?.path).toBe("/v1/images");
    expect(bodyAt(router)).toEqual({ model: "painter", prompt, n: 1, stream: true, ...body });
    expect(eventsIn(answer.text)).toMatchObject([text, { created: 2, usage: counted }]);
  });

  it("Gemini: an image as the answer of a conversation, counted by its tokens", async () => {
    google().answer(
      json({
        candidates: [
          {
            content: {
              parts: [
                { inlineData: { mimeType: "image/png", data: "draft" }, thought: true },
                { text: "Here it is" },
                { inlineData: { mimeType: "image/png", data: png } },
              ],
            },
          },
        ],
        usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 1_290, thoughtsTokenCount: 10 },
      }),
    );
    const model = "google/gemini-image";
    const answer = await paint({
      model,
      aspect_ratio: "3:4",
      resolution: "2K",
      seed: 1,
      input_references: [reference],
    });
    expect(answer.json).toMatchObject({
      data: [{ b64_json: png, media_type: "image/png" }],
      usage: { prompt_tokens: 7, completion_tokens: 1_300 },
    });
    expect(google().requests.at(-1)?.path).toBe("/v1/models/gemini-image:generateContent");
    expect(bodyAt(google)).toEqual({
      contents: [{ role: "user", parts: [{ inlineData: { mimeType: "image/png", data: png } }, { text: prompt }] }],
      generationConfig: {
        candidateCount: 1,
        responseModalities: ["IMAGE"],
        imageConfig: { aspectRatio: "3:4", imageSize: "2K" },
        seed: 1,
      },
    });
    expect((await paint({ model, n: 2 })).json.error.message).toMatch(/one image at a time/);
    google().answer(json({ promptFeedback: { blockReason: "PROHIBITED_CONTENT" } }));
    expect((await paint({ model })).json.error.message).toMatch(/blocked: PROHIBITED_CONTENT/);
  });

  it("Imagen: its own operation, up to four at a time", async () => {
    google().answer(json({ predictions: [1, 2].map(() => ({ bytesBase64Encoded: png, mimeType: "image/png" })) }));
    const model = "google/imagen-4";
    expect((await paint({ model, n: 2, aspect_ratio: "16:9" })).json.data).toHaveLength(2);
    expect(google().requests.at(-1)?.path).toBe("/v1/models/imagen-4:predict");
    expect(bodyAt(google)).toEqual({
      instances: [{ prompt }],
      parameters: { sampleCount: 2, aspectRatio: "16:9" },
    });
    expect((await paint({ model, n: 5 })).json.error.message).toMatch(/at most 4 images/);
    expect((await paint({ model, input_references: [reference] })).json.error.message).toMatch(/no input_references/);
  });
});
