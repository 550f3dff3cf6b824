// Messages passed through: CPU time per streamed token, next to the bare relay that pipes the same stream. The vendor,
// which is this process, writes each event by itself.
// Usage: node bench/messages-tokens.ts [tokens of a stream] [streams]
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createKey } from "#contract/keys.ts";
import { createProvider } from "#contract/providers.ts";
import { apiOf } from "#gateway/testing/api-client.ts";
import { cpuSeconds } from "./cpu-time.ts";
import { median, printTable } from "./figures.ts";
import { numberArgument, startGateway, startServer, underLoad } from "./harness.ts";

const tokens = numberArgument(1, 4_000);
const streams = numberArgument(2, 7);

const framed = (event: { type: string }) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
const usage = { input_tokens: 8, output_tokens: 1 };
const message = { id: "msg_1", type: "message", role: "assistant", model: "talk", content: [], usage };
const begin = [
  { type: "message_start", message },
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
];
const token = framed({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: " word" } } as {
  type: string;
});
const end = [
  { type: "content_block_stop", index: 0 },
  { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: tokens } },
  { type: "message_stop" },
];

const vendor = createServer((request, response) => {
  request.resume();
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write(begin.map(framed).join(""));
  let left = tokens;
  (function next() {
    if (left === 0) return void response.end(end.map(framed).join(""));
    left -= 1;
    response.write(token);
    // So that each token arrives by itself.
    setTimeout(next, 1);
  })();
});
await new Promise<void>((resolve) => void vendor.listen(0, "127.0.0.1", resolve));
const origin = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`;

using bareRelay = await startServer("relay-bare.ts", `${origin}/v1`);
await using gateway = await startGateway({ env: underLoad });
const api = apiOf(gateway);
const pricing = { prompt: "0.0000001", completion: "0.0000002" };
await api(createProvider, {
  body: {
    slug: "acme",
    name: "Acme",
    kind: "anthropic",
    base_url: `${origin}/v1`,
    api_key: "sk-ant-0123456789abcdef",
    models: [{ id: "acme/talk", upstream_id: "talk", type: "chat", pricing }],
  },
});
const { key } = await api(createKey, { body: { name: "bench", limit: 1_000 } });

async function stream(url: string): Promise<void> {
  const answer = await fetch(url, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({
      model: "acme/talk",
      stream: true,
      max_tokens: tokens + 10,
      messages: [{ role: "user", content: "Say something" }],
    }),
  });
  const text = await answer.text();
  if (!text.endsWith(framed({ type: "message_stop" }))) throw new Error(`the stream broke off: ${text.slice(-200)}`);
}

const targets = {
  "bare relay": { url: `http://127.0.0.1:${bareRelay.port}/chat`, pids: () => [bareRelay.pid] },
  Gatehouse: { url: `${gateway.url}/api/v1/messages`, pids: () => [gateway.process.pid ?? 0] },
};
const figures: Record<string, number[]> = {};
for (let round = 0; round <= streams; round += 1) {
  for (const [name, { url, pids }] of Object.entries(targets)) {
    const before = cpuSeconds(pids());
    await stream(url);
    // The first ones pay for compiling the code.
    if (round > 0) (figures[name] ??= []).push(((cpuSeconds(pids()) - before) / tokens) * 1e6);
  }
}
const bare = median(figures["bare relay"] ?? []);
printTable(
  `CPU time per token of a stream of ${tokens}, messages passed through`,
  ["relay", "µs per token", "of the bare relay's"],
  Object.entries(figures).map(([name, each]) => [
    name,
    median(each).toFixed(1),
    `${(median(each) / bare).toFixed(2)} ×`,
  ]),
);
vendor.closeAllConnections();
vendor.close();
