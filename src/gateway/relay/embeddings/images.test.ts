import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { OpenRouter } from "openrouter-sdk-1-3-19";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { expectIssues } from "../../testing/expect-error.ts";
import { makeKey } from "../../testing/factories.ts";
import { dataUrl, makePicture } from "../../testing/pictures.ts";

const model = "gatehouse/lexical-visual";
const shown = (url: string) => ({ type: "image_url", image_url: { url } });
const written = (text: string) => ({ type: "text", text });
const dot = (a: number[], b: number[]) => a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);

let red: Buffer;
let host: Server;
beforeAll(async () => {
  red = await makePicture("png", 40, 30, () => [220, 20, 20]);
  host = createServer((request, response) => {
    if (request.url === "/red.png") return void response.writeHead(200, { "content-type": "image/png" }).end(red);
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => void host.listen(0, "127.0.0.1", resolve));
});
afterAll(() => void host.close());

describeGateway(
  "images at the built-in model",
  (gateway) => {
    const embed = async (input: unknown, asked = model) =>
      await gateway().call("POST", "/embeddings", {
        key: (await makeKey(gateway())).key,
        body: { model: asked, input },
      });
    const at = (path: string) => `http://127.0.0.1:${(host.address() as AddressInfo).port}${path}`;

    describe("createEmbeddings", () => {
      it("200: one vector a block, of what is written and what is shown, given inline or by address", async () => {
        const answer = await embed([
          { content: [shown(dataUrl("png", red))] },
          { content: [shown(at("/red.png"))] },
          {
            content: [
              written("a receipt"),
              shown(dataUrl("webp", await makePicture("webp", 20, 20, () => [20, 20, 220]))),
            ],
          },
          { content: [written("something red")] },
        ]);
        expect(answer.status).toBe(200);
        const [inline, fetched, receipt, words] = answer.json.data.map(
          ({ embedding }: { embedding: number[] }) => embedding,
        );
        expect(inline).toHaveLength(512);
        expect(fetched).toEqual(inline);
        expect(dot(words, inline)).toBeGreaterThan(dot(words, receipt));
        expect(answer.json.usage).toMatchObject({
          prompt_tokens: 8,
          prompt_tokens_details: { text_tokens: 5, image_tokens: 3 },
          cost: 0,
        });
      });

      it("400: names the block and the part whose image is bad", async () => {
        const broken = shown(dataUrl("png", red.subarray(0, 50)));
        const block = (part: object) => [{ content: [written("fine")] }, { content: [written("look"), part] }];
        const path = "input.1.content.1.image_url.url";
        expectIssues(await embed(block(broken)), path);
        expectIssues(await embed(block(shown("data:image/png;base64,aGVsbG8="))), path);
        expectIssues(await embed(block(shown(at("/missing.png")))), path);
        expectIssues(await embed(block(shown(dataUrl("png", Buffer.alloc(10 * 1_048_576 + 1))))), path);
      });

      it("400: images are not for the model of wording alone", async () => {
        expectIssues(await embed([{ content: [shown(dataUrl("png", red))] }], "gatehouse/lexical"), "input");
      });

      it("works with the official client", async () => {
        const { key } = await makeKey(gateway());
        const client = new OpenRouter({ apiKey: key, serverURL: `${gateway().url}/api/v1` });
        const answer = await client.embeddings.generate({
          requestBody: {
            model,
            input: [{ content: [{ type: "image_url", imageUrl: { url: dataUrl("png", red) } }] }],
          },
        });
        expect(answer).toMatchObject({ model, data: [{ index: 0 }] });
      });
    });
  },
  { env: { GATEHOUSE_PRIVATE_NETWORKS: "127.0.0.0/8" } },
);
