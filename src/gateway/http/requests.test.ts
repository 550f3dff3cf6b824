import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectError, expectIssues } from "../testing/expect-error.ts";
import { startGateway, type TestGateway } from "../testing/gateway.ts";

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

describe("a body", () => {
  const post = (raw: string | Uint8Array, headers?: Record<string, string>) =>
    gateway.call("POST", "/keys", { raw, ...(headers === undefined ? {} : { headers }) });

  it("may not be missing", async () => {
    expectError(
      await gateway.call("POST", "/keys"),
      "invalid_request",
      "The request body is missing: send a JSON object",
    );
    expectError(await post(""), "invalid_request", "The request body is missing: send a JSON object");
  });

  it("must be JSON, and what it holds is not repeated", async () => {
    const answer = await post('{"name": "sk-secret" oops}');
    expectError(answer, "invalid_request", /not valid JSON \(at byte \d+\)$/);
    expect(answer.text).not.toContain("sk-secret");
  });

  it("must be UTF-8", async () => {
    const latin1 = Buffer.from('{"name": "caf\u00e9"}', "latin1");
    expectError(await post(latin1), "invalid_request", "The request body is not valid UTF-8");
  });

  it.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "nonsense"])(
    "must say that it is JSON, not %s",
    async (type) => {
      expectError(
        await post('{"name": "a"}', { "content-type": type }),
        "invalid_request",
        /Content-Type must be application\/json/,
      );
    },
  );

  it("may say its charset", async () => {
    expect((await post('{"name": "a"}', { "content-type": "application/json; charset=utf-8" })).status).toBe(201);
  });

  it.each(["null", "[]", "3", '"name"'])("must be an object, not %s", async (raw) => {
    expectIssues(await post(raw), "");
  });

  it("may not smuggle members in by their prototype", async () => {
    expectIssues(await post('{"name": "a", "__proto__": {"disabled": true}}'), "__proto__");
  });

  it("may nest as deep as it likes, to no effect", async () => {
    expectIssues(await post("[".repeat(30_000) + "]".repeat(30_000)), "");
  });
});

describe("a path", () => {
  it.each(["/nothing", "/KEYS", "/keys/a/b/c", "/../package.json"])("%s leads nowhere: 404", async (path) => {
    expectError(await gateway.call("GET", path), "not_found", /Nothing answers GET at this path/);
  });

  it.each([["GET", "/responses/resp_1", "kept answers (POST /responses continues one by its previous_response_id)"]])(
    "%s %s of the public API says that it is not served: 404",
    async (method, path, area) => {
      expectError(await gateway.call(method, path), "not_found", `Gatehouse does not serve ${area} yet`);
    },
  );

  it("with broken percent-encoding is refused: 400", async () => {
    expectError(await gateway.call("GET", "/keys/%zz"), "invalid_request", /percent-encoding/);
  });

  it("with an endless parameter leads nowhere: 404", async () => {
    expectError(await gateway.call("GET", `/keys/${"a".repeat(2_000)}`), "not_found", /Nothing/);
  });

  it.each([
    ["PUT", "/keys", "GET, HEAD, OPTIONS, POST"],
    ["DELETE", "/keys", "GET, HEAD, OPTIONS, POST"],
    ["POST", "/keys/abc", "DELETE, GET, HEAD, OPTIONS, PATCH"],
    ["GET", "/embeddings", "OPTIONS, POST"],
    ["PATCH", "/health", "GET, HEAD, OPTIONS"],
  ])("has its own methods: %s %s is answered 405", async (method, path, allow) => {
    const answer = await gateway.call(method, path, { key: null });
    expectError(answer, "method_not_allowed", new RegExp(`^${method} is not a method of this path`));
    expect(answer.headers.get("allow")).toBe(allow);
  });

  it("tells its methods to OPTIONS, and lets no other origin in", async () => {
    const answer = await gateway.call("OPTIONS", "/keys", { key: null, headers: { origin: "https://evil.example" } });
    expect([answer.status, answer.headers.get("allow")]).toEqual([204, "GET, HEAD, OPTIONS, POST"]);
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
  });

  it("answers HEAD like GET, without the body", async () => {
    const answer = await gateway.call("HEAD", "/keys");
    expect([answer.status, answer.text]).toEqual([200, ""]);
    expect(Number(answer.headers.get("content-length"))).toBeGreaterThan(10);
  });
});

describe("every answer", () => {
  it.each([
    ["GET", "/health"],
    ["GET", "/keys"],
    ["GET", "/nothing"],
    ["PUT", "/keys"],
    ["GET", "/keys/%zz"],
  ])("to %s %s has an id of its own and is kept by nobody", async (method, path) => {
    const [one, other] = [await gateway.call(method, path), await gateway.call(method, path)];
    expect(one.headers.get("x-request-id")).toMatch(/^req-[0-9a-f-]{36}$/);
    expect(one.headers.get("x-request-id")).not.toBe(other.headers.get("x-request-id"));
    expect(one.headers.get("cache-control")).toBe("no-store");
  });
});

describe("what is not HTTP", () => {
  const send = (text: string) =>
    new Promise<string>((resolve) => {
      let received = "";
      const socket = connect(Number(new URL(gateway.url).port), "127.0.0.1", () => socket.write(text));
      socket.on("data", (chunk) => (received += chunk.toString()));
      // A reset is an end as well.
      socket.on("error", () => {});
      socket.on("close", () => resolve(received));
    });

  it("is answered with 400 in the envelope", async () => {
    const answer = await send("hello there\r\n\r\n");
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(answer).toContain('{"error":{"code":400,"message":"The request is not valid HTTP"}}');
  });

  it("is answered with 431 when its headers are endless", async () => {
    const answer = await send(`GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nx: ${"y".repeat(20_000)}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
  });
});

describe("getHealth", () => {
  it("200: alive, with the server's clock and the program's version", async () => {
    const { status, json } = await gateway.call("GET", "/health", { key: null });
    expect(status).toBe(200);
    expect(json).toEqual({
      status: "ok",
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      now: gateway.clock.now().toISOString(),
    });
  });
});

describe("getReadiness", () => {
  it("200: ready", async () => {
    expect((await gateway.call("GET", "/ready", { key: null })).json).toEqual({ status: "ready" });
  });

  it("503: while the store does not answer", async () => {
    const away = await startGateway();
    await away.deps.store.close();
    try {
      const ready = await away.call("GET", "/ready", { key: null });
      expectError(ready, "unavailable", /store does not answer/);
      expect(ready.headers.get("retry-after")).toBe("1");
      expect((await away.call("GET", "/health", { key: null })).status).toBe(200);
      const change = await away.call("POST", "/session", { key: null, body: { sign_in_token: "x" } });
      expectError(change, "unavailable", /store does not answer/);
      expect(change.headers.get("retry-after")).toBe("2");
    } finally {
      await away.app.close();
    }
  });
});

describe("a defect", () => {
  it("500: its cause stays in the log", async () => {
    const broken = await startGateway();
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
});
