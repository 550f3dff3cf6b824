import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startGateway, type TestGateway } from "../testing/gateway.ts";
import { makeKey, makeProvider } from "../testing/factories.ts";

let gateway: TestGateway;
/** Streams whose first event has yet to end. */
const open: ServerResponse[] = [];
/** What the vendor has sent of each stream that has no end, in events of 64 kB. */
const poured = new Map<ServerResponse, number>();
const event = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: "x".repeat(65_536) } }] })}\n\n`;

function pour(response: ServerResponse): void {
  let taken = true;
  while (taken && !response.destroyed) {
    taken = response.write(event);
    poured.set(response, (poured.get(response) ?? 0) + event.length);
  }
  response.once("drain", () => pour(response));
}

const vendor = createServer((request, response) => {
  request.resume();
  request.on("end", () => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    if (request.url?.startsWith("/endless/") === true) return pour(response);
    response.write('data: {"choices":[{"index":0,"delta":{"content":"');
    response.write(Buffer.alloc(15 * 1_048_576, "x"));
    open.push(response);
  });
});
const finish = () => {
  for (const response of open.splice(0)) response.end('"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n');
};

beforeAll(async () => {
  gateway = await startGateway();
  vendor.listen(0, "127.0.0.1");
  await once(vendor, "listening");
  for (const slug of ["long", "endless"]) {
    await makeProvider(gateway, {
      slug,
      base_url: `http://127.0.0.1:${(vendor.address() as AddressInfo).port}/${slug}`,
      models: [{ id: `${slug}/talk`, upstream_id: "talk", type: "chat", pricing: { prompt: "0", completion: "0" } }],
    });
  }
});

afterAll(async () => {
  vendor.closeAllConnections();
  vendor.close();
  await gateway.close();
});

const messages = [{ role: "user", content: "Hello" }];
const until = async (reached: () => boolean | Promise<boolean>) => {
  while (!(await reached())) await new Promise((resolve) => setTimeout(resolve, 10));
};

it("counts events that grow long to what a key may hold, and gives it back", async () => {
  const { key } = await makeKey(gateway);
  const stream = async () =>
    (await gateway.call("POST", "/chat/completions", { key, body: { model: "long/talk", stream: true, messages } }))
      .text;
  // Eight events fit into what one key may hold, and a ninth does not.
  const texts: string[] = [];
  const calls = Array.from({ length: 9 }, async () => texts.push(await stream()));
  await until(() => open.length === 9 && texts.length > 0);
  finish();
  await Promise.all(calls);
  // as an error, or as a stream's last event where the wait was long
  const refused = texts.filter((text) => text.includes("holds as many answers of providers as it has room for"));
  expect(refused.length).toBeGreaterThan(0);
  expect(texts.filter((text) => text.includes("[DONE]"))).toHaveLength(9 - refused.length);

  const again = [stream(), stream()];
  await until(() => open.length === 2);
  finish();
  for (const text of await Promise.all(again)) expect(text).toContain("[DONE]");
});

it("needs no room for streams that nobody reads: their vendors have to wait", async () => {
  const { key } = await makeKey(gateway);
  const served: Socket[] = [];
  gateway.app.server.on("connection", (socket) => served.push(socket));
  const { hostname, port } = new URL(gateway.url);
  const body = JSON.stringify({ model: "endless/talk", stream: true, messages });
  const callers = Array.from({ length: 20 }, () => connect(Number(port), hostname).pause());
  for (const caller of callers) {
    caller.write(
      `POST /api/v1/chat/completions HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${key}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
  }
  let before = -1;
  const all = () => [...poured.values()].reduce((sum, bytes) => sum + bytes, 0);
  let unchanged = 0;
  await until(async () => {
    unchanged = poured.size === callers.length && all() === before ? unchanged + 1 : 0;
    before = all();
    await new Promise((resolve) => setTimeout(resolve, 50));
    return unchanged === 10;
  });
  // The process holds next to nothing of them; the rest is in the buffers of the system's connections.
  const held = served.reduce((sum, socket) => sum + socket.writableLength, 0);
  expect(held).toBeLessThan(callers.length * 524_288);
  for (const caller of callers) caller.destroy();
  await until(() => [...poured.keys()].every((response) => response.closed));
});
