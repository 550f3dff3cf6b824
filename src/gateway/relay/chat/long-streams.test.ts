import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startGateway, type TestGateway } from "../../testing/gateway.ts";
import { makeKey, makeProvider } from "../../testing/factories.ts";

const megabyte = "x".repeat(1_048_576);
const frame = (choice: object) => `data: ${JSON.stringify({ choices: [{ index: 0, ...choice }] })}\n\n`;
const words = frame({ delta: { content: megabyte } });

let gateway: TestGateway;
/** Megabytes of words that the vendor sends before it waits. */
let megabytes = 0;
const open: ServerResponse[] = [];
const vendor = createServer((request, response) => {
  request.resume();
  response.writeHead(200, { "content-type": "text/event-stream" });
  const all = Readable.from(Array.from({ length: megabytes }, () => words));
  all.once("end", () => open.push(response));
  response.once("close", () => all.destroy());
  all.pipe(response, { end: false });
});
const finish = () => {
  for (const response of open.splice(0)) {
    response.end(`${frame({ delta: {}, finish_reason: "stop" })}data: [DONE]\n\n`);
  }
};

beforeAll(async () => {
  gateway = await startGateway();
  vendor.listen(0, "127.0.0.1");
  await once(vendor, "listening");
  await makeProvider(gateway, {
    slug: "acme",
    name: "Acme",
    base_url: `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`,
    api_key: null,
    enabled: true,
    models: [
      {
        id: "acme/talk",
        upstream_id: "talk",
        type: "chat",
        name: "Talk",
        pricing: { prompt: "0.000001", completion: "0.000001" },
      },
    ],
  });
});

afterAll(async () => {
  vendor.closeAllConnections();
  vendor.close();
  await gateway.close();
});

interface Read {
  readonly id: string;
  /** its characters */
  readonly length: number;
  /** its last ones */
  readonly end: string;
}

/** Reads a stream, keeping its end alone. */
async function read(key: string): Promise<Read> {
  const response = await fetch(`${gateway.url}/api/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({
      model: "acme/talk",
      messages: [{ role: "user", content: "Hello" }],
      max_tokens: 10,
      stream: true,
    }),
  });
  expect(response.status).toBe(200);
  const so = { id: response.headers.get("x-generation-id") ?? "", length: 0, end: "" };
  const decoder = new TextDecoder();
  for await (const piece of response.body ?? []) {
    so.length += piece.length;
    so.end = (so.end + decoder.decode(piece, { stream: true })).slice(-2_000);
  }
  return so;
}

it("ends a stream that has no end, with an error frame, and charges what came", async () => {
  megabytes = 200;
  const { key } = await makeKey(gateway);
  const { id, length, end } = await read(key);
  expect(length).toBeLessThan(70 * megabyte.length);
  expect(end).toMatch(/the stream is longer than 67108864 characters/);
  expect(end).toMatch(/"finish_reason":"error"/);
  const { data } = (await gateway.call("GET", `/generation?id=${id}`, { key })).json;
  expect(data.total_cost).toBeGreaterThan(0);
});

it("holds as many words of streams as it has room for, half of it for one key", async () => {
  megabytes = 50;
  const [greedy, other] = [await makeKey(gateway), await makeKey(gateway)];
  const opened = async (count: number) => {
    while (open.length < count) await new Promise((resolve) => setTimeout(resolve, 10));
  };
  const streams = [read(greedy.key), read(greedy.key)];
  await opened(2);
  expect((await read(greedy.key)).end).toMatch(/holds as many answers of providers as it has room for/);

  megabytes = 1;
  const others = read(other.key);
  await opened(3);
  finish();
  expect((await others).end).toMatch(/data: \[DONE\]/);
  for (const stream of streams) expect((await stream).end).toMatch(/data: \[DONE\]/);

  // What they held is given back.
  megabytes = 50;
  const again = read(greedy.key);
  await opened(1);
  finish();
  expect((await again).end).toMatch(/\[DONE\]/);
});
