import { describe, expect, it } from "vitest";
import { addressRule } from "../domain/instance/network-guard.ts";
import { Refusal } from "../domain/refusal.ts";
import type { Candidate } from "../domain/routing/routing.ts";
import { refuseInputImages, refuseMessageImages, refusePrivateNames } from "./image-addresses.ts";

/** A resolver that knows these names. */
const names: Readonly<Record<string, string[]>> = {
  "pictures.example": ["93.184.216.34"],
  "127.0.0.1.nip.io": ["127.0.0.1"],
  "rebound.example": ["93.184.216.34", "10.0.0.1"],
  "internal-service": ["10.1.2.3"],
  "kubernetes.default.svc": ["10.96.0.1"],
  "metadata.google.internal": ["169.254.169.254"],
  "listed.lan": ["10.9.9.9"],
  "vllm.internal": ["10.0.0.7"],
  "api.openai.com": ["104.18.6.192"],
};
const judge = {
  callerAddress: addressRule(["10.9.0.0/16"], "caller"),
  resolve: async (host: string) => names[host] ?? [],
};
const vendor = (baseUrl: string) => [{ provider: { baseUrl } }] as unknown as Candidate[];
const [inside, outside] = [vendor("http://vllm.internal:8000/v1"), vendor("https://api.openai.com/v1")];

/** Where the request is at fault; null: it may go on. */
async function refusedAt(body: object, candidates: readonly Candidate[]): Promise<string | null> {
  try {
    await refusePrivateNames(judge, refuseMessageImages(judge, { ...body }), candidates);
    return null;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return (error.details["issues"] as { path: string }[])[0]?.path ?? "";
  }
}

const parts = (url: string): [string, Record<string, unknown>][] => [
  ["image_url.url", { type: "image_url", image_url: { url } }],
  ["image_url.url", { type: "image_url", image_url: url }],
  ["video_url.url", { type: "video_url", video_url: { url } }],
  ["audio_url.url", { type: "audio_url", audio_url: { url } }],
  ["image_url", { type: "input_image", image_url: url }],
  ["file.file_data", { type: "file", file: { file_data: url } }],
  ["file_url", { type: "input_file", file_url: url }],
  ["IMAGE_URL.url", { type: "IMAGE_URL", IMAGE_URL: { url } }],
  ["video_url.url", { type: "image_url", image_url: { url: "https://pictures.example/a.png" }, video_url: { url } }],
  ["source.0.nested.url", { type: "document", source: [{ nested: { url } }] }],
];
const about = (part: object) => ({ messages: [{ role: "user", content: [{ type: "text", text: "look" }, part] }] });

describe("an address that a caller names", () => {
  it.each([
    "http://169.254.169.254/latest",
    "http://10.0.0.1/x",
    "http://localhost./x",
    "HTTP://0x7f000001/x",
    "file:///etc/passwd",
  ])("%s is found wherever it stands, whoever the vendor is", async (url) => {
    for (const [path, part] of parts(url))
      expect(await refusedAt(about(part), outside), JSON.stringify(part)).toBe(`messages.0.content.1.${path}`);
    expect(await refusedAt({ messages: [{ role: "user", content: "hi", images: [url] }] }, outside)).toBe(
      "messages.0.images.0",
    );
    expect(await refusedAt({ messages: [], media: { url } }, outside)).toBe("media.url");
  });

  it.each([
    "http://127.0.0.1.nip.io/x",
    "http://rebound.example/x",
    "http://nobody.example/x",
    "http://internal-service/x",
    "http://metadata.google.internal./computeMetadata",
  ])("%s does not go to a vendor in a private network", async (url) => {
    for (const [path, part] of parts(url))
      expect(await refusedAt(about(part), inside), JSON.stringify(part)).toBe(`messages.0.content.1.${path}`);
  });

  it.each(["http://internal-service/x", "http://kubernetes.default.svc/x", "http://metadata.google.internal/x"])(
    "%s, which no public resolver knows, goes to nobody",
    async (url) => {
      for (const [, part] of parts(url)) expect(await refusedAt(about(part), outside)).not.toBeNull();
    },
  );

  it("goes on where it is public, or in a network that the setting lists", async () => {
    for (const url of ["https://pictures.example/a.png", "http://listed.lan/a.png", "http://10.9.9.9/a.png"]) {
      for (const [, part] of parts(url)) {
        expect(await refusedAt(about(part), inside)).toBeNull();
        expect(await refusedAt(about(part), outside)).toBeNull();
      }
    }
    expect(
      await refusedAt(about({ type: "image_url", image_url: { url: "https://new.example/a" } }), outside),
    ).toBeNull();
  });

  it.each([
    `${" ".repeat(70)}http://10.0.0.1/x`,
    "\u0001http://10.0.0.1/x",
    "ht\ttp://10.0.0.1/x",
    "http:/\n/10.0.0.1/x",
    "http:10.0.0.1/x",
    "//10.0.0.1/x",
    "file:/etc/passwd",
  ])("%j is one to those who would fetch it", async (url) => {
    for (const [path, part] of parts(url).filter(([, { type }]) => type !== "image_url"))
      expect(await refusedAt(about(part), outside), JSON.stringify(part)).toBe(`messages.0.content.1.${path}`);
  });

  it("may be a tool's that the vendor runs, and is a name in a function's parameters", async () => {
    const mcp = { type: "mcp", server_url: "http://169.254.169.254/" };
    const parameters = { $schema: "http://json-schema.org/draft-07/schema#", $id: "http://10.0.0.1/" };
    const own = { type: "function", function: { name: "f", parameters } };
    expect(await refusedAt({ messages: [], tools: [own, mcp] }, outside)).toBe("tools.1.server_url");
    expect(await refusedAt({ messages: [], tools: mcp }, outside)).toBe("tools.0.server_url");
    expect(await refusedAt({ messages: [], tools: [own] }, inside)).toBeNull();
  });

  it("may be a schema's that another refers to, and is a name elsewhere in a schema", async () => {
    const schema = (members: object) => ({ type: "object", properties: { a: { description: "x", ...members } } });
    const asked = (json: object) => ({ response_format: { type: "json_schema", json_schema: { schema: json } } });
    const called = (json: object) => ({ tools: [{ type: "function", function: { name: "f", parameters: json } }] });
    const url = "http://169.254.169.254/schema";
    const at = "properties.a.$ref";
    expect(await refusedAt(asked(schema({ $ref: url })), outside)).toBe(`response_format.json_schema.schema.${at}`);
    expect(await refusedAt(called(schema({ $ref: url })), outside)).toBe(`tools.0.function.parameters.${at}`);
    for (const members of [{ $id: url }, { const: url }, { $ref: "#/$defs/b" }])
      expect(await refusedAt(asked(schema(members)), outside)).toBeNull();
    // Where a reference has no host, it is the schema's own address that is looked up.
    expect(await refusedAt(asked({ $id: url, ...schema({ $ref: "b" }) }), outside)).toBe(
      "response_format.json_schema.schema.$id",
    );
    expect(await refusedAt(asked({ $id: "https://93.184.216.34/a", ...schema({ $ref: "b" }) }), outside)).toBeNull();
  });

  it("may be in members of an embeddings call that the vendor alone knows", () => {
    const refused = (extra: Record<string, unknown>) => () => refuseInputImages(judge, { items: [], extra });
    const image = { type: "image_url", image_url: { url: "http://10.0.0.1/x" } };
    expect(refused({ messages: [{ role: "user", content: [image] }] })).toThrow(Refusal);
    expect(refused({ image_url: "http://10.0.0.1/x" })).toThrow(Refusal);
    expect(refused({ images: ["http://10.0.0.1/x"] })).toThrow(Refusal);
    expect(refused({ tools: { type: "mcp", server_url: "http://10.0.0.1/x" } })).toThrow(Refusal);
    expect(refused({ response_format: { schema: { $ref: "http://10.0.0.1/x" } } })).toThrow(Refusal);
    expect(refused({ messages: [{ role: "user", content: [{ type: "text", text: "http://10.0.0.1/" }] }] })()).toEqual(
      [],
    );
    expect(refused({ task: "retrieval.query", late_chunking: true })()).toEqual([]);
  });

  it("is no concern within a text", async () => {
    const text = "http://10.0.0.1/ is my router";
    const messages = [
      { role: "user", content: text },
      { role: "user", content: [{ type: "text", text: "http://10.0.0.1/" }] },
    ];
    expect(await refusedAt({ messages }, inside)).toBeNull();
  });
});
