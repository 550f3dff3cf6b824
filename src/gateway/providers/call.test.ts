import { createServer } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { addressRule } from "../domain/instance/network-guard.ts";
import { type FakeVendor, startFakeVendor } from "../testing/fake-vendor.ts";
import { call, CallFailed, readBody } from "./call.ts";
import { callWhole } from "./call-whole.ts";
import { createDispatcher } from "./dispatcher.ts";
import type { UpstreamFailure } from "./provider.ts";

let vendor: FakeVendor;
beforeAll(async () => void (vendor = await startFakeVendor()));
afterEach(() => vendor.reset());
afterAll(() => vendor.close());

const dispatcher = createDispatcher({ refuse: addressRule("allow", "admin"), connectTimeoutMs: 60_000 });
const patient = { headersTimeoutMs: 20_000, bodyTimeoutMs: 20_000 };
const request = (url: string) => ({
  method: "POST" as const,
  url,
  headers: { "content-type": "application/json" },
  body: '{"model":"m","input":"a"}',
});

async function ask(
  url = `${vendor.baseUrl}/embeddings`,
  { options = patient, through = dispatcher, most = 1_000_000 } = {},
): Promise<string> {
  const { signal } = new AbortController();
  return (await readBody(await call(through, request(url), { ...options, signal }), most, signal)).toString("utf8");
}

async function failureOf(work: Promise<unknown>): Promise<UpstreamFailure> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(CallFailed);
  return (error as CallFailed).failure;
}

describe("a call", () => {
  it("brings the whole answer", async () => {
    expect(JSON.parse(await ask())).toMatchObject({ object: "list", data: [{ index: 0 }] });
    expect(vendor.requests[0]?.body).toEqual({ model: "m", input: "a" });
  });

  it("fails when nobody listens, when the name is unknown, and when TLS is not spoken there", async () => {
    expect(await failureOf(ask("http://127.0.0.1:1/v1"))).toMatchObject({
      reason: "connection",
      code: "ECONNREFUSED",
      mayBill: false,
      sent: false,
      message: "Nothing is listening at 127.0.0.1:1. Check the port, and that the program is running",
      retryable: true,
    });
    expect(await failureOf(ask("http://nobody.invalid/v1"))).toMatchObject({ reason: "connection", retryable: true });
    const tls = await failureOf(ask(vendor.baseUrl.replace("http:", "https:")));
    expect(tls).toMatchObject({
      reason: "connection",
      retryable: true,
      mayBill: false,
      message: expect.stringContaining("secure connection"),
    });
  });

  it("may be billed once it is sent, and not where the handshake is reset", async () => {
    const reset = createTcpServer((socket) => void socket.once("data", () => socket.resetAndDestroy()));
    await new Promise<void>((resolve) => void reset.listen(0, "127.0.0.1", resolve));
    const { port } = reset.address() as AddressInfo;
    expect(await failureOf(ask(`https://127.0.0.1:${port}/v1`))).toMatchObject({ code: "ECONNRESET", mayBill: false });
    expect(await failureOf(ask(`http://127.0.0.1:${port}/v1`))).toMatchObject({
      code: "ECONNRESET",
      mayBill: true,
      message: `127.0.0.1:${port} closed the connection before it answered`,
    });
    reset.close();
  });

  it.each([
    [200, true],
    [201, true],
    [504, true],
    [500, false],
  ])("may be billed or not by the status %s, whether or not its body breaks off", async (status, mayBill) => {
    const broken = createTcpServer((socket) =>
      socket.once("data", () => socket.end(`HTTP/1.1 ${status} Words\r\ncontent-length: 100\r\n\r\n{`)),
    );
    await new Promise<void>((resolve) => void broken.listen(0, "127.0.0.1", resolve));
    const { port } = broken.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/v1`;
    const message = `127.0.0.1:${port} closed the connection in the middle of its answer`;
    expect(await failureOf(ask(url))).toMatchObject({ reason: "connection", mayBill, message });
    const whole = {
      ...patient,
      wholeTimeoutMs: 60_000,
      mostBytes: 1_000,
      mostErrorBytes: 1_000,
      room: { take: () => {}, give: () => {}, giveBack: () => {} },
    };
    expect(await failureOf(callWhole(dispatcher, request(url), whole))).toMatchObject({
      reason: "connection",
      mayBill,
      message,
    });
    broken.close();
  });

  it("cuts an error that is longer than what is read of it", async () => {
    vendor.fail({ type: "status", status: 422, message: "x".repeat(1_000_000) }, 1);
    const room = { take: () => {}, give: () => {}, giveBack: () => {} };
    const whole = { ...patient, wholeTimeoutMs: 60_000, mostBytes: 100_000, mostErrorBytes: 10_000, room };
    const { status, body } = await callWhole(dispatcher, request(`${vendor.baseUrl}/embeddings`), whole);
    expect([status, body.length < 100_000, body.toString().includes("xxx")]).toEqual([422, true, true]);
  });

  it("fails when the vendor hangs, stops half-way, cuts off, or promises more than it sends", async () => {
    vendor.fail({ type: "hang" }, 1);
    expect(await failureOf(ask(undefined, { options: { headersTimeoutMs: 50, bodyTimeoutMs: 50 } }))).toMatchObject({
      reason: "timeout",
      retryable: true,
    });
    vendor.fail({ type: "dribble", everyMs: 10_000 }, 1);
    expect(await failureOf(ask(undefined, { options: { headersTimeoutMs: 20_000, bodyTimeoutMs: 50 } }))).toMatchObject(
      { reason: "timeout" },
    );
    vendor.fail({ type: "cut", afterBytes: 100 }, 1);
    expect(await failureOf(ask())).toMatchObject({ reason: "connection", retryable: true });
    vendor.fail({ type: "short" }, 1);
    expect(await failureOf(ask())).toMatchObject({ reason: "connection", retryable: true });
    vendor.fail({ type: "reset" }, 1);
    expect(await failureOf(ask())).toMatchObject({ reason: "connection", retryable: true });
  });

  it("stops reading an answer that is too long, and leaves the connection", async () => {
    vendor.fail({ type: "huge", bytes: 40_000_000 }, 1);
    expect(await failureOf(ask(undefined, { most: 100_000 }))).toMatchObject({
      reason: "bad_answer",
      status: 200,
      retryable: true,
    });
    await expect.poll(() => vendor.abandoned()).toBe(1);
    expect(await failureOf(ask(undefined, { most: 100 }))).toMatchObject({ reason: "bad_answer" });
  });

  it("throws the abort's own reason, and hangs up", async () => {
    vendor.fail({ type: "hang" }, 1);
    const controller = new AbortController();
    const running = call(dispatcher, request(`${vendor.baseUrl}/embeddings`), {
      ...patient,
      signal: controller.signal,
    });
    await expect.poll(() => vendor.inFlight()).toBe(1);
    controller.abort(new Error("the caller left"));
    await expect(running).rejects.toThrow("the caller left");
    await expect.poll(() => vendor.inFlight()).toBe(0);
  });
});

describe("the guarded way out", () => {
  const guarded = createDispatcher({ refuse: addressRule("deny", "admin") });

  it.each([
    ["an address", () => vendor.baseUrl],
    ["an address in another spelling", () => vendor.baseUrl.replace("127.0.0.1", "2130706433")],
    ["an IPv6 address", () => vendor.baseUrl.replace("127.0.0.1", "[::ffff:127.0.0.1]")],
    ["a name", () => vendor.baseUrl.replace("127.0.0.1", "localhost")],
  ])("never connects to a refused address: %s", async (_, url) => {
    const failed = await failureOf(ask(`${url()}/embeddings`, { through: guarded }));
    expect(failed).toMatchObject({
      reason: "connection",
      code: "address_refused",
      message: expect.stringContaining("private network"),
    });
    expect(vendor.requests).toEqual([]);
  });

  it("judges a name each time that it is looked up, and connects to the very address that was judged", async () => {
    let connections = 0;
    const server = createServer((_, response) => {
      connections += 1;
      response.writeHead(200, { connection: "close" }).end("{}");
    });
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    const looks: string[] = [];
    // First where it may go, then where it may not: a name under an attacker's hand.
    const answers = ["127.0.0.1", "169.254.169.254", "10.0.0.7"];
    const rebinding = createDispatcher({
      refuse: addressRule(["127.0.0.0/8"], "admin"),
      resolve: (hostname, _, callback) => {
        looks.push(hostname);
        callback(null, [{ address: answers[looks.length - 1] ?? "", family: 4 }]);
      },
    });
    const url = `http://sink.example:${(server.address() as AddressInfo).port}/in`;
    expect(await ask(url, { through: rebinding })).toBe("{}");
    expect(looks).toEqual(["sink.example"]);
    for (const reason of ["metadata", "private network"]) {
      const failed = await failureOf(ask(url, { through: rebinding }));
      expect(failed).toMatchObject({ code: "address_refused", message: expect.stringContaining(reason) });
    }
    expect([looks.length, connections]).toEqual([3, 1]);
    await rebinding.close();
    server.close();
  });

  it("does not follow a redirect to one", async () => {
    const { signal } = new AbortController();
    const server = createServer(
      (_, response) => void response.writeHead(307, { location: `${vendor.baseUrl}/embeddings` }).end(),
    );
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" && address ? address.port : 0;
    const answer = await call(dispatcher, request(`http://127.0.0.1:${port}/v1/embeddings`), { ...patient, signal });
    expect(answer.status).toBe(307);
    await answer.body.dump();
    expect(vendor.requests).toEqual([]);
    server.close();
  });
});
