import { describe, expect, it } from "vitest";
import { api } from "#contract/api.ts";
import { type Endpoint, modelCallHeaders, responseCacheHeaders } from "#contract/endpoint.ts";
import { openApiDocument } from "./openapi.ts";

type Json = Record<string, any>; // oxlint-disable-line typescript/no-explicit-any -- a document to look into

const document: Json = openApiDocument("https://gatehouse.example.com/gate");
const endpoints = Object.values<Endpoint>(api);

describe("the OpenAPI document", () => {
  it("carries version 1.0.0 and the MIT licence", () => {
    expect(document["openapi"]).toBe("3.1.0");
    expect(document["info"]).toMatchObject({ version: "1.0.0", license: { identifier: "MIT" } });
    expect(document["servers"]).toEqual([{ url: "https://gatehouse.example.com/gate/api/v1" }]);
  });

  it.each(endpoints.map((endpoint) => [endpoint.operationId, endpoint] as const))("describes %s", (id, endpoint) => {
    const operation = document["paths"][endpoint.path][endpoint.method.toLowerCase()];
    expect(operation.operationId).toBe(id);
    const statuses = Object.keys(operation.responses).map(Number);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([endpoint.status, ...endpoint.errors].toSorted((a, b) => a - b));
    const inPath = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
    const parameters: Json[] = operation.parameters ?? [];
    expect(parameters.filter((parameter) => parameter["in"] === "path").map((parameter) => parameter["name"])).toEqual(
      inPath,
    );
    const takesBody = endpoint.body !== null || endpoint.form !== null;
    expect(operation.requestBody !== undefined).toBe(takesBody);
    if (takesBody) expect(statuses).toContain(413);
  });

  it("says of speech in which media types the audio comes", () => {
    const { content } = document["paths"]["/audio/speech"].post.responses[200];
    expect(Object.keys(content)).toEqual([
      "audio/mpeg",
      "audio/pcm",
      "audio/wav",
      "audio/opus",
      "audio/aac",
      "audio/flac",
    ]);
  });

  it("says of transcriptions what a form has, with a file of bytes", () => {
    const { content } = document["paths"]["/audio/transcriptions"].post.requestBody;
    expect(content["application/json"].schema).toBeDefined();
    const form = content["multipart/form-data"].schema;
    expect(form.required).toEqual(expect.arrayContaining(["model", "file"]));
    expect(form.properties.file).not.toHaveProperty("type");
  });

  it("says of images and completions that they come as JSON or as events", () => {
    for (const path of ["/images", "/images/generations", "/completions"]) {
      const { content } = document["paths"][path].post.responses[200];
      expect(Object.keys(content)).toEqual(["application/json", "text/event-stream"]);
    }
  });

  it("says of model calls what comes back as a stream, and which headers go with them", () => {
    const chat = document["paths"]["/chat/completions"].post;
    expect(chat.responses[200].content["text/event-stream"].schema).toEqual({ $ref: "#/components/schemas/ChatChunk" });
    expect(document["components"].responses.Error429.headers).toHaveProperty("Retry-After");
    const headers = ({ parameters }: Json) =>
      parameters.filter((one: Json) => one["in"] === "header").map((one: Json) => one["name"]);
    const embeddings = document["paths"]["/embeddings"].post;
    for (const operation of [chat, embeddings]) {
      expect(operation.responses[200].headers).toHaveProperty("X-Generation-Id");
      expect(headers(operation)).toEqual([...modelCallHeaders, ...responseCacheHeaders]);
    }
    expect(embeddings.responses[200].content).not.toHaveProperty("text/event-stream");
    const versioned = [
      "/keys/{hash}",
      "/management-keys/{hash}",
      "/observability/destinations/{id}",
      "/providers/{slug}",
      "/workspaces/{id}",
    ];
    for (const record of versioned.map((path) => document["paths"][path])) {
      expect(headers(record.patch)).toEqual(["If-Match"]);
      expect(headers(record.delete)).toEqual(["If-Match"]);
      expect(record.get.responses[200].headers).toHaveProperty("ETag");
    }
    expect(headers(document["paths"]["/keys"].post)).toEqual(["Idempotency-Key"]);
  });

  it("offers the parts and members that embeddings take, and no others", () => {
    const { InputPart, EmbeddingsBody } = document["components"].schemas;
    expect(InputPart.anyOf.map((part: Json) => part["properties"].type.const)).toEqual(["text", "image_url"]);
    expect(EmbeddingsBody.properties).toHaveProperty("truncate");
  });

  it("has different operation ids for different operations", () => {
    const ids = endpoints.map((endpoint) => endpoint.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("refers to nothing that is not in it", () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map((match) => match[1] ?? "");
    const missing = references.filter((path) => {
      const found = path.split("/").reduce<Json | undefined>((at, part) => at?.[part], document);
      return found === undefined;
    });
    expect(references.length).toBeGreaterThan(50);
    expect(missing).toEqual([]);
  });

  it("says of query parameters what they mean, not how they travel", () => {
    const parameters: Json[] = document["paths"]["/keys"].get.parameters;
    expect(parameters.find((parameter) => parameter["name"] === "limit")).toMatchObject({
      schema: { type: "integer", minimum: 1, maximum: 100 },
    });
  });

  it("lets answers gain members but not requests", () => {
    const { schemas } = document["components"];
    expect(schemas.KeyRecord.additionalProperties).toBeUndefined();
    expect(schemas.CreateKeyBody.additionalProperties).toBe(false);
  });
});
