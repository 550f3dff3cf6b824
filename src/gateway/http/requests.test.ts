import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { describeGateway, startOnStore, withGateway } from "../testing/describe-gateway.ts";
import { expectError, expectIssues } from "../testing/expect-error.ts";
import { expectRefusal } from "../testing/expect-refusal.ts";

const gateway = withGateway({ env: { GATEHOUSE_BASE_PATH: "/gate" } });
const get = async (path: string, headers: Record<string, string> = {}) =>
  await gateway().call("GET", path, { key: null, headers });

describe("a body", () => {
  const post = async (raw: string | Uint8Array, type = "application/json") =>
    await gateway().call("POST", "/keys", { raw, headers: { "content-type": type } });

  it("is not repeated where it is no JSON, and must be UTF-8", async () => {
    const answer = await post('{"name": "sk-secret" oops}');
    expectError(answer, "invalid_request", /not valid JSON \(at byte \d+\)$/);
    expect(answer.text).not.toContain("sk-secret");
    const latin1 = Buffer.from('{"name": "caf\u00e9"}', "latin1");
    expectError(await post(latin1), "invalid_request", "The request body is not valid UTF-8");
    expectError(await post(""), "invalid_request", "The request body is missing: send a JSON object");
    expect((await post('{"name": "a"}', "application/json; charset=utf-8")).status).toBe(201);
  });

  it.each([
    ["null", ""],
    ["[]", ""],
    ["3", ""],
    ['"name"', ""],
    ["[".repeat(30_000) + "]".repeat(30_000), ""],
    ['{"name": "a", "__proto__": {"disabled": true}}', "__proto__"],
  ])("must be an object that smuggles nothing in: 400 for %.60s", async (raw, path) => {
    expectIssues(await post(raw), path);
  });
});

describe("a path", () => {
  it.each(["/nothing", "/KEYS", "/keys/a/b/c", "/../package.json"])("%s leads nowhere: 404", async (path) => {
    expectError(await get(path), "not_found", /Nothing answers GET at this path/);
  });

  it.each([
    ["POST", "/v2/embeddings"],
    ["GET", "/api/models"],
  ])("names the API's address where nothing answers: 404 for %s %s", async (method, path) => {
    const message = `Nothing answers ${method} at this path; the API is at /gate/api/v1, such as /gate/api/v1/models`;
    expectError(await gateway().call(method, `/../..${path}`, { key: null }), "not_found", message);
  });

  it.each([
    ["/responses/resp_1", /^Gatehouse does not serve kept answers \(POST \/responses continues one by .*\) yet$/],
    ["/realtime?model=gpt-realtime", /not serve realtime sessions .*POST \/audio\/transcriptions/],
    ["/realtime/client_secrets", /not serve realtime sessions/],
    ["/moderations", /not serve moderation .*content filters/],
    ["/threads/thread_1/runs", /not serve assistants and threads .*POST \/responses/],
    ["/vector_stores", /not serve vector stores .*POST \/embeddings/],
  ])("of the public API that is not served says so, and what would work: 404 for %s", async (path, message) => {
    expectError(await get(path), "not_found", message);
  });

  it("of models has Anthropic's errors for Anthropic's clients", async () => {
    const refused = await get("/models/no/such", { "anthropic-version": "2023-06-01" });
    expectRefusal(refused, "messages", "not_found", /No provider/);
  });

  it("with broken percent-encoding is refused: 400; an endless parameter leads nowhere: 404", async () => {
    expectError(await get("/keys/%zz"), "invalid_request", /percent-encoding/);
    expectError(await get(`/keys/${"a".repeat(2_000)}`), "not_found", /Nothing/);
  });

  it("lets no other origin in where it tells its methods", async () => {
    const answer = await gateway().call("OPTIONS", "/keys", { key: null, headers: { origin: "https://evil.example" } });
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
  });

  it("answers HEAD like GET, without the body", async () => {
    const answer = await gateway().call("HEAD", "/keys");
    expect([answer.status, answer.text]).toEqual([200, ""]);
    expect(Number(answer.headers.get("content-length"))).toBeGreaterThan(10);
  });
});

it.each([
  ["GET", "/health"],
  ["GET", "/keys"],
  ["GET", "/nothing"],
  ["PUT", "/keys"],
  ["GET", "/keys/%zz"],
])("every answer to %s %s has an id of its own and is kept by nobody", async (method, path) => {
  const [one, other] = [await gateway().call(method, path), await gateway().call(method, path)];
  expect(one.headers.get("x-request-id")).toMatch(/^req-[0-9a-f-]{36}$/);
  expect(one.headers.get("x-request-id")).not.toBe(other.headers.get("x-request-id"));
  expect(one.headers.get("cache-control")).toBe("no-store");
});

describe("what is not HTTP", () => {
  const send = (text: string) =>
    new Promise<string>((resolve) => {
      let received = "";
      const socket = connect(Number(new URL(gateway().url).port), "127.0.0.1", () => socket.write(text));
      socket.on("data", (chunk) => (received += chunk.toString()));
      // A reset is an end as well.
      socket.on("error", () => {});
      socket.on("close", () => resolve(received));
    });

  it("is answered with 400 in the envelope, and endless headers with 431", async () => {
    const answer = await send("hello there\r\n\r\n");
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(answer).toContain('{"error":{"code":400,"message":"The request is not valid HTTP"}}');
    const endless = await send(`GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nx: ${"y".repeat(20_000)}\r\n\r\n`);
    expect(endless).toMatch(/^HTTP\/1\.1 431 /);
  });
});

describe("getHealth, getReadiness and the probes", () => {
  it("200: alive, with the server's clock and the program's version, and ready", async () => {
    const version = expect.stringMatching(/^\d+\.\d+\.\d+/) as string;
    const now = gateway().clock.now().toISOString();
    expect((await get("/health")).json).toEqual({ status: "ok", version, now });
    expect((await get("/ready")).json).toEqual({ status: "ready" });
  });

  it("200: under the base path and without it", async () => {
    for (const base of ["/../..", "/../../.."]) {
      expect(await get(`${base}/livez`)).toMatchObject({ status: 200, json: { status: "ok" } });
      expect(await get(`${base}/readyz`)).toMatchObject({ status: 200, json: { status: "ready" } });
      const health = await get(`${base}/healthz`);
      expect(health.json).toMatchObject({ status: "ok", now: gateway().clock.now().toISOString() });
      expect(health.headers.get("cache-control")).toBe("no-store");
      expect(health.headers.get("content-type")).toMatch(/^application\/json/);
    }
  });
});

describeGateway("while the store does not answer", (away) => {
  it("503: not ready, yet alive", async () => {
    const { call, deps } = away();
    const read = async (path: string) => await call("GET", path, { key: null });
    const { store } = deps;
    await store.close();
    Object.assign(store, { close: async () => {} });
    const ready = await read("/ready");
    expectError(ready, "unavailable", /store does not answer/);
    expect(ready.headers.get("retry-after")).toBe("1");
    expect((await read("/health")).status).toBe(200);
    const change = await call("POST", "/session", { key: null, body: { sign_in_token: "x" } });
    expectError(change, "unavailable", /store does not answer/);
    expect(change.headers.get("retry-after")).toBe("2");
    expect(await read("/../../livez")).toMatchObject({ status: 200, json: { status: "ok" } });
    expect(await read("/../../readyz")).toMatchObject({ status: 503, json: { error: { code: 503 } } });
    const state = { status: "unavailable", message: "The store does not answer" };
    expect(await read("/../../healthz")).toMatchObject({ status: 200, json: state });
  });
});

it("500: the cause of a defect stays in the log", async () => {
  const broken = await startOnStore();
  try {
    await broken.deps.store.pool.query("drop table sign_in_tokens");
    const defect = await broken.call("POST", "/session", { key: null, body: { sign_in_token: "x" } });
    expectError(defect, "server", /^Internal error$/);
    expect(Object.keys(defect.json.error.metadata)).toEqual(["error_type", "request_id"]);
    expect(broken.log()).toContain(defect.headers.get("x-request-id"));
  } finally {
    await broken.close();
  }
});
