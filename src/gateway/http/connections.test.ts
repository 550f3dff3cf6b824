import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { createBurstLog } from "../domain/burst-log.ts";
import { patience } from "../testing/eventually.ts";
import { withGateway } from "../testing/describe-gateway.ts";
import { makeKey } from "../testing/factories.ts";
import { withVendor } from "../testing/vendor-setup.ts";
import { ledgerRows } from "../domain/ledger/columns.ts";
import { guardConnections } from "./connections.ts";

const gateway = withGateway({ env: { GATEHOUSE_CONNECTIONS: "20" } });

/** The head of a request with a body. */
const postOf = (path: string, key: string, length: number, type = "application/json") =>
  `POST /api/v1${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${key}\r\ncontent-type: ${type}\r\ncontent-length: ${length}\r\n\r\n`;

/** A connection that sends `text` and never closes its own half. */
function hanging(text: string) {
  const socket = connect({ port: Number(new URL(gateway().url).port), host: "127.0.0.1", allowHalfOpen: true });
  let received = "";
  socket.on("data", (chunk) => (received += chunk.toString()));
  // A reset is an end as well.
  socket.on("error", () => {});
  socket.write(text);
  return { socket, received: () => received };
}

const connections = () => new Promise<number>((resolve) => gateway().app.server.getConnections((_, n) => resolve(n)));
const noneLeft = () => vi.waitFor(async () => expect(await connections()).toBe(0), patience);

describe("a connection is ended by the gateway alone", () => {
  it("408: after a head that never ends", async () => {
    gateway().app.server.headersTimeout = 100;
    const heads = Array.from({ length: 10 }, () => hanging("GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n"));
    await vi.waitFor(() => expect(heads.every(({ received }) => received() !== "")).toBe(true), patience);
    expect(heads[0]?.received()).toMatch(/^HTTP\/1\.1 408 [^]*"The request did not arrive in time"/);
    await noneLeft();
    gateway().app.server.headersTimeout = 60_000;
    for (const { socket } of heads) socket.destroy();
  });

  it.each([
    ["host: 127.0.0.1\r\nHost: 127.0.0.1", "several Host headers"],
    ["host: u@127.0.0.1", "Host header must be"],
    ["host: 127.0.0.1\r\ntransfer-encoding: identity, chunked", "Transfer-Encoding must be chunked"],
    ["host: 127.0.0.1\r\nx: 1\r\n 2", "not valid HTTP"],
    ["host: 127.0.0.1\r\ncontent-length : 1", "not valid HTTP"],
    ["host: 127.0.0.1\r\ncontent-length: 1\r\ncontent-length: 1", "not valid HTTP"],
    ["host: 127.0.0.1\r\ncontent-length: 1\r\ntransfer-encoding: chunked", "not valid HTTP"],
  ])("400: after a head that can be read in two ways: %j", async (head, words) => {
    const body = head.includes("chunked") ? "0\r\n\r\n" : "";
    const { socket, received } = hanging(`POST /api/v1/embeddings HTTP/1.1\r\n${head}\r\n\r\n${body}`);
    await vi.waitFor(() => expect(received()).toMatch(/^HTTP\/1\.1 400 [^]*connection: close/), patience);
    expect(received()).toContain(words);
    await noneLeft();
    socket.destroy();
  });

  it("401: after a body without a key that goes on and on", async () => {
    const { socket, received } = hanging(
      "POST /api/v1/embeddings HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 99999\r\n\r\n{",
    );
    const dripping = setInterval(() => socket.write(" "), 50);
    await vi.waitFor(() => expect(received()).toMatch(/^HTTP\/1\.1 401 /), patience);
    await noneLeft();
    clearInterval(dripping);
    socket.destroy();
  });

  it("after a last answer once the rest of the body was read, so that no reset overtakes the answer", async () => {
    const server = createServer((_, response) => response.writeHead(413, { connection: "close" }).end("too long"));
    guardConnections(
      server,
      10,
      createBurstLog(() => {}),
      patience,
    );
    await once(server.listen(0, "127.0.0.1"), "listening");
    const socket = connect({ port: (server.address() as AddressInfo).port, host: "127.0.0.1", allowHalfOpen: true });
    const errors: unknown[] = [];
    let received = "";
    socket.on("error", (error) => errors.push(error)).on("data", (chunk) => (received += chunk.toString()));
    socket.write("POST / HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 3000000\r\n\r\n");
    await vi.waitFor(() => expect(received).toMatch(/too long/), patience);
    const closed = once(socket, "close");
    for (let sent = 0; sent < 30; sent += 1) {
      const written = await new Promise((resolve) => socket.write(" ".repeat(100_000), resolve));
      expect(written).toBeFalsy();
    }
    socket.end();
    await closed;
    expect(errors).toEqual([]);
    server.close();
  });

  it("when there are more than GATEHOUSE_CONNECTIONS", async () => {
    const sockets = Array.from({ length: 21 }, () => hanging("GET / HTTP/1.1\r\n").socket);
    await vi.waitFor(
      () => expect(sockets.filter((socket) => socket.readableEnded || socket.destroyed)).toHaveLength(1),
      patience,
    );
    for (const socket of sockets) socket.destroy();
    await noneLeft();
  });
});

describe("a body that is sent slowly", () => {
  const vendor = withVendor(gateway);

  /** Sends all but the last byte, then what happens meanwhile, then the rest. */
  async function status(path: string, key: string, body: object, meanwhile: () => Promise<unknown>): Promise<string> {
    const text = JSON.stringify(body);
    const known = vi.spyOn(gateway().deps.credentials, "read");
    const { socket, received } = hanging(postOf(path, key, text.length) + text.slice(0, -1));
    await vi.waitFor(() => expect(known).toHaveBeenCalled(), patience);
    await Promise.all(known.mock.results.map((result) => result.value));
    known.mockRestore();
    await meanwhile();
    socket.write(text.slice(-1));
    await vi.waitFor(() => expect(received()).toMatch(/^HTTP/), patience);
    socket.destroy();
    return received().slice(9, 12);
  }

  const chat = { model: "acme/talk", messages: [{ role: "user", content: "hello" }] };

  it.each([
    ["401", "deleted", (path: string) => gateway().call("DELETE", path)],
    ["401", "disabled", (path: string) => gateway().call("PATCH", path, { body: { disabled: true } })],
    ["402", "limited", (path: string) => gateway().call("PATCH", path, { body: { limit: 0 } })],
  ])("%s: for a key that is %s meanwhile, and no vendor is asked", async (refused, _, change) => {
    const { key, record } = await makeKey(gateway());
    const asked = vendor().calls();
    expect(await status("/chat/completions", key, chat, () => change(`/keys/${record.hash}`))).toBe(refused);
    expect(vendor().calls()).toBe(asked);
  });

  it("401: for a management key that is deleted meanwhile, and nothing is made", async () => {
    const made = (await gateway().call("POST", "/management-keys", { body: { name: "leaves" } })).json;
    const leave = () => gateway().call("DELETE", `/management-keys/${made.data.hash}`);
    expect(await status("/management-keys", made.key, { name: "stays" }, leave)).toBe("401");
    const { data } = (await gateway().call("GET", "/management-keys")).json;
    expect(data.map(({ name }: { name: string }) => name)).not.toContain("stays");
  });
});

describe("a large body that is refused at its beginning", () => {
  it.each([
    ["/files", "multipart/form-data; boundary=x"],
    ["/messages/batches", "application/json"],
  ])("of %s leaves the connection to its caller", async (path, type) => {
    const { key } = await makeKey(gateway());
    const body = "x".repeat(400_000);
    const { socket, received } = hanging(postOf(path, key, body.length, type) + body);
    await vi.waitFor(() => expect(received()).toMatch(/^HTTP\/1\.1 400 /), patience);
    // Once the time has passed in which a caller may go on sending.
    await setTimeout(1_200);
    socket.write("GET /api/v1/health HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n");
    await vi.waitFor(() => expect(received()).toMatch(/}HTTP\/1\.1 200 /), patience);
    socket.destroy();
  });
});

describe("what HTTP itself refuses", () => {
  it.each([
    ["417: for an unknown expectation", "GET /api/v1/models HTTP/1.1\r\nhost: 127.0.0.1\r\nexpect: banana\r\n\r\n"],
    ["400: without a host", "GET /api/v1/models HTTP/1.1\r\n\r\n"],
    ["405: for CONNECT", "CONNECT example.com:443 HTTP/1.1\r\nhost: example.com\r\n\r\n"],
  ])("%s, in the envelope", async (title, text) => {
    const { socket, received } = hanging(text);
    const code = Number.parseInt(title, 10);
    await vi.waitFor(() => expect(received()).toContain(`HTTP/1.1 ${code} `), patience);
    await vi.waitFor(() => expect(received()).toMatch(/\}$/), patience);
    expect(JSON.parse(received().split("\r\n\r\n")[1] ?? "")).toMatchObject({
      error: { code, message: expect.stringMatching(/./) },
    });
    socket.destroy();
  });
});

describe("a method that no path has", () => {
  it.each(["QUERY", "PROPFIND", "TRACE", "LOCK"])("%s: is a refusal, and no defect", async (method) => {
    for (const path of ["/api/v1/keys", "/api/v1/nothing", "/"]) {
      const { socket, received } = hanging(`${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`);
      await vi.waitFor(() => expect(received()).toMatch(/^HTTP\/1\.1 40[45] /), patience);
      socket.destroy();
    }
    expect(gateway().log()).not.toContain("internal error");
  });
});

describe("requests that come in one piece", () => {
  const vendor = withVendor(gateway);

  it("are served one after another, and others between them", async () => {
    const letGo = vendor().hold(0);
    const [{ key }, other] = [await makeKey(gateway()), await makeKey(gateway())];
    const asked = (content: string) => ({ model: "acme/talk", messages: [{ role: "user", content }] });
    const raw = (content: string) => {
      const body = JSON.stringify(asked(content));
      return postOf("/chat/completions", key, body.length) + body;
    };
    const { socket, received } = hanging(raw("first") + raw("second"));
    await vi.waitFor(() => expect(vendor().requests).toHaveLength(1), patience);
    const others = gateway().call("POST", "/chat/completions", { key: other.key, body: asked("other") });
    await vi.waitFor(() => expect(vendor().requests).toHaveLength(2), patience);
    expect(vendor().requests.map(({ body }) => body)).toMatchObject(
      [asked("first").messages, asked("other").messages].map((messages) => ({ messages })),
    );
    letGo();
    expect((await others).status).toBe(200);
    await vi.waitFor(() => expect(received().match(/HTTP\/1\.1 200 /g)).toHaveLength(2), patience);
    socket.destroy();
  });
});

describe("a caller that leaves", () => {
  const vendor = withVendor(gateway);

  it("before the first word of a stream is no defect", async () => {
    const letGo = vendor().hold(0);
    const { key } = await makeKey(gateway());
    const body = JSON.stringify({ model: "acme/talk", messages: [{ role: "user", content: "hi" }], stream: true });
    const begun = once(gateway().app.server, "request");
    const { socket } = hanging(postOf("/chat/completions", key, body.length) + body);
    await vi.waitFor(() => expect(vendor().requests).toHaveLength(1), patience);
    const [, response] = (await begun) as [IncomingMessage, ServerResponse];
    socket.destroy();
    await vi.waitFor(() => expect(response.destroyed).toBe(true), patience);
    letGo();
    const settled = async () => await ledgerRows(gateway().deps.store.db).select("status").execute();
    await vi.waitFor(async () => expect(await settled()).toContainEqual({ status: 499 }), patience);
    await vi.waitFor(() => expect(gateway().log()).toMatch(/the caller left|"level":50/), patience);
    expect(gateway().log()).not.toContain('"level":50');
  });

  it("in the middle of its upload is no defect", async () => {
    const begun = once(gateway().app.server, "request");
    const { socket } = hanging(postOf("/keys", gateway().managementKey, 99) + "{");
    const [request] = (await begun) as [IncomingMessage];
    await vi.waitFor(() => expect(request.readableDidRead).toBe(true), patience);
    socket.resetAndDestroy();
    await vi.waitFor(() => expect(gateway().log()).toContain("the caller left"), patience);
    expect(gateway().log()).not.toContain('"level":50');
  });
});

describe("a caller that takes nothing of its answer", () => {
  const impatient = withGateway({ env: { GATEHOUSE_UPSTREAM_TIMEOUT: "1" } });
  const vendor = withVendor(impatient);

  it("is left after GATEHOUSE_UPSTREAM_TIMEOUT, and its answer let go", async () => {
    const message = { role: "assistant", content: "word ".repeat(3_000_000) };
    const usage = { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 };
    const answer = { id: "a", choices: [{ index: 0, message, finish_reason: "stop" }], usage };
    vendor().fail({ type: "body", body: JSON.stringify(answer) });
    const { key } = await makeKey(impatient());
    const body = JSON.stringify({ model: "acme/talk", messages: [{ role: "user", content: "hi" }] });
    const begun = once(impatient().app.server, "request");
    const socket = connect(Number(new URL(impatient().url).port), "127.0.0.1");
    socket.on("error", () => {});
    // Node reads only where somebody listens.
    socket.write(postOf("/chat/completions", key, body.length) + body);
    const [, response] = (await begun) as [IncomingMessage, ServerResponse];
    await once(response, "close");
    expect(response.writableEnded).toBe(true);
    expect(response.writableFinished).toBe(false);
    socket.destroy();
  });
});

describe("a request line that is no URL", () => {
  it.each(["//[SECRET", "//a:99999", "http://[SECRET/", "//"])("GET %s is nowhere: 404 or 400", async (path) => {
    const { socket, received } = hanging(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n`);
    await vi.waitFor(() => expect(received()).toMatch(/^HTTP\/1\.1 40[04] /), patience);
    socket.destroy();
    expect(gateway().log()).not.toMatch(/SECRET|"level":50/);
  });
});
