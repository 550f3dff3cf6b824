// The comparison: a Fastify and undici relay that checks no key, knows no limit and writes nothing down, but reads the
// usage of every answer. A process of its own, for bench/relay.ts.
// Usage: node bench/relay-bare.ts http://127.0.0.1:VENDOR/v1; prints its port.
import type { AddressInfo } from "node:net";
import { fastify } from "fastify";
import { Pool } from "undici";

const vendor = new URL(process.argv[2] ?? "");
const pool = new Pool(vendor.origin, { connections: 512 });
const app = fastify({ logger: false, bodyLimit: 64 * 1_048_576 });
let tokens = 0;

app.removeAllContentTypeParsers();
app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));

app.post("/api/v1/embeddings", async (request, reply) => {
  const answer = await pool.request({
    path: `${vendor.pathname}/embeddings`,
    method: "POST",
    headers: { "content-type": "application/json" },
    body: request.body as Buffer,
  });
  const body = Buffer.from(await answer.body.arrayBuffer());
  tokens += Number(/"total_tokens":(\d+)/.exec(body.toString("latin1", body.length - 100))?.[1] ?? 0);
  return reply.code(answer.statusCode).header("content-type", "application/json").send(body);
});

app.post("/api/v1/chat/completions", async (request, reply) => {
  const answer = await pool.request({
    path: `${vendor.pathname}/chat/completions`,
    method: "POST",
    headers: { "content-type": "application/json" },
    body: request.body as Buffer,
  });
  return reply.code(answer.statusCode).header("content-type", "text/event-stream").send(answer.body);
});

await app.listen({ host: "127.0.0.1", port: 0 });
process.stdout.write(`${(app.server.address() as AddressInfo).port}\n`);
