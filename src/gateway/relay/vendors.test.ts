import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ProviderKind } from "#contract/providers.ts";
import { inPieces } from "../testing/chat-answers.ts";
import { describeGateway } from "../testing/describe-gateway.ts";
import { exchange } from "../testing/exchange.ts";
import { expectIssues } from "../testing/expect-error.ts";
import { type FakeVendor, startFakeVendor } from "../testing/fake-vendor.ts";
import type { TestGateway } from "../testing/gateway.ts";
import { makeKey, makeProvider } from "../testing/factories.ts";
import type { ScriptedAnswer } from "../testing/scripted-vendor.ts";
import { defaultSettings, vectorOf } from "../testing/vendor-answers.ts";
import { anthropicMessages, cohereChat, geminiChat } from "../testing/vendor-chats.ts";
import { chatForm } from "./chat/chat-form.ts";

describe.each([
  ["cohere", cohereChat],
  ["gemini", geminiChat],
  ["anthropic", anthropicMessages],
] as const)("a chat with %s", (kind, answerOf) => {
  const messages = [
    { role: "system", content: "Be brief." },
    { role: "user", content: "Hello" },
  ];
  const talk = async (stream: boolean, change: (answer: ScriptedAnswer) => ScriptedAnswer = (answer) => answer) =>
    await exchange(
      chatForm,
      { model: "acme/talk", messages, max_tokens: 50, stream },
      ({ path, headers, body }) => {
        const made = answerOf({ method: "POST", path, headers, body: JSON.parse(body) }, defaultSettings);
        if (made.type === "json") return { headers: { "content-type": "application/json" }, pieces: [made.json] };
        return change({ headers: { "content-type": "text/event-stream" }, pieces: made.frames });
      },
      { kind },
    );

  it("is answered in the public form, and metered", async () => {
    const { json } = await talk(false);
    const message = { role: "assistant", content: "Hello from the fake vendor." };
    const choices = [{ index: 0, finish_reason: "stop", message }];
    expect(json).toMatchObject({ object: "chat.completion", model: "acme/talk", choices });
    expect(json.usage.completion_tokens).toBe(6);
    expect(json.usage.cost).toBeCloseTo((json.usage.prompt_tokens + 12) / 1e6, 12);
  });

  it.each([1, 1_000_000])(
    "streams in the public form, with the same usage at its end, from pieces of %i",
    async (size) => {
      const whole = (await talk(false)).json;
      const frames = (await talk(true, (answer) => inPieces(answer, size))).text.split("\n\n").slice(0, -1);
      expect(frames.pop()).toBe("data: [DONE]");
      const chunks = frames.map((frame) => JSON.parse(frame.slice(6)));
      const said = chunks.map((chunk) => chunk.choices[0]?.delta.content ?? "").join("");
      expect(said).toBe("Hello from the fake vendor.");
      expect(chunks.flatMap((chunk) => chunk.choices[0]?.finish_reason ?? [])).toEqual(["stop"]);
      expect(chunks.at(-1)).toMatchObject({ choices: [{ delta: { content: "" } }], usage: whole.usage });
      for (const chunk of chunks) expect(chunk).toMatchObject({ object: "chat.completion.chunk", model: "acme/talk" });
    },
  );

  it("is cut off with the vendor's stream when that breaks", async () => {
    const { text } = await talk(true, ({ pieces, ...rest }) => ({ ...rest, pieces: pieces.slice(0, 3), end: "cut" }));
    expect(text).toContain('"finish_reason":"error"');
  });
});

let vendor: FakeVendor;
let pictures: Server;
beforeAll(async () => {
  vendor = await startFakeVendor();
  pictures = createServer((request, response) => {
    if (request.url === "/cat.png") return void response.writeHead(200, { "content-type": "image/png" }).end("a cat");
    if (request.url === "/page") return void response.writeHead(200, { "content-type": "text/html" }).end("<html>");
    response.writeHead(302, { location: "/cat.png" }).end();
  });
  await new Promise<void>((resolve) => void pictures.listen(0, "127.0.0.1", resolve));
});
afterAll(async () => {
  pictures.close();
  await vendor.close();
});

const picture = (path: string) => `http://127.0.0.1:${(pictures.address() as AddressInfo).port}${path}`;
const base = { upstream_id: "embed", type: "embedding", dimensions: 8, pricing: { prompt: "0.000001" } } as const;
const image = (url: string) => [
  {
    content: [
      { type: "text", text: "what is it" },
      { type: "image_url", image_url: { url } },
    ],
  },
];

async function add(gateway: TestGateway, slug: string, kind: ProviderKind, baseUrl: string): Promise<void> {
  const models = [{ ...base, id: `${slug}/embed`, input_modalities: ["text" as const, "image" as const] }];
  await makeProvider(gateway, { slug, kind, base_url: baseUrl, api_key: "k", models });
}

const numbers = (text: string) => Array.from(vectorOf(text, 8), (value) => Number(value.toPrecision(9)));

describeGateway("embeddings of vendors with dialects of their own", (gateway) => {
  let key: string;
  beforeAll(async () => {
    vendor.settings.dimensions = 8;
    ({ key } = await makeKey(gateway()));
    await add(gateway(), "co", "cohere", `${vendor.url}/cohere/v2`);
    await add(gateway(), "go", "gemini", `${vendor.url}/gemini/v1beta`);
    await add(gateway(), "plain", "openai-compatible", vendor.baseUrl);
  });
  const embed = (body: object) =>
    gateway().call("POST", "/embeddings", { key, body, headers: { "cache-control": "no-store" } });

  it.each(["co/embed", "go/embed", "plain/embed"])(
    "%s: the same vectors in the same form, in either format",
    async (model) => {
      const floats = await embed({ model, input: ["one", "two"] });
      const data = ["one", "two"].map((text, index) => ({ index, embedding: numbers(text) }));
      expect(floats.json).toMatchObject({ object: "list", model, data });
      const base64 = await embed({ model, input: "one", encoding_format: "base64" });
      const bytes = Buffer.from(base64.json.data[0].embedding, "base64");
      expect(new Float32Array(new Uint8Array(bytes).buffer)).toEqual(vectorOf("one", 8));
    },
  );

  it("refuses token ids at vendors that take none, and says so", async () => {
    expectIssues(await embed({ model: "co/embed", input: [1, 2, 3] }), "input");
  });

  it("splits a batch by what the vendor takes at once, where the model does not say", async () => {
    const before = vendor.calls();
    const input = Array.from({ length: 97 }, (_, index) => `text ${index}`);
    const { json } = await embed({ model: "co/embed", input });
    const vectors = json.data.map(({ embedding }: { embedding: number[] }) => new Float32Array(embedding));
    expect(vectors).toEqual(input.map((text) => vectorOf(text, 8)));
    expect(vendor.calls() - before).toBe(2);
  });

  it("asks again in the other format when a vendor refuses the first, and remembers", async () => {
    vendor.settings.encodings = ["base64"];
    try {
      const before = vendor.calls();
      const { json } = await embed({ model: "plain/embed", input: "one" });
      expect(json.data[0].embedding).toEqual(numbers("one").map((value) => expect.closeTo(value, 6)));
      expect(vendor.calls() - before).toBe(2);
      await embed({ model: "plain/embed", input: "two" });
      expect(vendor.calls() - before).toBe(3);
    } finally {
      vendor.settings.encodings = ["float", "base64"];
    }
  });

  it.each([
    "http://127.0.0.1/cat.png",
    "http://localhost:8080/cat.png",
    "http://169.254.169.254/latest/meta-data",
    "http://[::1]/cat.png",
    "http://2130706433/cat.png",
    "file:///etc/passwd",
    "data:image/png,plain",
  ])("the image at %s goes to nobody", async (url) => {
    const before = vendor.calls();
    for (const model of ["plain/embed", "go/embed"]) {
      expectIssues(await embed({ model, input: image(url) }), "input.0.content.1.image_url.url");
    }
    expect(vendor.calls()).toBe(before);
  });

  it("images go on by their address where the vendor fetches them", async () => {
    const url = "https://93.184.216.34/cat.png";
    expect((await embed({ model: "plain/embed", input: image(url) })).status).toBe(200);
    expect(vendor.requests.at(-1)?.body.input[0].content[1].image_url.url).toBe(url);
  });
});

describeGateway(
  "images from a private network that is listed",
  (gateway) => {
    let key: string;
    beforeAll(async () => {
      ({ key } = await makeKey(gateway()));
      await add(gateway(), "go", "gemini", `${vendor.url}/gemini/v1beta`);
    });
    const embed = (url: string) =>
      gateway().call("POST", "/embeddings", { key, body: { model: "go/embed", input: image(url) } });

    it("are fetched and sent inline to a vendor that takes them so", async () => {
      expect((await embed(picture("/cat.png"))).status).toBe(200);
      expect(vendor.requests.at(-1)?.body.requests[0].content.parts[1]).toEqual({
        inlineData: { mimeType: "image/png", data: Buffer.from("a cat").toString("base64") },
      });
    });

    it.each(["/page", "/elsewhere"])("are refused when %s gives out something else, or a redirect", async (path) => {
      const before = vendor.calls();
      const refused = await embed(picture(path));
      expect(refused.status).toBe(400);
      expect(refused.json.error.message).toMatch(/^go cannot take this request: .* 127\.0\.0\.1/);
      expect(vendor.calls()).toBe(before);
    });
  },
  { env: { GATEHOUSE_PRIVATE_NETWORKS: "127.0.0.0/8" } },
);
