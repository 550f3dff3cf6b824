import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { request } from "undici";
import { beforeAll, describe, expect, it } from "vitest";
import { withGateway } from "../testing/describe-gateway.ts";
import { makeKey, makeProvider } from "../testing/factories.ts";

const gateway = withGateway({ env: { GATEHOUSE_CORS_ORIGINS: "https://app.example.com" } });
beforeAll(async () => {
  for (const name of ["one", "two", "three"]) await makeKey(gateway(), { name });
});

/** The answer as it is on the wire: undici's `request`, unlike `fetch`, does not decode it. */
async function raw(
  path: string,
  headers: Record<string, string>,
  method: "GET" | "HEAD" | "POST" = "GET",
  body?: unknown,
) {
  const answer = await request(`${gateway().url}/api/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${gateway().managementKey}`,
      ...(body !== undefined && { "content-type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { ...answer, bytes: Buffer.from(await answer.body.arrayBuffer()) };
}

describe("answers to reads", () => {
  it.each([
    ["br", "gzip, deflate, br, zstd", brotliDecompressSync],
    ["gzip", "gzip, deflate", gunzipSync],
    ["gzip", "br;q=0, gzip;q=0.5", gunzipSync],
  ])("are compressed with %s for %s", async (encoding, accepted, decompress) => {
    const plain = await raw("/keys", {});
    const answer = await raw("/keys", { "accept-encoding": accepted });
    expect(answer.headers).toMatchObject({
      "content-encoding": encoding,
      "content-length": String(answer.bytes.length),
      "content-type": "application/json; charset=utf-8",
      "cache-control": "no-store",
    });
    expect(decompress(answer.bytes).toString()).toBe(plain.bytes.toString());
    expect(answer.bytes.length).toBeLessThan(plain.bytes.length / 2);
  });

  it.each(["", "identity", "gzip;q=0", "gzip;q=0 ; x", "gzip; q=0.000;x=1"])(
    "go out as they are for %j",
    async (accepted) => {
      const answer = await raw("/keys", { "accept-encoding": accepted });
      expect(answer.headers["content-encoding"]).toBeUndefined();
      expect(JSON.parse(answer.bytes.toString()).data).toHaveLength(3);
    },
  );

  it("say that they depend on what is accepted, and still on the origin", async () => {
    const answer = await raw("/keys", { "accept-encoding": "gzip" });
    expect(answer.headers["vary"]).toBe("Origin, Accept-Encoding");
    const head = await raw("/keys", { "accept-encoding": "gzip" }, "HEAD");
    expect(head.headers).toMatchObject({
      vary: "Origin, Accept-Encoding",
      "content-encoding": "gzip",
      "content-length": answer.headers["content-length"],
    });
    expect(head.bytes).toHaveLength(0);
  });

  it("stay as they are below a kilobyte", async () => {
    const answer = await raw("/health", { "accept-encoding": "gzip, br" });
    expect(answer.headers["content-encoding"]).toBeUndefined();
    expect(answer.bytes.length).toBeLessThan(1_024);
  });
});

describe("what anyone may read", () => {
  it.each(["/docs", "/docs.css", "/docs.js", "/openapi.json", "/models", "/embeddings/models?limit=500"])(
    "%s is sent once to a caller that keeps it",
    async (path) => {
      for (const accepted of ["identity", "gzip"]) {
        const asked = { "accept-encoding": accepted };
        const first = await raw(path, asked);
        const etag = String(first.headers["etag"]);
        expect(first.statusCode).toBe(200);
        expect((await raw(path, asked)).bytes).toEqual(first.bytes);
        const again = await raw(path, { ...asked, "if-none-match": `"other", W/${etag}` });
        expect([again.statusCode, again.bytes.length]).toEqual([304, 0]);
        expect(again.headers).toMatchObject({ etag, "cache-control": "no-cache", vary: first.headers["vary"] });
        expect((await raw(path, { ...asked, "if-none-match": '"other"' })).statusCode).toBe(200);
      }
    },
  );

  it("is a list of models as it is now, and as it is asked for", async () => {
    const ids = async (path: string, headers = {}) => {
      const { data } = JSON.parse((await raw(path, headers)).bytes.toString()) as { data: { id: string }[] };
      return data.map(({ id }) => id);
    };
    const before = await ids("/models");
    const pricing = { prompt: "0", completion: "0" };
    const model = {
      id: "later/talk",
      upstream_id: "talk",
      type: "chat" as const,
      name: "Talk",
      context_length: 8_192,
      pricing,
    };
    const later = { slug: "later", base_url: "http://127.0.0.1:9", models: [model] };
    await makeProvider(gateway(), later);
    expect(await ids("/models")).toEqual([...before, "later/talk"].toSorted());
    for (const query of ["sort=newest", "limit=1&offset=0", "q=later"])
      expect(await ids(`/models?${query}`)).toContain("later/talk");
    const forAnthropic = await raw("/models", { "anthropic-version": "2023-06-01" });
    expect(JSON.parse(forAnthropic.bytes.toString())).toHaveProperty("first_id");
  });
});

it("an answer that shows a new key is never compressed", async () => {
  const body = { name: "n".repeat(64), creator_user_id: "c".repeat(255) };
  const answer = await raw("/keys", { "accept-encoding": "gzip, br" }, "POST", body);
  expect(answer.statusCode).toBe(201);
  expect(answer.bytes.length).toBeGreaterThan(1_024);
  expect(answer.headers["content-encoding"]).toBeUndefined();
  expect(JSON.parse(answer.bytes.toString()).key).toMatch(/^sk-gh-v1-/);
});
