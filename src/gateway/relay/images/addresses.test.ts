import { beforeEach, expect, it } from "vitest";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { ledgerRow } from "../../testing/ledger-calls.ts";
import { makeKey } from "../../testing/factories.ts";
import { withMediaVendor } from "../../testing/scripted-setup.ts";
import { json, type ScriptedAnswer } from "../../testing/scripted-vendor.ts";

const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 1, 2, 3, 4, 5, 6]);
const base64 = png.toString("base64");
const picture: ScriptedAnswer = { headers: { "content-type": "image/png" }, pieces: [png] };

describeGateway(
  "createImage, with images by address",
  (gateway) => {
    const paints = (id: string) => ({
      id,
      upstream_id: "painter",
      type: "image" as const,
      pricing: { prompt: "0", output_image: "0.04" },
    });
    const vendor = withMediaVendor(gateway, { slug: "acme", preset: "openai", models: [paints("acme/painter")] });
    const google = withMediaVendor(gateway, {
      slug: "google",
      kind: "gemini",
      preset: "gemini",
      models: [paints("google/painter")],
    });
    // Images have a host of their own, which is asked as a vendor is.
    const host = withMediaVendor(gateway, { slug: "host", models: [] });
    let key = "";
    beforeEach(async () => {
      ({ key } = await makeKey(gateway(), { limit: 1 }));
      host().answer(picture);
    });
    const paint = async (body: object) =>
      await gateway().call("POST", "/images", { key, body: { model: "acme/painter", prompt: "A gate", ...body } });
    const shown = () => ({ type: "image_url", image_url: { url: `${host().url}/a.png` } });

    it("200: what a vendor gives an address of is fetched, and in the answer", async () => {
      vendor().answer(json({ data: [{ url: `${host().url}/a.png` }, { b64_json: base64 }] }));
      const answer = await paint({ n: 2 });
      expect(answer.status, answer.text).toBe(200);
      const image = { b64_json: base64, media_type: "image/png" };
      expect(answer.json.data).toEqual([image, image]);
      expect(host().requests.at(-1)?.headers).not.toHaveProperty("authorization");
    });

    it.each<[string, ScriptedAnswer]>([
      ["is gone", { status: 404, headers: {}, pieces: [] }],
      ["is no image", { headers: { "content-type": "text/html" }, pieces: ["<html>"] }],
    ])("502: one that %s is the vendor's fault, and may be billed", async (_, fault) => {
      host().answer(fault);
      vendor().answer(json({ data: [{ url: `${host().url}/a.png` }] }));
      const answer = await paint({});
      expect(answer.status, answer.text).toBe(502);
      const row = await ledgerRow(gateway(), answer.headers.get("x-generation-id"));
      expect(row).toMatchObject({ cost: 40_000_000n, status: 502 });
      gateway().clock.advance(3_600_000);
    });

    it("200: one to work from is sent to OpenAI as a file, and to Gemini inline", async () => {
      vendor().answer(json({ data: [{ b64_json: base64 }] }));
      expect((await paint({ input_references: [shown()] })).status).toBe(200);
      expect(vendor().requests.at(-1)?.body).toContain('filename="image-0.png"\r\nContent-Type: image/png');
      google().answer(json({ candidates: [{ content: { parts: [{ inlineData: { data: base64 } }] } }] }));
      const answer = await paint({ model: "google/painter", input_references: [shown()] });
      expect(answer.status, answer.text).toBe(200);
      const { contents } = JSON.parse(google().requests.at(-1)?.body ?? "{}");
      expect(contents[0].parts[0]).toEqual({ inlineData: { mimeType: "image/png", data: base64 } });
    });

    it("400: one to work from that is gone is the caller's fault, and free", async () => {
      host().answer({ status: 404, headers: {}, pieces: [] });
      vendor().requests.length = 0;
      const answer = await paint({ input_references: [shown()] });
      expect(answer.status, answer.text).toBe(400);
      expect(vendor().requests).toHaveLength(0);
      expect(await ledgerRow(gateway(), answer.headers.get("x-generation-id"))).toMatchObject({ cost: 0n });
    });
  },
  { env: { GATEHOUSE_PRIVATE_NETWORKS: "127.0.0.0/8" } },
);
